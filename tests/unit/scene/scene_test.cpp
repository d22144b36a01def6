#include "scene/scene.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "exporting/exporter.h"
#include "material/law.h"
#include "sample_scene.h"
#include "scene/scene_type.h"
#include "unit/scratch_folder.h"

namespace sinew::scene {
namespace {

TEST(Scene, ExportsAreTheExportersOfTheBuild) {
  std::vector<std::string_view> keys, names;
  const json::Type* output = json::member_type(scene_type(), nullptr, "output", keys);
  ASSERT_NE(output, nullptr);
  const json::Type* list = json::member_type(*output, nullptr, "export", keys);
  ASSERT_NE(list, nullptr);
  for (const exporting::Exporter* exporter : exporting::exporters()) names.push_back(exporter->name);
  EXPECT_EQ(std::vector<std::string_view>(list->item->field.choices.begin(), list->item->field.choices.end()),
            names);
}

TEST(Scene, DefaultsAreFilledIn) {
  const Outcome outcome = try_scene(R"({"sinew": 1, "bodies": {"b": {"mesh": {"box": {"cells": [1, 1, 1]}},
      "material": {"model": "corotated", "young": 1, "poisson": 0}}}})");
  ASSERT_TRUE(outcome.built) << outcome.diagnostics.text();
  const Json& scene = outcome.scene->resolved;
  EXPECT_EQ(scene["gravity"].compact(), "[0,0,0]");
  EXPECT_EQ(scene["time"].compact(), R"({"fps":30,"frames":1})");
  EXPECT_EQ(scene["solve"]["method"].text(), "newton");
  EXPECT_EQ(scene["solve"]["tolerance"].number(), 1e-6);
  const Json& body = scene["bodies"]["b"];
  EXPECT_EQ(body["density"].number(), 1000);
  EXPECT_EQ(body["type"].text(), "solid");
  EXPECT_EQ(body["damping"].compact(), R"({"mass":0,"stiffness":0})");
  EXPECT_EQ(body["mesh"]["box"].compact(),
            R"({"size":[1,1,1],"cells":[1,1,1],"split":"five","origin":[0,0,0]})");
  EXPECT_FALSE(scene.has("title"));
  for (const step::Method* method : step::methods()) EXPECT_TRUE(scene["solve"].has(method->name));
}

TEST(Scene, ResolvingAResolvedSceneIsTheIdentity) {
  const Outcome outcome = try_scene(valid_scene);
  ASSERT_TRUE(outcome.scene);
  for (const std::string& text : {outcome.scene->resolved.compact(), outcome.scene->resolved.pretty()}) {
    const Outcome again = try_scene(text);
    ASSERT_TRUE(again.scene) << again.diagnostics.text();
    EXPECT_TRUE(again.scene->resolved == outcome.scene->resolved);
    EXPECT_EQ(*scene_hash(*again.scene), *scene_hash(*outcome.scene));
  }
}

TEST(Scene, OverridesByEitherSpelling) {
  const Outcome outcome = try_scene(
      valid_scene, {"bodies.block.density=10", "/time/frames=7", "attach.0.motion.1.translate=[1,2,3]",
                    "solve.mode=dynamic", "bodies.block.material.young=2e6", "title=a=b", "solve.newton={}"});
  ASSERT_TRUE(outcome.scene) << outcome.diagnostics.text();
  const Json& scene = outcome.scene->resolved;
  EXPECT_EQ(scene["bodies"]["block"]["density"].number(), 10);
  EXPECT_EQ(scene["time"]["frames"].number(), 7);
  EXPECT_EQ(scene["attach"].item(0)["motion"].item(1)["translate"].compact(), "[1,2,3]");
  EXPECT_EQ(scene["solve"]["mode"].text(), "dynamic");
  EXPECT_EQ(scene["bodies"]["block"]["material"]["young"].number(), 2e6);
  EXPECT_EQ(scene["title"].text(), "a=b");
}

