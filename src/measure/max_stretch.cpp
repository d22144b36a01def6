#include "measure/points.h"

namespace sinew::measure {

const Quantity& quantity_max_stretch() {
  static const Quantity quantity = {
      "max_stretch",   "1", "Largest principal stretch; of a triangle in its plane.",
      Target::element, 1,   put_stretches<0>};
  return quantity;
}

}  // namespace sinew::measure
