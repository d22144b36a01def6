# Flags for everything in the tree, the compiler cache and the linker.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Results must not depend on the optimiser reordering sums: -O3, but never -ffast-math. Nobody reads errno
# or floating-point traps, and without them square roots and selects become vector instructions.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG" CACHE STRING "")
add_compile_options(-Wall -Wextra -Wno-unknown-pragmas -Wno-psabi -fno-math-errno -fno-trapping-math)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 takes the strings that "literal" + std::string makes for longer than memory.
  add_compile_options(-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  # The compiler itself: its heap is collected from 400 MB on, not from 130. A tenth of the time of templates.
  add_compile_options("SHELL:--param ggc-min-heapsize=400000")
endif()
if(SINEW_WERROR)
  add_compile_options(-Werror)
endif()

# The instruction set is part of the interface: Pack is passed in vector registers.
if(SINEW_PORTABLE)
  set(SINEW_ARCH -march=x86-64-v3)
  add_compile_options(-ffp-contract=off)
  add_compile_definitions(SINEW_PORTABLE)
else()
  set(SINEW_ARCH -march=native)
endif()
add_compile_options(${SINEW_ARCH})

if(SINEW_FUZZ)
  set(SINEW_SANITIZE address,undefined)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(SINEW_SANITIZE)
  add_compile_options(-fsanitize=${SINEW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SINEW_SANITIZE})
endif()

find_program(SINEW_CCACHE ccache)
if(SINEW_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without this leave ccache passes over whatever uses a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${SINEW_CCACHE})
endif()

include(CheckLinkerFlag)
find_program(SINEW_MOLD mold)
if(SINEW_MOLD)
  check_linker_flag(CXX -fuse-ld=mold SINEW_LINKS_WITH_MOLD)
  if(SINEW_LINKS_WITH_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()
