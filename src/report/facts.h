#pragma once
// Tables of what was simulated: the bodies with their materials, what holds and moves them, how they meet, the method and
// the plan in time; and by which program on which machine.
//
//     page += bodies_html(run.built().model) + setup_html(run.built(), run.summary()) + origin_html(run.summary());
#include <string>

#include "json/json.h"
#include "scene/scene.h"

namespace sinew::report {

std::string bodies_html(const model::Model& model);
// `summary` is run.json.
std::string setup_html(const scene::Built& built, const json::Json& summary);
std::string origin_html(const json::Json& summary);

}  // namespace sinew::report
