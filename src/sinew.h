#pragma once
// The public headers of the library. A program includes this one, or those of them that it needs; docs/cpp.md shows how.
// These headers and those that they include are installed, under include/sinew; all others may change without notice.
#include "base/control.h"             // cancelling a computation and hearing of its progress
#include "base/parallel.h"            // the number of threads
#include "base/result.h"              // Result and Error
#include "batch/equilibria.h"         // many equilibria at once
#include "io/mesh_file.h"             // reading and writing meshes
#include "measure/quantity.h"         // stresses, forces, energies and other quantities by name
#include "mesh/shapes.h"              // boxes, balls, tubes and other meshes
#include "model/model.h"              // Model, Params and State
#include "run/run_reader.h"           // the folder of a finished run
#include "run/runner.h"               // a whole run into a folder
#include "run/simulation.h"           // a run frame by frame, in memory
#include "scene/scene.h"              // scene files
#include "sensitivity/equilibrium.h"  // derivatives of an equilibrium
#include "step/stepper.h"             // methods
