// The files of a finished data set: what all samples share, the manifest and the description.
#include <fmt/format.h>

#include "base/hash.h"
#include "base/machine.h"
#include "base/memory.h"
#include "batch/data_folder.h"
#include "io/file.h"
#include "io/npz.h"
#include "model/size.h"

namespace sinew::batch {

using json::Json;

namespace {

std::string hash_of(std::string_view text) {
  Hash hash;
  hash.add(text);
  return hash.text();
}

Json entry(const std::string& file, std::string_view content) {
  Json json = Json::object();
  json.set("file", file);
  json.set("hash", hash_of(content));
  return json;
}

Json shape_of(const std::vector<int64_t>& shape) {
  Json list = Json::list();
  for (int64_t size : shape) list.add(size);
  return list;
}

Json texts(const std::vector<std::string>& list) {
  Json json = Json::list();
  for (const std::string& text : list) json.add(text);
  return json;
}

Json variables_of(const Study& study) {
  Json list = Json::list();
  for (const Variable& v : study.vary) {
    Json json = Json::object();
    json.set("name", v.name);
    json.set("paths", texts(v.paths));
    if (v.kind == Variable::Kind::range) {
      json.set("kind", "range");
      json.set("from", v.from);
      json.set("to", v.to);
      json.set("scale", v.log ? "log" : "linear");
      json.set("parameter", "the value");
    } else if (v.kind == Variable::Kind::choice) {
      Json choices = Json::list();
      for (const Json& choice : v.choices) choices.add(choice);
      json.set("kind", "choice");
      json.set("choices", std::move(choices));
      json.set("parameter", "number of the choice, from 0");
    } else {
      Json keys = Json::list();
      for (const std::vector<double>& key : v.keys) keys.add(Json::numbers(key));
      json.set("kind", "path");
      json.set("keys", std::move(keys));
      json.set("parameter", "place between the first key, 0, and the last, 1");
    }
    list.add(std::move(json));
  }
  return list;
}

Json fields_of(const Study& study, const Outputs& outputs) {
  Json list = Json::list();
  for (const OutputField& field : outputs.fields()) {
    Json json = Json::object();
    json.set("name", field.name);
    json.set("shape", shape_of(field.shape()));
    json.set("dtype", study.single ? "float32" : "float64");
    json.set("unit", field.reading.quantity->unit);
    json.set("on", field.on);
    json.set("doc", field.reading.quantity->doc);
    list.add(std::move(json));
  }
  return list;
}

// X (N,3) of each body and, where it has them, tets (T,4), with ids among its nodes, and its surface: nodes, triangles,
// the elements behind them.
io::Npz rest_arrays(const model::Model& model) {
  io::Npz arrays;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const model::Body& body = model.bodies[b];
    const auto X = std::span(model.X).subspan(body.nodes.begin, body.visible().size());
    arrays[body.name + ".X"] =
        io::npy_array<double>({X.data()->v, 3 * X.size()}, {static_cast<int64_t>(X.size()), 3});
    std::vector<int32_t> elements;
    for (int32_t e = body.elements.begin; e < body.elements.end; ++e)
      for (int32_t node : model.elements[e]) elements.push_back(node - body.nodes.begin);
    if (body.kind->is_tet())
      arrays[body.name + ".tets"] =
          io::npy_array<int32_t>(elements, {body.elements.size(), body.kind->nodes});
    const BodySurface surface = surface_of(model, static_cast<int>(b));
    std::vector<int32_t> corners;
    for (const auto& triangle : surface.triangles)
      corners.insert(corners.end(), triangle.begin(), triangle.end());
    const auto count = static_cast<int64_t>(surface.triangles.size());
    arrays[body.name + ".triangles"] = io::npy_array<int32_t>(corners, {count, 3});
    arrays[body.name + ".triangle_tets"] = io::npy_array<int32_t>(surface.elements, {count});
    arrays[body.name + ".surface_nodes"] =
        io::npy_array<int32_t>(surface.nodes, {static_cast<int64_t>(surface.nodes.size())});
  }
  return arrays;
}

Json bodies_of(const model::Model& model) {
  Json list = Json::list();
  for (const model::Body& body : model.bodies) {
    Json json = Json::object();
    json.set("name", body.name);
    const model::Size size = model::size_of(body);
    json.set("nodes", size.nodes);
    json.set("tets", size.tets);
    json.set("triangles", size.triangles);
    list.add(std::move(json));
  }
  return list;
}

// The lines of samples that were not solved.
std::string failed_lines(std::string_view lines) {
  std::string failed;
  for (size_t begin = 0; begin < lines.size();) {
    const size_t end = std::min(lines.find('\n', begin), lines.size() - 1) + 1;
    const std::string_view line = lines.substr(begin, end - begin);
    if (line.find("\"status\":\"failed\"") != std::string_view::npos) failed += line;
    begin = end;
  }
  return failed;
}

}  // namespace

Result<void> DataFolder::collect() const {
  const auto file = [&](const char* name) { return (folder_ / name).string(); };
  return unless_out_of_memory(file("dataset.json"), [&]() -> Result<void> {
    std::string manifest, failed;
    Json shards = Json::list();
    int64_t solved = 0;
    for (int64_t s = 0; s < study().shards(); ++s) {
      const Result<ShardSummary> summary = read_summary(shards_path(), s);
      if (!summary) return summary.error();
      Json shard = Json::object();
      shard.set("file", "shards/" + shard_file(s, "npz"));
      shard.set("first", study().first_of(s));
      shard.set("samples", summary->samples);
      shard.set("solved", summary->solved);
      shard.set("hash", summary->npz);
      shards.add(std::move(shard));
      solved += summary->solved;
      manifest += summary->lines;
      failed += failed_lines(summary->lines);
    }
    const Result<std::string> rest = io::format_npz(rest_arrays(scenes().first().model), false);
    if (!rest) return rest.error();
    Json split = Json::object(), json = Json::object();
    split.set("validation", study().validation);
    split.set("rule", "by seed and index, in manifest.jsonl");
    json.set("sinew_dataset", 1);
    if (const Json* title = study().resolved.find("title")) json.set("title", *title);
    json.set("samples", study().samples);
    json.set("solved", solved);
    json.set("design", study().resolved["design"]);
    json.set("seed", study().seed);
    json.set("tolerance", study().tolerance);
    json.set("variables", variables_of(study()));
    json.set("fields", fields_of(study(), scenes().outputs()));
    json.set("bodies", bodies_of(scenes().first().model));
    json.set("rest", entry("rest.npz", *rest));
    json.set("split", std::move(split));
    json.set("shards", std::move(shards));
    json.set("manifest", entry("manifest.jsonl", manifest));
    json.set("failed", entry("failed.jsonl", failed));
    json.set("study", entry("study.json", identity_.pretty()));
    json.set("version", build_info().version);
    json.set("binary", identity_["binary"]);
    if (auto ok = io::write_atomically(file("rest.npz"), *rest); !ok) return ok;
    if (auto ok = io::write_atomically(file("manifest.jsonl"), manifest); !ok) return ok;
    if (auto ok = io::write_atomically(file("failed.jsonl"), failed); !ok) return ok;
    return io::write_atomically(file("dataset.json"), json.pretty());
  });
}

}  // namespace sinew::batch
