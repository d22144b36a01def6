# Sampled values and the order of warm starts are the same on every machine: no fused operations behind our back.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/batch/variable.cpp ${PROJECT_SOURCE_DIR}/src/batch/tree.cpp
  PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
