// Linear tets whose volumetric energy is taken at the mean dilatation of patches (energy/mean_dilatation.h).
#include "element/tet_linear.h"

namespace sinew::element {

const Kind& kind_tet_mean_dilatation() {
  static const Kind kind = [] {
    Kind tet = kind_tet_linear();
    tet.name = "averaged";
    tet.phrase = "linear, averaged volume";
    tet.plural = "elements with averaged volume";
    tet.doc =
        "linear, with the volume averaged over patches of tets (mean dilatation, F-bar), against locking of "
        "nearly incompressible "
        "bodies.";
    tet.node_sweeps = tet.constraints = tet.lanes = tet.hessians = tet.clamps = tet.locks = false;
    tet.mean_dilatation = true;
    tet.bytes = 1800;
    return tet;
  }();
  return kind;
}

}  // namespace sinew::element
