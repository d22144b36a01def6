# The layers of src/, the library made of them, generated registries and the installed package.
#
# A folder src/LAYER becomes the object library sinew_LAYER from its *.cpp and those of SINEW_EXTRA/LAYER.
# If src/LAYER/layer.cmake exists it is included and may add to SINEW_LAYER_SOURCES, for example
#
#     sinew_register(measure measure/quantity.h Quantity quantity_ quantities)
#
# so that adding a file is all it takes. Only the globs know the files: no list, no static initialiser.

# The table of layers: SINEW_LAYERS in order, and SINEW_UNDER_LAYER = what it may include.
file(STRINGS ${PROJECT_SOURCE_DIR}/tools/layers.txt rows REGEX "^[a-z]+:")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/layers.txt)
set(SINEW_LAYERS "")
foreach(row ${rows})
  string(REGEX MATCH "^[a-z]+" layer "${row}")
  string(REGEX REPLACE "^[a-z]+: *" "" under "${row}")
  string(REPLACE " " ";" SINEW_UNDER_${layer} "${under}")
  list(APPEND SINEW_LAYERS ${layer})
endforeach()
list(REMOVE_ITEM SINEW_LAYERS apps)

# How the sources of a layer are compiled follows from what it may include. A precompiled header holds the standard library
# and the headers that nearly every source of its layers wants:
#
#     standard   layers below energy; of these, json and io read and write
#     energy     those that see or are energy: solvers, and the scene, which computes positions
#     scene      those that see the scene, which read, write, draw and judge
#
# The time of what reads and writes goes into files and text: it is built at -O1.
set(SINEW_PRECOMPILED_standard <algorithm> <array> <charconv> <cmath> <cstdint> <cstring> <fmt/format.h> <functional> <limits> <map>
  <memory> <numeric> <optional> <span> <string> <string_view> <vector>)
set(SINEW_PRECOMPILED_energy ${SINEW_PRECOMPILED_standard} <base/parallel.h> <energy/term.h> <model/model.h>)
set(SINEW_PRECOMPILED_scene ${SINEW_PRECOMPILED_standard} <chrono> <filesystem> <fstream> <numbers> <set>
  <thread> <scene/scene.h> <json/words.h>)
set(SINEW_FAST_TO_COMPILE $<$<CONFIG:Release>:-O1>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND SINEW_FAST_TO_COMPILE $<$<CONFIG:Release>:-fexpensive-optimizations>)
endif()

# Which of them a layer has.
function(sinew_precompiled_kind out layer)
  set(kind standard)
  if(layer STREQUAL energy OR energy IN_LIST SINEW_UNDER_${layer})
    set(kind energy)
  endif()
  if(scene IN_LIST SINEW_UNDER_${layer})
    set(kind scene)
  endif()
  set(${out} ${kind} PARENT_SCOPE)
endfunction()

# sinew_compile(TARGET LAYER): the options and the precompiled header of an object library.
function(sinew_compile target layer)
  sinew_precompiled_kind(kind ${layer})
  if(kind STREQUAL scene OR layer MATCHES "^(json|io)$")
    target_compile_options(${target} PRIVATE ${SINEW_FAST_TO_COMPILE})
  endif()
  if(NOT TARGET sinew_precompiled_${kind})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/precompiled.cpp CONTENT "")
    add_library(sinew_precompiled_${kind} OBJECT ${PROJECT_BINARY_DIR}/generated/precompiled.cpp)
    target_link_libraries(sinew_precompiled_${kind} PRIVATE sinew_dependencies)
    target_precompile_headers(sinew_precompiled_${kind} PRIVATE ${SINEW_PRECOMPILED_${kind}})
    get_target_property(options ${target} COMPILE_OPTIONS)
    if(options)
      target_compile_options(sinew_precompiled_${kind} PRIVATE ${options})
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM sinew_precompiled_${kind})
  # A source with options of its own cannot share what others precompiled.
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(options)
      set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()

# The object libraries of a layer and all below it: what a test of that layer links.
function(sinew_layer_targets out layer)
  set(wanted ${layer} ${SINEW_UNDER_${layer}})
  set(targets "")
  list(REVERSE SINEW_LAYERS)
  foreach(candidate ${SINEW_LAYERS})
    if(candidate IN_LIST wanted)
      list(APPEND wanted ${SINEW_UNDER_${candidate}})
      if(TARGET sinew_${candidate})
        list(APPEND targets sinew_${candidate})
      endif()
    endif()
  endforeach()
  set(${out} ${targets} PARENT_SCOPE)
endfunction()

