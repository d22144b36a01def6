#pragma once
// Exporters that write a file of text or bytes for every mesh and frame, FOLDER/BODY_00001.ENDING.
//
//     return begin_sequence(plan, {"obj", obj_of});
#include <memory>
#include <string>

#include "exporting/exporter.h"

namespace sinew::exporting {

struct SequenceFormat {
  std::string name;  // of the folder and of the ending
  std::string (*format)(const FrameMesh&);
};

Result<std::unique_ptr<Export>> begin_sequence(const ExportPlan& plan, const SequenceFormat& format);

}  // namespace sinew::exporting
