#include "batch/study.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/memory.h"
#include "io/file.h"
#include "json/words.h"
#include "math/random.h"

namespace sinew::batch {

using json::Diagnostics;
using json::Json;

namespace {

constexpr int64_t max_list_file = int64_t{256} << 20;  // [bytes]
constexpr uint64_t split_stream = 0x5911;              // of the seed, apart from those of the axes

Variable variable_of(const std::string& name, const Json& json) {
  Variable v;
  v.name = name;
  v.place = json.place();
  if (const Json* path = json.find("path")) v.paths = {path->text()};
  if (const Json* steps = json.find("steps")) v.steps = static_cast<int64_t>(steps->number());
  if (const Json* choices = json.find("choose")) {
    v.kind = Variable::Kind::choice;
    v.choices.assign(choices->items().begin(), choices->items().end());
    v.steps = static_cast<int64_t>(v.choices.size());
  } else if (const Json* keys = json.find("along")) {
    v.kind = Variable::Kind::path;
    for (const Json& path : json["paths"].items()) v.paths.push_back(path.text());
    for (const Json& key : keys->items()) {
      std::vector<double>& values = v.keys.emplace_back();
      for (const Json& value : key.items()) values.push_back(value.number());
    }
  } else {
    v.from = json["from"].number();
    v.to = json["to"].number();
    v.log = json["scale"].text() == "log";
  }
  return v;
}

void check_variable(const Variable& v, const Json& json, const std::string& path, Diagnostics& diagnostics) {
  if (v.log && !(v.from > 0 && v.to > 0))
    diagnostics.add(json.place(), path,
                    "found a range from " + json::number_text(v.from) + " to " + json::number_text(v.to) +
                        ", expected ends above 0 (\"scale\": \"log\")");
  else if (!std::isfinite(v.to - v.from))
    diagnostics.add(json.place(), path,
                    "found a range from " + json::number_text(v.from) + " to " + json::number_text(v.to) +
                        ", expected one whose length is a number");
  for (size_t k = 0; k < v.keys.size(); ++k) {
    if (v.keys[k].size() != v.paths.size())
      diagnostics.add(json["along"].item(k).place(), path + "/along/" + std::to_string(k),
                      "found " + std::to_string(v.keys[k].size()) +
                          " numbers, expected one for each of the " + std::to_string(v.paths.size()) +
                          " paths");
    for (size_t i = 0; k > 0 && i < std::min(v.keys[k - 1].size(), v.keys[k].size()); ++i)
      if (!std::isfinite(v.keys[k][i] - v.keys[k - 1][i]))
        diagnostics.add(json["along"].item(k).place(), path + "/along/" + std::to_string(k),
                        "found " + json::number_text(v.keys[k][i]) + " after " +
                            json::number_text(v.keys[k - 1][i]) +
                            ", expected steps whose length is a number");
  }
}

// One word of a line, taken off it. Commas, semicolons and blanks part words.
std::string_view take_word(std::string_view& line) {
  constexpr std::string_view blanks = " \t\r,;";
  const size_t begin = std::min(line.find_first_not_of(blanks), line.size());
  const size_t end = std::min(line.find_first_of(blanks, begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

// The rows of a file, in the order of the variables.
Result<Json> read_rows(const std::string& path, std::span<const std::string_view> names) {
  const Result<std::string> text = io::read_text(path, max_list_file);
  if (!text) return text.error();
  std::vector<size_t> column;  // variable of each column; empty: in order
  Json rows = Json::list();
  std::string_view rest = *text;
  for (int64_t number = 1; !rest.empty(); ++number) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::string where = path + ": line " + std::to_string(number);
    std::vector<std::string_view> words;
    for (std::string_view word = take_word(line); !word.empty() && words.size() <= names.size();
         word = take_word(line))
      words.push_back(word);
    if (words.empty() || words[0].starts_with('#')) continue;
    if (words.size() != names.size())
      return input_error(where, "found " + std::to_string(words.size()) +
                                    (words.size() > names.size() ? " or more" : "") + " columns, expected " +
                                    std::to_string(names.size()) + ", one for each variable");
    std::vector<double> values(words.size());
    size_t good = 0;
    for (size_t i = 0; i < words.size(); ++i) {
      const auto [at, code] = std::from_chars(words[i].data(), words[i].data() + words[i].size(), values[i]);
      good += code == std::errc() && at == words[i].data() + words[i].size() && std::isfinite(values[i]);
    }
    if (good < words.size() && rows.size() == 0 && column.empty()) {
      for (const std::string_view word : words) {
        const auto found = std::find(names.begin(), names.end(), word);
        if (found == names.end()) return input_error(where, json::unknown_word("variable", word, names));
        column.push_back(static_cast<size_t>(found - names.begin()));
        if (std::count(column.begin(), column.end(), column.back()) > 1)
          return input_error(where, "the variable " + json::quote(word) + " stands twice");
      }
      continue;
    }
    if (good < words.size()) return input_error(where, "found something that is no number");
    std::vector<double> ordered(values.size());
    for (size_t i = 0; i < values.size(); ++i) ordered[column.empty() ? i : column[i]] = values[i];
    rows.add(Json::numbers(ordered));
  }
  if (rows.size() == 0) return input_error(path, "found no rows, expected a line of numbers for each sample");
  return rows;
}

class StudyMaker {
 public:
  StudyMaker(Study& study, Diagnostics& diagnostics) : study_(study), problems_(diagnostics) {}

  void make() {
    const Json& json = study_.resolved;
    const Json& vary = json["vary"];
    if (vary.size() > max_axes)
      problems_.add(vary.place(), "/vary",
                    "found " + std::to_string(vary.size()) + " variables, expected at most " +
                        std::to_string(max_axes));
    for (size_t i = 0; i < vary.size(); ++i) {
      study_.vary.push_back(variable_of(vary.key(i), vary.item(i)));
      check_variable(study_.vary.back(), vary.item(i), "/vary/" + vary.key(i), problems_);
    }
    study_.scene = json["scene"].text();
    const std::string& design = json["design"].text();
    study_.kind = design == "halton"  ? DesignKind::halton
                  : design == "latin" ? DesignKind::latin
                  : design == "grid"  ? DesignKind::grid
                                      : DesignKind::list;
    study_.seed = static_cast<uint64_t>(json["seed"].number());
    for (const Json& name : json["keep"].items()) study_.keep.push_back(name.text());
    study_.surface = json["surface"].boolean();
    study_.single = json["dtype"].text() == "float32";
    study_.validation = json["validation"].number();
    study_.shard = static_cast<int64_t>(json["shard"].number());
    study_.tolerance = json["tolerance"].number();
    if (problems_.empty()) set_rows();
    if (problems_.empty()) set_samples();
    if (!problems_.empty()) return;
    std::vector<Axis> axes;
    for (const Variable& v : study_.vary) axes.push_back({v.steps, v.kind == Variable::Kind::choice});
    study_.design = std::make_shared<Design>(study_.kind, study_.seed, study_.samples, std::move(axes));
  }

 private:
  void set_rows() {
    const Json* list = study_.resolved.find("list");
    if ((list != nullptr) != (study_.kind == DesignKind::list)) {
      problems_.add(list ? list->place() : study_.resolved.place(), list ? "/list" : "",
                    list ? "found rows, expected them only with \"design\": \"list\""
                         : "the key \"list\" is missing: the rows of \"design\": \"list\"");
      return;
    }
    if (!list) return;
    if (list->is(Json::Kind::object)) {
      std::vector<std::string_view> names;
      for (const Variable& v : study_.vary) names.push_back(v.name);
      Result<Json> rows = read_rows((study_.folder / (*list)["file"].text()).string(), names);
      if (!rows) {
        problems_.add((*list)["file"].place(), "/list/file", rows.error().where + ": " + rows.error().what,
                      rows.error().kind);
        return;
      }
      rows->set_place_deep(list->place());
      study_.resolved.set("list", std::move(*rows));
      list = study_.resolved.find("list");
    }
    for (size_t r = 0; r < list->size(); ++r) {
      const Json& row = list->item(r);
      const std::string path = "/list/" + std::to_string(r);
      if (row.size() != study_.vary.size()) {
        problems_.add(row.place(), path,
                      "found " + std::to_string(row.size()) + " numbers, expected one for each of the " +
                          std::to_string(study_.vary.size()) + " variables");
        continue;
      }
      for (size_t k = 0; k < row.size(); ++k) {
        const Variable& v = study_.vary[k];
        if (!v.contains(row.item(k).number()))
          problems_.add(row.item(k).place(), path + "/" + std::to_string(k),
                        "found " + row.item(k).compact() + " for " + json::quote(v.name) + ", expected " +
                            range_text(v));
        study_.rows.push_back(row.item(k).number());
      }
    }
  }

  static std::string range_text(const Variable& v) {
    if (v.kind == Variable::Kind::choice)
      return "the number of a choice, 0 to " + std::to_string(v.choices.size() - 1);
    if (v.kind == Variable::Kind::path) return "a place between the first key, 0, and the last, 1";
    return "a number between " + json::number_text(v.from) + " and " + json::number_text(v.to);
  }

  void set_samples() {
    const Json* given = study_.resolved.find("samples");
    double own = 0;
    if (study_.kind == DesignKind::grid) {
      own = 1;
      for (const Variable& v : study_.vary) own *= static_cast<double>(v.steps);
    } else if (study_.kind == DesignKind::list) {
      own = static_cast<double>(study_.rows.size() / study_.vary.size());
    } else if (!given) {
      problems_.add(study_.resolved.place(), "", "the key \"samples\" is missing: how many samples to take");
      return;
    }
    if (own > 1e8) {
      problems_.add(study_.resolved["vary"].place(), "/vary",
                    "found a grid of " + json::number_text(own) + " samples, expected at most 1e8");
      return;
    }
    if (own > 0 && given && given->number() != own) {
      problems_.add(given->place(), "/samples",
                    "found " + given->compact() + ", expected " + json::number_text(own) +
                        ", what the design has, or no number");
      return;
    }
    if (!given) study_.resolved.set("samples", own);
    study_.samples = static_cast<int64_t>(given ? given->number() : own);
  }

  Study& study_;
  Diagnostics& problems_;
};

}  // namespace

std::vector<double> Study::parameters(int64_t index) const {
  std::vector<double> values(vary.size());
  if (kind == DesignKind::list) {
    std::copy_n(rows.begin() + index * static_cast<int64_t>(vary.size()), vary.size(), values.begin());
    return values;
  }
  design->point(index, values);
  for (size_t k = 0; k < vary.size(); ++k) values[k] = vary[k].parameter(values[k]);
  return values;
}

std::vector<double> Study::point(int64_t index) const {
  std::vector<double> u = parameters(index);
  for (size_t k = 0; k < vary.size(); ++k) u[k] = vary[k].coordinate(u[k]);
  return u;
}

bool Study::held_out(int64_t index) const {
  return math::Random(seed).stream(split_stream).uniform(static_cast<uint64_t>(index)) < validation;
}

std::optional<Study> study_of(const Json& json, const std::string& name, const std::filesystem::path& folder,
                              Diagnostics& diagnostics) {
  Study study;
  study.resolved = json::validate(json, study_type(), diagnostics);
  study.name = name;
  study.folder = folder;
  if (diagnostics.empty()) StudyMaker(study, diagnostics).make();
  if (!diagnostics.empty()) return std::nullopt;
  return study;
}

std::optional<Study> parse_study(std::string_view text, const std::string& name,
                                 const std::filesystem::path& folder, Diagnostics& diagnostics) {
  try {
    diagnostics.set_file(name);
    const Result<Json> json = json::parse_json(text, name);
    if (json) return study_of(*json, name, folder, diagnostics);
    diagnostics.add(json.error());
  } catch (const std::bad_alloc&) {
    diagnostics.add(out_of_memory(name));
  }
  return std::nullopt;
}

std::optional<Study> load_study(const std::filesystem::path& path, Diagnostics& diagnostics) {
  try {
    const Result<std::string> text =
        io::read_text(path.string(), static_cast<int64_t>(json::JsonLimits{}.bytes));
    if (text) return parse_study(*text, path.string(), path.parent_path(), diagnostics);
    diagnostics.add(text.error());
  } catch (const std::bad_alloc&) {
    diagnostics.add(out_of_memory(path.native()));
  }
  return std::nullopt;
}

}  // namespace sinew::batch
