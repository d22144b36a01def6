# One translation unit per header that defines `struct Material`, and the table of all laws.
file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/material/*.h)
if(SINEW_EXTRA)
  file(GLOB extra CONFIGURE_DEPENDS ${SINEW_EXTRA}/material/*.h)
  list(APPEND headers ${extra})
endif()
set(stems "")
foreach(header ${headers})
  file(STRINGS ${header} found REGEX "^struct Material ")
  if(found)
    get_filename_component(stem ${header} NAME_WE)
    list(APPEND stems ${stem})
    set(unit ${CMAKE_BINARY_DIR}/generated/material/${stem}.cpp)
    file(CONFIGURE OUTPUT ${unit} CONTENT "// Generated from ${stem}.h.
#include \"material/${stem}.h\"
#include \"material/kernels.h\"

namespace sinew::material {
const Law& law_${stem}() {
  static const Law law = make_law<${stem}::Material>(\"${stem}\");
  return law;
}
}  // namespace sinew::material
" @ONLY)
    list(APPEND SINEW_LAYER_SOURCES ${unit})
  endif()
endforeach()
list(SORT stems)
sinew_registry(table material "material/law.h" Law law_ laws ${stems})
list(APPEND SINEW_LAYER_SOURCES ${table})
