#include "scene/method_page.h"

#include <string_view>
#include <vector>

#include "scene/scene.h"

namespace sinew::scene {

namespace {

// A feature that is put into a scene of one block.
struct Sample {
  std::string_view title;
  std::string_view body = {};    // keys of the block
  std::string_view others = {};  // more bodies
  std::string_view solve = {};   // keys of "solve"
  std::string_view scene = {};   // more keys of the scene
};

struct Group {
  std::string_view title;
  std::vector<Sample> samples;
};

constexpr std::string_view second =
    R"(,"b":{"mesh":{"box":{"size":[1,1,1],"cells":[1,1,1],"origin":[1.5,0,0]}},"material":{"model":"linear","young":1,"poisson":0}})";

std::vector<Sample> element_samples() {
  static std::vector<std::string> bodies;
  std::vector<Sample> samples;
  bodies.reserve(element::kinds().size());
  for (const element::Kind* kind : element::kinds())
    if (kind->dimension == 3)
      samples.push_back({.title = kind->phrase,
                         .body = bodies.emplace_back(",\"elements\":\"" + std::string(kind->name) + "\"")});
  return samples;
}

const std::vector<Group>& groups() {
  static const std::vector<Group> list = {
      {"In time",
       {{"equilibria (`quasistatic`)"},
        {.title = "motion, backward Euler", .solve = R"("mode":"dynamic")"},
        {.title = "motion, BDF2", .solve = R"("mode":"dynamic","integrator":"bdf2")"},
        {.title = "mass damping", .body = R"(,"damping":{"mass":1})", .solve = R"("mode":"dynamic")"},
        {.title = "stiffness damping",
         .body = R"(,"damping":{"stiffness":1})",
         .solve = R"("mode":"dynamic")"}}},
      {"Elements", element_samples()},
      {"Held, linked and loaded",
       {{.title = "attachments, rigid", .scene = R"(,"attach":[{"what":"a.xmin"}])"},
        {.title = "attachments in planes",
         .scene = R"(,"attach":[{"what":"a.xmin","hold":"plane","normal":[1,0,0]}])"},
        {.title = "attachments on lines",
         .scene = R"(,"attach":[{"what":"a.xmin","hold":"line","direction":[1,0,0]}])"},
        {.title = "soft attachments",
         .scene = R"(,"attach":[{"what":"a.xmin","hold":"soft","stiffness":1}])"},
        {.title = "springs",
         .scene =
             R"(,"springs":[{"from":{"body":"a","point":[0,0,0]},"to":{"point":[-1,0,0]},"stiffness":1}])"},
        {.title = "gravity", .scene = R"(,"gravity":[0,-9.81,0])"},
        {.title = "forces and tractions",
         .scene =
             R"(,"loads":[{"what":"a.xmax","type":"force","value":[1,0,0]},{"what":"a.ymax","type":"traction","value":[1,0,0]}])"},
        {.title = "follower pressure",
         .scene = R"(,"loads":[{"what":"a.xmax","type":"pressure","value":1}])"},
        {.title = "tissue that ties",
         .others = second,
         .scene = R"(,"connect":[{"between":["a","b"],"kind":"tied","distance":1,"stiffness":1}])"},
        {.title = "tissue that slides",
         .others = second,
         .scene = R"(,"connect":[{"between":["a","b"],"kind":"sliding","distance":1,"stiffness":1}])"}}},
      {"Contact",
       {{.title = "bodies with each other, and with themselves",
         .others = second,
         .scene = R"(,"contact":{})"},
        {.title = "friction", .others = second, .scene = R"(,"contact":{"friction":0.5})"},
        {.title = "colliders, by forces",
         .scene = R"(,"colliders":{"c":{"shape":{"plane":{"point":[0,-1,0],"normal":[0,1,0]}}}})"},
        {.title = "colliders, `project`",
         .scene =
             R"(,"colliders":{"c":{"shape":{"plane":{"point":[0,-1,0],"normal":[0,1,0]}},"response":"project"}})"},
        {.title = "colliders, `clamp`",
         .scene =
             R"(,"colliders":{"c":{"shape":{"plane":{"point":[0,-1,0],"normal":[0,1,0]}},"response":"clamp"}})"}}},
  };
  return list;
}

struct Example {
  Scene scene;
  Built built;
};

Result<Example> build_sample(const Sample& sample) {
  std::string text = R"({"sinew":1,"bodies":{"a":{"mesh":{"box":{"size":[1,1,1],"cells":[1,1,1]}},)"
                     R"("material":{"model":"neo_hookean","young":1,"poisson":0})";
  text.append(sample.body).append("}").append(sample.others).append("},\"solve\":{").append(sample.solve);
  text.append("}").append(sample.scene).append("}");
  Diagnostics diagnostics;
  std::optional<Scene> scene = parse_scene(text, std::string(sample.title), ".", {}, diagnostics);
  std::optional<Built> built = scene ? build(*scene, diagnostics) : std::nullopt;
  if (!built) return diagnostics.list()[0];
  return Example{std::move(*scene), std::move(*built)};
}

bool can_run(const step::Method& method, const Example& example) {
  return method.lacks(example.built.model, settings_for(example.scene, method)).empty();
}

std::string row(std::string_view title, const std::vector<std::string>& cells) {
  std::string out = "| " + std::string(title) + " |";
  for (const std::string& cell : cells) out += " " + cell + " |";
  return out + "\n";
}

template <class F>
std::vector<std::string> each_method(const F& cell) {
  std::vector<std::string> cells;
  for (const step::Method* method : step::methods()) cells.push_back(cell(*method));
  return cells;
}

std::string yes(bool value) { return value ? "yes" : "-"; }

std::string head(std::string_view title) {
  return row(title, each_method([](const step::Method& m) { return "`" + std::string(m.name) + "`"; })) +
         row("---", each_method([](const step::Method&) { return std::string("---"); }));
}

// One row where a method takes all laws or none; else a row for each.
Result<std::string> law_rows() {
  Result<Example> example = build_sample({"laws"});
  if (!example) return example.error();
  std::string rows;
  bool same = true;
  for (const material::Law* law : material::laws()) {
    example->built.model.sets[0].law = law;
    example->built.model.params.material[0].assign(static_cast<size_t>(material::field_value_count(*law)),
                                                   model::ParamField{{1.0}});
    const std::vector<std::string> cells =
        each_method([&](const step::Method& m) { return yes(can_run(m, *example)); });
    const std::string line = row("`" + std::string(law->name) + "`", cells);
    same = same && line.find('-') == std::string::npos;
    rows += line;
  }
  if (!same) return rows;
  return row("every material of this build (" + std::to_string(material::laws().size()) + ")",
             each_method([](const step::Method&) { return std::string("yes"); }));
}

}  // namespace

Result<std::string> method_page() {
  std::string out =
      "# Methods and what they can do\n\n"
      "Generated by `sinew schema --methods`: every method of the build is asked what it lacks on a small "
      "scene that "
      "has the thing in the row. A dash: it refuses the scene and says so. `sinew check` says the same of a "
      "scene of yours, and `sinew compare SCENE --methods all` runs those that can.\n\n"
      "| method | | stops after a budget of iterations | converges to the equilibrium |\n|---|---|---|---|\n";
  for (const step::Method* m : step::methods())
    out += row("`" + std::string(m->name) + "`",
               {std::string(m->title) + ". " + std::string(m->doc), yes(m->budgeted), yes(m->converges)});
  const Result<std::string> laws = law_rows();
  if (!laws) return laws.error();
  for (const Group& group : groups()) {
    out += "\n## " + std::string(group.title) + "\n\n" + head("");
    for (const Sample& sample : group.samples) {
      const Result<Example> example = build_sample(sample);
      if (!example) return example.error();
      out += row(sample.title, each_method([&](const step::Method& m) { return yes(can_run(m, *example)); }));
    }
  }
  return out + "\n## Materials\n\n" + head("") + *laws;
}

}  // namespace sinew::scene
