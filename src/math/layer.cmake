# Exact arithmetic needs every product rounded on its own.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/math/predicates.cpp PROPERTIES COMPILE_OPTIONS
  -ffp-contract=off)
