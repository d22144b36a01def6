#pragma once
// Functions of libraries that a build may have or not, looked for when the program runs. A weak reference would be null in a program
// whose linker settles it at once.
//
//     if (auto* set_threads = loaded_function<void(int)>("openblas_set_num_threads")) set_threads(1);
#include <dlfcn.h>

namespace sinew::solve {

// Null where none of the libraries that were loaded has it.
template <class Function>
Function* loaded_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace sinew::solve