TEST(Scene, WrongOverridesAreRefused) {
  const std::pair<const char*, const char*> cases[] = {
      {"bodies.block.densty=1", "unknown key \"densty\"; did you mean \"density\"?"},
      {"bodies.blok.density=1", "unknown name \"blok\"; did you mean \"block\"?"},
      {"tim.fps=1", "did you mean \"time\"?"},
      {"attach.3.what=block.left", "the list has 1 items"},
      {"gravity.x=1", "the list has 3 items"},
      {"time.fps.x=1", "found a number, which has no \"x\""},
      {"time.fps", "expected path=value"},
      {"time.fps=-1", "found -1, expected a number greater than 0"},
      {"bodies.block.material.poisson=0.5", "bulk modulus is infinite"},
  };
  for (const auto& [text, fragment] : cases) {
    const Outcome outcome = try_scene(valid_scene, {text});
    EXPECT_FALSE(outcome.scene) << text;
    const std::string diagnostics = outcome.diagnostics.text();
    EXPECT_NE(diagnostics.find(fragment), std::string::npos) << diagnostics;
    EXPECT_NE(diagnostics.find(std::string("--set ") + text), std::string::npos) << diagnostics;
  }
}

TEST(Scene, HashFollowsTheSceneAndItsFiles) {
  const auto hash = [](const std::string& text, const std::string& folder = ".") {
    Diagnostics diagnostics;
    return *scene_hash(*parse_scene(text, "s", folder, {}, diagnostics));
  };
  EXPECT_EQ(hash(valid_scene), hash(changed("\"sinew\": 1,", "\"sinew\": 1, // same\n")));
  EXPECT_NE(hash(valid_scene), hash(changed("1000", "1001")));

  const ScratchFolder scratch;
  const std::filesystem::path& folder = scratch.path();
  const std::string moving =
      changed(R"([{"time": 0}, {"time": 1, "translate": [0.1, 0, 0]}])", R"({"file": "p.csv"})");
  std::ofstream(folder / "p.csv") << "0 0 0 0 1 0 0 0\n";
  const std::string before = hash(moving, folder.string());
  std::ofstream(folder / "p.csv") << "0 1 0 0 1 0 0 0\n";
  EXPECT_NE(before, hash(moving, folder.string()));
}

// Every key of the type tree is in the text of the schema and of the reference page.
void collect_keys(const json::Type& type, std::vector<const json::Type*>& seen,
                  std::vector<std::string>& keys) {
  if (std::find(seen.begin(), seen.end(), &type) != seen.end()) return;
  seen.push_back(&type);
  const auto take = [&](const std::vector<json::Key>& list) {
    for (const json::Key& key : list) {
      keys.push_back(key.name);
      collect_keys(*key.type, seen, keys);
    }
  };
  take(type.keys);
  if (type.item) collect_keys(*type.item, seen, keys);
  for (const json::Variant& variant : type.variants) {
    if (!variant.word.empty()) keys.push_back(variant.word);
    if (variant.type) collect_keys(*variant.type, seen, keys);
    take(variant.keys);
  }
}

TEST(Schema, CoversEveryKeyAndIsJson) {
  const std::string schema = json::json_schema(scene_type(), "Sinew scene").pretty();
  ASSERT_TRUE(json::parse_json(schema, "schema"));
  const std::string page = json::reference_page(scene_type(), "The scene file", "sinew schema --markdown");
  std::vector<const json::Type*> seen;
  std::vector<std::string> keys;
  collect_keys(scene_type(), seen, keys);
  EXPECT_GT(keys.size(), 100u);
  for (const std::string& key : keys) {
    EXPECT_NE(schema.find(json::quote(key)), std::string::npos) << key;
    EXPECT_NE(page.find(key), std::string::npos) << key;
  }
  for (const material::Law* law : material::laws()) {
    EXPECT_NE(page.find(law->formula), std::string::npos) << law->name;
    EXPECT_NE(page.find(law->source), std::string::npos) << law->name;
  }
}

