#pragma once
// The physical groups of a .msh file: their names, and which entities of the geometry are in them. Elements name
// an entity. In version 2 elements name a physical group, which then stands for an entity in itself alone.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/gmsh_numbers.h"
#include "io/scanner.h"

namespace sinew::io {

using GmshEntity = std::pair<int, int64_t>;  // dimension, tag

class GmshGroups {
 public:
  GmshGroups(Scanner& in, GmshNumbers& numbers) : in_(in), numbers_(numbers) {}

  bool read_names();                     // $PhysicalNames
  bool read_entities(bool partitioned);  // $Entities, $PartitionedEntities
  void add(const GmshEntity& physical) { physical_.try_emplace(physical, 1, physical.second); }
  std::vector<std::string> of(const GmshEntity& entity) const;  // names of its groups

 private:
  bool read_entity(int d, bool partitioned);
  bool skip_wholes(const char* what);

  Scanner& in_;
  GmshNumbers& numbers_;
  std::map<GmshEntity, std::string> names_;
  std::map<GmshEntity, std::vector<int64_t>> physical_;
};

// The text between the first and the last double quote of a line; \" and \\ are one character. False: none.
bool gmsh_unquoted(std::string_view line, std::string& out);

}  // namespace sinew::io
