#pragma once
// All that is wrong with a file, in the order it was found, with places. Reports stop at a cap, so that one
// mistake in a long list does not bury the rest; the count goes on.
//
//     Diagnostics diagnostics("scene.json");
//     diagnostics.add(value.place(), "/bodies/block/density", "found -1, expected ...");
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/json.h"

namespace sinew::json {

class Diagnostics {
 public:
  static constexpr size_t cap = 20;

  explicit Diagnostics(std::string file = {}) : file_(std::move(file)) {
    list_.reserve(cap);  // so that "out of memory" can be added when there is none
  }

  // A place with line -k belongs to the k-th override (from 1).
  void set_overrides(std::span<const std::string> overrides) {
    overrides_.assign(overrides.begin(), overrides.end());
  }
  void set_file(std::string file) { file_ = std::move(file); }

  std::string where(Place place) const {
    const auto k = static_cast<size_t>(-int64_t{place.line});
    if (place.line < 0 && k <= overrides_.size()) return "--set " + overrides_[k - 1];
    if (place.line == 0) return file_;
    return file_ + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
  }

  void add(Error error) {
    if (list_.size() < cap) list_.push_back(std::move(error));
    ++count_;
  }
  void add(Place place, std::string path, std::string what, ErrorKind kind = ErrorKind::input) {
    add(Error{kind, where(place), std::move(path), std::move(what)});
  }

  bool empty() const { return count_ == 0; }
  size_t count() const { return count_; }  // those beyond the cap included
  std::span<const Error> list() const { return list_; }

  // One problem a line.
  std::string text() const {
    std::string s;
    for (const Error& error : list_) s += error.text() + '\n';
    if (count_ > list_.size()) s += "and " + std::to_string(count_ - list_.size()) + " more problems\n";
    return s;
  }

 private:
  std::string file_;
  std::vector<std::string> overrides_;
  std::vector<Error> list_;
  size_t count_ = 0;
};

}  // namespace sinew::json