// The few keywords that the schema uses, read independently of the type tree.
bool accepts(const Json& schema, const Json& root, const Json& value) {
  if (const Json* ref = schema.find("$ref"))
    if (!accepts(root["$defs"][ref->text().substr(8)], root, value)) return false;
  for (const char* word : {"oneOf", "anyOf"})
    if (const Json* list = schema.find(word)) {
      int matches = 0;
      for (const Json& option : list->items()) matches += accepts(option, root, value);
      if (matches == 0 || (word == std::string_view("oneOf") && matches > 1)) return false;
    }
  if (const Json* constant = schema.find("const"); constant && !(*constant == value)) return false;
  if (const Json* words = schema.find("enum"))
    if (std::none_of(words->items().begin(), words->items().end(), [&](const Json& w) { return w == value; }))
      return false;
  const std::string type = schema["type"].text();
  using Kind = Json::Kind;
  if (type == "number" || type == "integer") {
    if (!value.is(Kind::number)) return false;
    const double v = value.number();
    if (type == "integer" && v != std::floor(v)) return false;
    if (schema.has("minimum") && v < schema["minimum"].number()) return false;
    if (schema.has("maximum") && v > schema["maximum"].number()) return false;
    if (schema.has("exclusiveMinimum") && v <= schema["exclusiveMinimum"].number()) return false;
    if (schema.has("exclusiveMaximum") && v >= schema["exclusiveMaximum"].number()) return false;
  }
  if (type == "string" && !value.is(Kind::text)) return false;
  if (type == "boolean" && !value.is(Kind::boolean)) return false;
  if (type == "array") {
    if (!value.is(Kind::list)) return false;
    if (schema.has("minItems") && value.size() < schema["minItems"].number()) return false;
    if (schema.has("maxItems") && value.size() > schema["maxItems"].number()) return false;
    for (const Json& item : value.items())
      if (!accepts(schema["items"], root, item)) return false;
  }
  if (type == "object") {
    if (!value.is(Kind::object)) return false;
    for (const Json& key : schema["required"].items())
      if (!value.has(key.text())) return false;
    for (size_t i = 0; i < value.size(); ++i) {
      const Json* property = schema["properties"].find(value.key(i));
      if (!property) property = schema.find("additionalProperties");
      if (property &&
          (property->is(Kind::object) ? !accepts(*property, root, value.item(i)) : !property->boolean()))
        return false;
    }
  }
  return true;
}

TEST(Schema, AcceptsAndRefusesWhatTheValidatorDoes) {
  const Json schema = json::json_schema(scene_type(), "Sinew scene");
  const auto judge = [&](const std::string& text) {
    const auto json = json::parse_json(text, "s");
    Diagnostics diagnostics("s");
    const Json resolved = validate(*json, scene_type(), diagnostics);
    const bool accepted = accepts(schema, schema, *json);
    EXPECT_EQ(accepted, diagnostics.empty()) << text << diagnostics.text();
    if (diagnostics.empty()) {
      EXPECT_TRUE(accepts(schema, schema, resolved)) << text;
    }
    return accepted;
  };
  EXPECT_TRUE(judge(valid_scene));
  EXPECT_FALSE(judge(changed("0.3", "0.5")));
  EXPECT_FALSE(judge(changed("1e5", "\"soft\"")));
  EXPECT_FALSE(judge(changed("\"density\"", "\"densty\"")));
  EXPECT_FALSE(judge(changed("[2, 2, 2]", "[2, 2]")));
  EXPECT_FALSE(judge(changed("stable_neo_hookean", "rubber")));
  EXPECT_FALSE(judge(changed("\"sinew\": 1", "\"sinew\": 3")));
  EXPECT_TRUE(judge(changed("1e5", R"({"field": "E"})")));
  EXPECT_TRUE(
      judge(changed("\"value\": 100}",
                    "\"value\": 1}, {\"type\": \"force\", \"what\": \"block.all\", \"value\": [0,0,1]}")));
  EXPECT_FALSE(judge(changed("\"value\": 100}",
                             "\"value\": 1}, {\"type\": \"force\", \"what\": \"block.all\", \"value\": 1}")));
  EXPECT_TRUE(
      judge(changed("{\"box\": [[-1, -1, -1], [0.001, 2, 2]]}",
                    R"({"union": [{"not": {"surface": true}}, {"intersection": [{"all": true}]}]})")));
}

}  // namespace
}  // namespace sinew::scene
