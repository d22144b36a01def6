#pragma once
// The parameters of a model by name:
//     BODY.FIELD, BODY.K.FIELD                    a field of the body's material, or of the K-th of several
//     BODY.density
//     BODY.bending.stiffness                      of a shell that bends; 0: that of a plate of its material
//     links.GROUP.normal, links.GROUP.tangent     stiffness of the links that one entry of the scene made
//
//     for (NamedParam& param : named_params(model, params)) set(param, label, given.at(param.name));
#include <string>
#include <vector>

#include "bindings/bindings.h"

namespace sinew::python {

// A place in a Params. Its array is one number, or one for each element or link; of a vector three numbers in the last
// dimension.
struct NamedParam {
  std::string name;
  std::vector<model::ParamField*> parts;  // one, or three of a vector; or
  std::vector<double*> links;             // these
  Field field;                            // its range
  py::ssize_t elements = 0;               // that may have values of their own
};

// `params` is shaped like those of the model: a list for each set, and so on.
std::vector<NamedParam> named_params(const model::Model& model, model::Params& params);

py::array_t<double> get(const NamedParam& param);
// One value for all, or one for each. `label` stands in messages.
void set(const NamedParam& param, const std::string& label, const py::handle& given);
// Sets the parameters of a dict; an unknown name is refused with the nearest one.
void set_all(std::vector<NamedParam> params, const py::dict& given, bool check_range);

}  // namespace sinew::python
