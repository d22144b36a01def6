#pragma once
// The performance cases of `sinew bench`. Timings are medians over repeats and are meant as ratios within one run:
// machines are noisy. Each case emits one object per measurement with at least case, tets, threads, precision,
// seconds (per unit of work) and unit.
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"

namespace sinew::bench {

struct Options {
  std::vector<int> threads = {1, 2};
  int repeats = 5;
  std::filesystem::path examples;  // the folder of the example scenes

  // Of a corpus: which cases of it are run, and how long one of them may take.
  std::vector<std::string> only;  // texts that are all in the name of a case
  int64_t every = 1, first = 0;   // of those, one in so many, from this one on
  double budget = 0;              // of a case, CPU time [s]; 0: none

  // Called between measurements with the part that is done; for a person, not for --json. Each may be empty.
  std::function<void(double done, const std::string& next)> progress = {};
  std::function<void(const std::string& text)> say = {};
};

using Emit = std::function<void(const json::Json&)>;

struct Case {
  std::string_view name;
  std::string_view doc;
  void (*run)(const Options&, const Emit&);
  bool corpus = false;  // it has cases of its own, of which Options choose
};

std::span<const Case> cases();

void run_batch(const Options&, const Emit&);
void run_batch_many(const Options&, const Emit&);
void run_contact(const Options&, const Emit&);
void run_contact_corpus(const Options&, const Emit&);
void run_corpus(const Options&, const Emit&);
void run_detect(const Options&, const Emit&);
void run_export(const Options&, const Emit&);
void run_machine(const Options&, const Emit&);
void run_materials(const Options&, const Emit&);
void run_mesh(const Options&, const Emit&);
void run_mesh_large(const Options&, const Emit&);
void run_multigrid(const Options&, const Emit&);
void run_standing(const Options&, const Emit&);
void run_newton(const Options&, const Emit&);
void run_pbng(const Options&, const Emit&);
void run_pbng_scaling(const Options&, const Emit&);
void run_read(const Options&, const Emit&);
void run_scaling(const Options&, const Emit&);
void run_svd(const Options&, const Emit&);
void run_targets(const Options&, const Emit&);
void run_view(const Options&, const Emit&);

// The best rates of this machine, with the current number of threads.
struct Bounds {
  double bytes_per_second;  // triad over arrays far larger than the caches
  double flops_per_second;  // multiply-adds in registers, in double precision
};
Bounds measure_bounds(int repeats);

// Seconds that f() takes, and the median of several runs.
double seconds_of(const std::function<void()>& f);
double median(std::vector<double> values);
int64_t peak_memory();  // of this process [bytes]
// A number of the status of this process, "VmRSS" or "VmHWM" [bytes]; 0 where there is none.
double process_memory(const std::string& key);
void forget_peak_memory();  // VmHWM begins anew

}  // namespace sinew::bench
