#include "measure/points.h"

namespace sinew::measure {

const Quantity& quantity_min_stretch() {
  static const Quantity quantity = {
      "min_stretch",   "1", "Smallest principal stretch; of a triangle in its plane. 0: collapsed.",
      Target::element, 1,   put_stretches<1>};
  return quantity;
}

}  // namespace sinew::measure
