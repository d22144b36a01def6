#pragma once
// Exporters of point caches: one file for each mesh with the positions of all frames in single precision, and beside it
// the mesh at rest as .obj, with vertices in the same order: FOLDER/BODY.ENDING and FOLDER/BODY.obj.
//
//     return begin_point_cache(plan, {"pc2", false, header});
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>

#include "exporting/exporter.h"

namespace sinew::exporting {

struct PointCacheFormat {
  std::string name;  // of the folder and of the ending
  bool big_endian = false;
  std::string (*header)(const ExportPlan& plan, int32_t points);
};

Result<std::unique_ptr<Export>> begin_point_cache(const ExportPlan& plan, const PointCacheFormat& format);

// The bytes of a number, lowest first or highest first.
template <class T>
void put_number(std::string& out, T value, bool big_endian) {
  const size_t begin = out.size();
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
  if (big_endian) std::reverse(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
}

}  // namespace sinew::exporting
