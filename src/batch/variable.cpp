// Compiled without contraction, and what it calls is compiled into it: the same numbers from every build.
#include "batch/variable.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"

namespace sinew::batch {
namespace {

[[gnu::flatten]] double between_logs(double from, double to, double u) {
  const double a = math::log(from), b = math::log(to);
  return math::exp(a + u * (b - a));
}

[[gnu::flatten]] double share_of_logs(double from, double to, double value) {
  const double a = math::log(from), b = math::log(to);
  return a == b ? 0.5 : (math::log(value) - a) / (b - a);
}

double between(double from, double to, double u) { return from + u * (to - from); }

}  // namespace

double Variable::parameter(double u) const {
  switch (kind) {
    case Kind::range:
      if (u <= 0 || from == to) return from;
      if (u >= 1) return to;
      return std::clamp(log ? between_logs(from, to, u) : between(from, to, u), std::min(from, to),
                        std::max(from, to));
    case Kind::choice: {
      const auto count = static_cast<double>(choices.size());
      return std::min(std::floor(u * count), count - 1);
    }
    case Kind::path:
      return u;
  }
  return u;
}

double Variable::coordinate(double parameter) const {
  switch (kind) {
    case Kind::range:
      if (from == to) return 0.5;
      return log ? share_of_logs(from, to, parameter) : (parameter - from) / (to - from);
    case Kind::choice:
      return (2 * parameter + 1) / (2 * static_cast<double>(choices.size()));
    case Kind::path:
      return parameter;
  }
  return parameter;
}

bool Variable::contains(double parameter) const {
  switch (kind) {
    case Kind::range:
      return parameter >= std::min(from, to) && parameter <= std::max(from, to);
    case Kind::choice:
      return parameter >= 0 && parameter < static_cast<double>(choices.size()) &&
             parameter == std::floor(parameter);
    case Kind::path:
      return parameter >= 0 && parameter <= 1;
  }
  return false;
}

void Variable::override_scene(double parameter, std::vector<std::string>& overrides) const {
  if (kind != Kind::path) {
    overrides.push_back(paths[0] + "=" + value(parameter).compact());
    return;
  }
  const double at = parameter * static_cast<double>(keys.size() - 1);
  const size_t k = std::min(static_cast<size_t>(at), keys.size() - 2);
  const double t = at - static_cast<double>(k);
  for (size_t i = 0; i < paths.size(); ++i) {
    const double a = keys[k][i], b = keys[k + 1][i];
    overrides.push_back(paths[i] + "=" + json::number_text(t <= 0 ? a : t >= 1 ? b : between(a, b, t)));
  }
}

json::Json Variable::value(double parameter) const {
  return kind == Kind::choice ? choices[static_cast<size_t>(parameter)] : json::Json(parameter);
}

std::vector<double> Variable::corners() const {
  if (kind == Kind::range) return from == to ? std::vector{from} : std::vector{from, to};
  std::vector<double> all;
  const size_t count = kind == Kind::choice ? choices.size() : keys.size();
  for (size_t k = 0; k < count; ++k)
    all.push_back(kind == Kind::choice ? static_cast<double>(k)
                                       : static_cast<double>(k) / static_cast<double>(count - 1));
  return all;
}

}  // namespace sinew::batch
