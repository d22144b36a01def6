#include "io/gmsh_groups.h"

#include <algorithm>
#include <fmt/format.h>

#include "io/gmsh.h"

namespace sinew::io {
namespace {

constexpr int64_t any_low = INT32_MIN, any_high = INT32_MAX;

}  // namespace

bool gmsh_unquoted(std::string_view line, std::string& out) {
  const size_t open = line.find('"'), close = line.rfind('"');
  if (open == std::string_view::npos || close <= open) return false;
  out.clear();
  for (size_t i = open + 1; i < close; ++i) {
    const bool escape = line[i] == '\\' && i + 1 < close && (line[i + 1] == '"' || line[i + 1] == '\\');
    out += line[i += escape];
  }
  return true;
}

bool GmshGroups::read_names() {
  int64_t count, dim, tag;
  if (!in_.count(count, 6, "number of physical names")) return false;
  for (int64_t i = 0; i < count; ++i) {
    if (!in_.integer(dim, 0, 3, "dimension") || !in_.integer(tag, any_low, any_high, "physical tag"))
      return false;
    const int64_t place = in_.place();
    if (!gmsh_unquoted(in_.rest_of_line(), names_[{static_cast<int>(dim), tag}]))
      return in_.fail_at(place, "expected the name of the physical group in double quotes");
  }
  return true;
}

bool GmshGroups::skip_wholes(const char* what) {
  int64_t count, ignored;
  if (!numbers_.count(count, 2, 4, what)) return false;
  for (int64_t k = 0; k < count; ++k)
    if (!numbers_.whole(ignored, any_low, any_high, what)) return false;
  return true;
}

bool GmshGroups::read_entities(bool partitioned) {
  int64_t count[4], ghosts, ignored;
  if (partitioned) {
    if (!numbers_.size(ignored, 0, any_high, "number of partitions") ||
        !numbers_.count(ghosts, 4, 8, "number of ghost entities"))
      return false;
    for (int64_t k = 0; k < 2 * ghosts; ++k)
      if (!numbers_.whole(ignored, any_low, any_high, "ghost entity")) return false;
  }
  for (int64_t& c : count)
    if (!numbers_.count(c, 8, 36, "number of entities")) return false;
  for (int d = 0; d < 4; ++d)
    for (int64_t i = 0; i < count[d]; ++i)
      if (!read_entity(d, partitioned)) return false;
  return true;
}

bool GmshGroups::read_entity(int d, bool partitioned) {
  int64_t tag, count, ignored;
  double number;
  if (!numbers_.whole(tag, any_low, any_high, "entity tag")) return false;
  if (partitioned && (!numbers_.whole(ignored, any_low, any_high, "parent dimension") ||
                      !numbers_.whole(ignored, any_low, any_high, "parent tag") || !skip_wholes("partition")))
    return false;
  for (int k = 0; k < (d ? 6 : 3); ++k)
    if (!numbers_.real(number)) return false;
  if (!numbers_.count(count, 2, 4, "number of physical tags")) return false;
  auto& physical = physical_[{d, tag}];
  for (int64_t k = 0; k < count; ++k) {
    if (!numbers_.whole(tag, any_low, any_high, "physical tag")) return false;
    physical.push_back(tag < 0 ? -tag : tag);  // the sign is an orientation
  }
  std::sort(physical.begin(), physical.end());
  physical.erase(std::unique(physical.begin(), physical.end()), physical.end());
  if (physical.size() > gmsh_max_groups)
    return in_.fail(fmt::format("an entity in {} physical groups, at most {} are read", physical.size(),
                                gmsh_max_groups));
  return d == 0 || skip_wholes("bounding entity");
}

std::vector<std::string> GmshGroups::of(const GmshEntity& entity) const {
  std::vector<std::string> list;
  const auto found = physical_.find(entity);
  if (found == physical_.end()) return list;
  for (int64_t tag : found->second) {
    const auto name = names_.find({entity.first, tag});
    if (name == names_.end())
      list.push_back(fmt::format("physical_{}", tag));
    else if (name->second != gmsh_no_group)
      list.push_back(name->second);
  }
  return list;
}

}  // namespace sinew::io
