#pragma once
// How things are shown, in one vocabulary for the command line, the address of the page and requests for pictures:
//
//     field von_mises   component xy   range run | frame | A:B   style surface | edges | wire | points   theme light | dark
//     camera azimuth,elevation,zoom[,x,y,z]   clip a,b,c,d   hide NAMES   marks contacts,constraints   frame N
//     size WxH   up y | z
//
//     Settings settings;
//     if (auto ok = settings.set("camera", "30,20,1"); !ok) ...
//     settings.query()  ->  "&camera=30,20,1"
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "json/json.h"
#include "view/request.h"

namespace sinew::view {

struct SettingSpec {
  std::string_view name;
  std::string_view form;  // "A:B"
  std::string_view doc;
  Result<void> (*check)(std::string_view text);
};
std::span<const SettingSpec> setting_specs();

class Settings {
 public:
  // Refuses unknown names and values that are not of their form.
  Result<void> set(std::string_view name, std::string_view text);
  // Empty: not set.
  std::string_view get(std::string_view name) const;

  std::string query() const;  // "&name=value" of each that is set
  json::Json json() const;    // {"name": "value"}

  std::optional<int64_t> frame() const;
  std::pair<int, int> size() const;  // [pixels]; 1280 x 800 where it is not set

 private:
  std::vector<std::pair<std::string, std::string>> values_;  // in the order of setting_specs()
};

// Numbers with commas between; nothing where a part is no finite number.
std::optional<std::vector<double>> parse_numbers(std::string_view text, char between = ',');
// Encodes text as the value of a query.
std::string percent_encoded(std::string_view text);

}  // namespace sinew::view
