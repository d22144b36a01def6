# cmake -DBUILD=... -DSOURCE=... -DCXX=... -P check.cmake: installs the build to a scratch folder, builds examples/cpp
# against it, and compares what that program and the installed tool make of a scene. SOURCE is the source tree.
set(prefix ${BUILD}/tests/install/prefix)
set(work ${BUILD}/tests/install/work)
file(REMOVE_RECURSE ${prefix} ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "exit ${code}: ${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(build project)
  run(${CMAKE_COMMAND} -S ${SOURCE}/${project} -B ${work}/${project} -G Ninja -DCMAKE_BUILD_TYPE=Debug
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${prefix})
  run(${CMAKE_COMMAND} --build ${work}/${project})
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
build(tests/install)
build(examples/cpp)

set(scene ${SOURCE}/examples/01_heavy_block/scene.json)
run(${work}/examples/cpp/hello ${scene} time.fps=2)
if(NOT output MATCHES "frame 1, .*\nstate_hash ([0-9a-f]+)\n$")
  message(FATAL_ERROR "hello printed:\n${output}")
endif()
set(hash ${CMAKE_MATCH_1})
if(EXISTS ${prefix}/bin/sinew)
  run(${prefix}/bin/sinew run ${scene} --set time.fps=2 -o ${work}/run --quiet)
  file(READ ${work}/run/run.json summary)
  string(JSON expected GET "${summary}" state_hash)
  if(NOT hash STREQUAL expected)
    message(FATAL_ERROR "hello ends with ${hash}, the tool with ${expected}")
  endif()
endif()
