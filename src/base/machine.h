#pragma once
// Identifies program and machine: what the bits of a result depend on, and what a report says of itself.
//
//     binary_id()  ->  "3f2c..."  the same for runs that give the same bits
#include <cstdint>
#include <string>
#include <string_view>

namespace sinew {

struct BuildInfo {
  std::string_view version;   // "0.1.0"
  std::string_view compiler;  // "GNU 12.2.0"
  std::string_view flags;
  bool portable;  // the same bits on every x86-64-v3 machine
};
const BuildInfo& build_info();

struct Machine {
  std::string cpu;       // as the processor names itself
  std::string features;  // its instruction sets
  std::string system;    // "Linux 6.1.0 x86_64"
  int cores = 1;
  int64_t memory = 0;  // [bytes]
};
const Machine& machine();

// Hash of version, compiler, flags and, unless the build is portable, the processor.
std::string binary_id();

}  // namespace sinew
