#include "io/gmsh_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace sinew::io {

bool GmshNumbers::read(int64_t& out, int bytes, int64_t low, int64_t high, std::string_view what) {
  if (!binary_) return in_.integer(out, low, high, what);
  const int64_t place = in_.place();
  if (bytes == 8) {
    uint64_t raw;
    if (!in_.bytes(&raw, 8)) return false;
    out = static_cast<int64_t>(swapped_ ? __builtin_bswap64(raw) : raw);
  } else {
    uint32_t raw;
    if (!in_.bytes(&raw, 4)) return false;
    out = static_cast<int32_t>(swapped_ ? __builtin_bswap32(raw) : raw);
  }
  return (out >= low && out <= high) ||
         in_.fail_at(place, fmt::format("{} {} is not in {}..{}", what, out, low, high));
}

bool GmshNumbers::real(double& out) {
  if (!binary_) return in_.real(out);
  const int64_t place = in_.place();
  uint64_t raw;
  if (!in_.bytes(&raw, 8)) return false;
  if (swapped_) raw = __builtin_bswap64(raw);
  std::memcpy(&out, &raw, 8);
  return std::isfinite(out) || in_.fail_at(place, fmt::format("found {}, expected a finite number", out));
}

void TagMap::add(int64_t tag) {
  if (!runs_.empty() && tag == runs_.back().tag + runs_.back().length)
    ++runs_.back().length;
  else
    runs_.push_back({tag, count_, 1});
  ++count_;
}

std::optional<int64_t> TagMap::seal() {
  std::sort(runs_.begin(), runs_.end(),
            [](const Run& a, const Run& b) { return a.tag != b.tag ? a.tag < b.tag : a.first < b.first; });
  for (size_t i = 1; i < runs_.size(); ++i)
    if (runs_[i].tag < runs_[i - 1].tag + runs_[i - 1].length) return runs_[i].tag;
  return std::nullopt;
}

int32_t TagMap::find(int64_t tag) const {
  const auto in_run = [&](const Run& run) { return tag >= run.tag && tag < run.tag + run.length; };
  if (last_ >= runs_.size() || !in_run(runs_[last_])) {
    const auto after = std::upper_bound(runs_.begin(), runs_.end(), tag,
                                        [](int64_t t, const Run& run) { return t < run.tag; });
    if (after == runs_.begin() || !in_run(*(after - 1))) return -1;
    last_ = static_cast<size_t>(after - 1 - runs_.begin());
  }
  return static_cast<int32_t>(runs_[last_].first + (tag - runs_[last_].tag));
}

void ElementPlaces::add(int64_t place, int64_t stride) {
  const bool follows = !runs_.empty() && runs_.back().stride == stride &&
                       place == runs_.back().place + (count_ - runs_.back().first) * stride;
  if (!follows) runs_.push_back({count_, place, stride});
  ++count_;
}

int64_t ElementPlaces::operator()(size_t element) const {
  const auto e = static_cast<int64_t>(element);
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), e,
                                      [](int64_t i, const Run& run) { return i < run.first; });
  const Run& run = *(after - 1);
  return run.place + (e - run.first) * run.stride;
}

}  // namespace sinew::io
