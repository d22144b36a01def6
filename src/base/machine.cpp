#include "base/machine.h"

#include <algorithm>
#include <fstream>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

#include "base/hash.h"

namespace sinew {
namespace {

// The first value of a key of /proc/cpuinfo; processors name different keys.
void read_cpu(Machine& machine) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos || colon + 2 > line.size()) continue;
    const std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    const std::string value = line.substr(colon + 2);
    if (key == "model name" || (machine.cpu.empty() && (key == "CPU part" || key == "uarch")))
      machine.cpu = value;
    if (key == "flags" || key == "Features" || key == "isa") machine.features = value;
  }
}

Machine look() {
  Machine machine;
  read_cpu(machine);
  utsname name{};
  if (::uname(&name) == 0) {
    machine.system = std::string(name.sysname) + " " + name.release + " " + name.machine;
    if (machine.cpu.empty()) machine.cpu = name.machine;
  }
  machine.cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  machine.memory = int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
  return machine;
}

}  // namespace

const Machine& machine() {
  static const Machine here = look();
  return here;
}

std::string binary_id() {
  const BuildInfo& info = build_info();
  Hash hash;
  hash.add(info.version);
  hash.add(info.compiler);
  hash.add(info.flags);
  if (!info.portable) {
    hash.add(machine().cpu);
    hash.add(machine().features);
  }
  return hash.text();
}

}  // namespace sinew
