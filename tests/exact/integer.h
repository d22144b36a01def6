#pragma once
// Integers of any size, and doubles as such.
#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sinew::exact {

using Integer =
    boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;

inline int sign(const Integer& x) { return x.sign(); }

// Doubles as integers in a common unit, a power of two.
class Unit {
 public:
  void fit(double x) {
    int exponent = 0;
    if (x != 0) std::frexp(x, &exponent), exponent_ = std::min(exponent_, exponent - 53);
  }
  Integer operator()(double x) const {
    if (x == 0) return 0;
    int exponent = 0;
    const double mantissa = std::frexp(x, &exponent);
    return Integer(static_cast<int64_t>(std::ldexp(mantissa, 53))) << (exponent - 53 - exponent_);
  }

 private:
  int exponent_ = std::numeric_limits<int>::max();
};

}  // namespace sinew::exact