# The files of src/LAYER and SINEW_EXTRA/LAYER that match the pattern. Two with one stem are refused.
function(sinew_files out layer pattern)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/${pattern})
  if(SINEW_EXTRA)
    file(GLOB extra CONFIGURE_DEPENDS ${SINEW_EXTRA}/${layer}/${pattern})
    list(APPEND files ${extra})
  endif()
  set(stems "")
  foreach(file ${files})
    cmake_path(GET file STEM stem)
    if(stem IN_LIST stems)
      message(FATAL_ERROR "${file}: src/${layer} already has a '${stem}'; rename this file")
    endif()
    list(APPEND stems ${stem})
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# A source that defines `std::span<const TYPE* const> sinew::LAYER::TABLE()`, listing `PREFIXstem()` of every
# file by name; each of these returns a `const TYPE&`. HEADER declares TYPE and the table.
function(sinew_registry out layer header type prefix table)
  set(stems "")
  foreach(file ${ARGN})
    cmake_path(GET file STEM stem)
    list(APPEND stems ${stem})
  endforeach()
  list(SORT stems)
  set(declarations "")
  set(entries "")
  foreach(stem ${stems})
    string(APPEND declarations "const ${type}& ${prefix}${stem}();\n")
    string(APPEND entries "      &${prefix}${stem}(),\n")
  endforeach()
  set(path ${PROJECT_BINARY_DIR}/generated/${layer}/${table}.cpp)
  file(CONFIGURE OUTPUT ${path} CONTENT "// Generated from the files of src/${layer}.
#include <span>

#include \"${header}\"

namespace sinew::${layer} {
${declarations}
std::span<const ${type}* const> ${table}() {
  static const ${type}* const list[] = {
${entries}  };
  return list;
}
}  // namespace sinew::${layer}
" @ONLY)
  set(${out} ${path} PARENT_SCOPE)
endfunction()

# For a layer.cmake: registers every source of the layer that defines `const TYPE& PREFIXstem()`.
macro(sinew_register layer header type prefix table)
  set(SINEW_REGISTERED "")
  foreach(source ${SINEW_LAYER_SOURCES})
    file(STRINGS ${source} found REGEX "^const ${type}& ${prefix}")
    if(found)
      list(APPEND SINEW_REGISTERED ${source})
    endif()
  endforeach()
  sinew_registry(SINEW_TABLE ${layer} ${header} ${type} ${prefix} ${table} ${SINEW_REGISTERED})
  list(APPEND SINEW_LAYER_SOURCES ${SINEW_TABLE})
endmacro()

# What every layer compiles against.
function(sinew_layers)
  add_library(sinew_dependencies INTERFACE)
  target_include_directories(sinew_dependencies INTERFACE
    ${PROJECT_SOURCE_DIR}/src $<$<BOOL:${SINEW_EXTRA}>:${SINEW_EXTRA}>)
  target_link_libraries(sinew_dependencies INTERFACE
    Threads::Threads Eigen3::Eigen nlohmann_json::nlohmann_json fmt::fmt ZLIB::ZLIB)
  foreach(layer ${SINEW_LAYERS})
    sinew_files(SINEW_LAYER_SOURCES ${layer} *.cpp)
    if(EXISTS ${PROJECT_SOURCE_DIR}/src/${layer}/layer.cmake)
      include(${PROJECT_SOURCE_DIR}/src/${layer}/layer.cmake)
    endif()
    if(SINEW_LAYER_SOURCES)
      add_library(sinew_${layer} OBJECT ${SINEW_LAYER_SOURCES})
      target_link_libraries(sinew_${layer} PUBLIC sinew_dependencies)
      sinew_compile(sinew_${layer} ${layer})
      # Sources of these layers are alike and small: four compile as one, in half the time.
      if(layer MATCHES "^(json|step|exporting|scene|run|report|compare|batch)$")
        set_target_properties(sinew_${layer} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
      endif()
    endif()
  endforeach()
  if(TARGET sinew_solve)
    target_include_directories(sinew_solve SYSTEM PRIVATE ${SINEW_SOLVE_INCLUDES})
    target_compile_definitions(sinew_solve PUBLIC ${SINEW_SOLVE_DEFINITIONS})
    target_link_libraries(sinew_solve PUBLIC ${SINEW_SOLVE_LIBRARIES})
  endif()
endfunction()

# sinew::sinew, the static library of all layers. Eigen and nlohmann-json stay out of installed headers, so
# a program that links it needs neither.
function(sinew_library)
  add_library(sinew STATIC)
  add_library(sinew::sinew ALIAS sinew)
  sinew_layer_targets(layers apps)
  list(REVERSE layers)
  foreach(layer ${layers})
    target_sources(sinew PRIVATE $<TARGET_OBJECTS:${layer}>)
  endforeach()
  target_include_directories(sinew PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<INSTALL_INTERFACE:include> $<INSTALL_INTERFACE:include/sinew>)
  target_compile_features(sinew PUBLIC cxx_std_20)
  target_compile_options(sinew INTERFACE $<INSTALL_INTERFACE:${SINEW_ARCH}>)
  target_link_libraries(sinew PUBLIC Threads::Threads
    PRIVATE fmt::fmt ZLIB::ZLIB ${SINEW_SOLVE_LIBRARIES})
endfunction()

# find_package(sinew) for others: the public headers under include/sinew, the library, the tool.
function(sinew_install)
  include(CMakePackageConfigHelpers)
  include(GNUInstallDirs)
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
  # Looked up while installing, since an include may come or go without CMake being run again.
  install(CODE "
    include(\"${PROJECT_SOURCE_DIR}/cmake/PublicHeaders.cmake\")
    sinew_included_headers(headers \"${PROJECT_SOURCE_DIR}/src\" sinew.h)
    foreach(header \${headers})
      cmake_path(GET header PARENT_PATH layer)
      file(INSTALL \"${PROJECT_SOURCE_DIR}/src/\${header}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/include/sinew/\${layer}\")
    endforeach()")
  install(TARGETS sinew EXPORT sinewTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT sinewTargets NAMESPACE sinew:: DESTINATION ${package})
  configure_package_config_file(cmake/sinewConfig.cmake.in ${PROJECT_BINARY_DIR}/sinewConfig.cmake
    INSTALL_DESTINATION ${package})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/sinewConfig.cmake ${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake
    DESTINATION ${package})
  if(TARGET sinew_cli)
    install(TARGETS sinew_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endfunction()
