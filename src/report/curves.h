#pragma once
// The curves of a run: residual, energy, iterations, time, contacts, penetration, least det F, reactions and contact forces
// over the frames, from the lines of stats.jsonl. What no line tells of has no curve.
//
//     for (const plot::Plot& plot : curves(run.lines(), tolerance)) page += plot::to_svg(plot);
#include <span>
#include <vector>

#include "json/json.h"
#include "plot/plot.h"

namespace sinew::report {

// Series have at most 600 points: longer ones keep the least and the greatest of each stretch. Among reactions and contact
// forces the eight that grow largest are drawn.
std::vector<plot::Plot> curves(std::span<const json::Json> lines, double tolerance);

// Thinned as above. The first and the last point stay; a stretch without a number breaks the line.
void thin(plot::Series& series);

}  // namespace sinew::report
