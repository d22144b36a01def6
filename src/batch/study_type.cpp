// The table of the study file.
#include "batch/study.h"

namespace sinew::batch {
namespace {

using json::Key;
using json::optional;
using json::required;
using json::Type;
using json::TypeTree;
using json::with_default;
using F = Field::Kind;

const Type& variable(TypeTree& tree) {
  static constexpr std::string_view scales[] = {"linear", "log"};
  const Type& text = tree.leaf({.name = "", .kind = F::text});
  const Type& number = tree.leaf({.name = "", .kind = F::number});
  const Type& steps = tree.leaf({.name = "",
                                 .kind = F::integer,
                                 .min = 1,
                                 .max = 1e6,
                                 .reason = "a grid has at least one value along each axis"});
  const auto path = [&] {
    return required("path", text,
                    "What is set in the scene, as in `sinew run --set`: /bodies/flesh/material/young.");
  };
  const Key grid = optional("steps", steps, "Values along this axis of a grid, both ends included.");
  Type any;
  any.kind = Type::Kind::any;
  const Type& choices = tree.list(tree.add(std::move(any)), 1, 1000);
  const Type& keys = tree.list(tree.list(number, 1, 1000), 2, 10000);
  Type type;
  type.kind = Type::Kind::by_key;
  type.name = "variable";
  type.doc = "One value of the scene, or several that move together, that differs from sample to sample.";
  type.variants = {
      {"from",
       "A range: every number between two ends.",
       &number,
       {path(), required("to", number, "The other end."),
        with_default("scale", tree.leaf({.name = "", .kind = F::choice, .choices = scales}),
                     "Evenly in the value, or in its logarithm.", "\"linear\""),
        grid}},
      {"choose", "One of these values: numbers, texts, lists or objects.", &choices, {path()}},
      {"along",
       "Several values move along a line of keys, at even distances; each key has a number for each path.",
       &keys,
       {required("paths", tree.list(text, 1, 1000), "What is set in the scene."), grid}}};
  return tree.add(std::move(type));
}

const Type& rows(TypeTree& tree) {
  const Type& number = tree.leaf({.name = "", .kind = F::number});
  const Type& file = tree.object({required(
      "file", tree.leaf({.name = "", .kind = F::path}),
      "Numbers in text, one sample a line, with commas or blanks; a first line may name the columns.")});
  Type type;
  type.kind = Type::Kind::by_kind;
  type.variants = {{"", "a list of rows", &tree.list(tree.list(number, 1, max_axes), 1, 1000000)},
                   {"", "an object with a file", &file}};
  return tree.add(std::move(type));
}

struct StudyTable {
  TypeTree tree;
  StudyTable() {
    static constexpr std::string_view designs[] = {"halton", "latin", "grid", "list"};
    static constexpr std::string_view dtypes[] = {"float32", "float64"};
    const Type& text = tree.leaf({.name = "", .kind = F::text});
    const Type& boolean = tree.leaf({.name = "", .kind = F::boolean});
    const auto count = [&](double min, double max, std::string_view reason) -> const Type& {
      return tree.leaf({.name = "", .kind = F::integer, .min = min, .max = max, .reason = reason});
    };
    const auto number = [&](double max, bool open, std::string_view reason) -> const Type& {
      return tree.leaf({.name = "",
                        .kind = F::number,
                        .unit = "1",
                        .min = 0,
                        .max = max,
                        .min_open = open,
                        .max_open = true,
                        .reason = reason});
    };
    tree.root = &tree.object(
        {required("sinew_study", count(1, 1, "the version of the study file that this program reads"),
                  "Version of the file format."),
         optional("$schema", text, "For editors; not used."),
         optional("title", text, "One line about the data set."),
         required("scene", tree.leaf({.name = "", .kind = F::path}),
                  "The scene, quasistatic. Each sample is its equilibrium at the last frame."),
         required("vary", tree.map(variable(tree), 1), "What differs between samples, by name, in order."),
         with_default(
             "design", tree.leaf({.name = "", .kind = F::choice, .choices = designs}),
             "`halton`: evenly spread, can be extended. `latin`: one sample in each stratum of each axis. "
             "`grid`: every combination. `list`: the rows given.",
             "\"halton\""),
         optional("samples", count(1, 1e8, "at least one; the number of a sample has eight digits"),
                  "How many; a grid and a list know it themselves."),
         with_default("seed", count(0, 0x1p53, "a whole number that a double holds"),
                      "Another seed, other samples.", "1"),
         optional("list", rows(tree),
                  "Rows of a list: one number for each variable, in its range; of a choice its number from "
                  "0, of a "
                  "line of keys the place from 0 to 1."),
         required("keep", tree.list(text, 1, 1000),
                  "What is stored of each sample: `flesh.position`, `flesh.von_mises`, `left.force`, "
                  "`flesh.det_F.min`; every quantity of `expect`, and whole fields."),
         with_default(
             "surface", boolean,
             "Fields on nodes are stored on the surface alone, fields on tets for each triangle of it.",
             "false"),
         with_default("dtype", tree.leaf({.name = "", .kind = F::choice, .choices = dtypes}),
                      "Precision of what is stored; the solver works in double.", "\"float32\""),
         with_default("validation",
                      number(1, false, "a share of the samples; some must be left to train with"),
                      "Share of the samples that is marked for validation.", "0.1"),
         with_default("shard", count(1, 65536, "one process holds the samples of a shard"),
                      "Samples in one file. Warm starts stay inside a shard.", "64"),
         with_default("tolerance", number(1, true, "a residual relative to the forces"),
                      "A sample is solved when its relative residual is no larger.", "1e-6")},
        "study", "A study file is one object with these keys. Paths are relative to the file.");
  }
};

}  // namespace

const Type& study_type() {
  static const StudyTable table;
  return *table.tree.root;
}

}  // namespace sinew::batch
