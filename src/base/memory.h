#pragma once
// Handles running out of memory. Inside the library std::bad_alloc unwinds; at the entry points that return a Result (reading and
// writing files, building a scene, running it) it becomes an Error. The word fits into a string without allocating, and
// a place that cannot be copied is left out, so that the report needs no memory itself.
//
//     return unless_out_of_memory(path, [&]() -> Result<TetMesh> { return read(path); });
#include <new>
#include <string_view>
#include <type_traits>

#include "base/result.h"

namespace sinew {

inline Error out_of_memory(std::string_view where) noexcept {
  Error error{ErrorKind::io, {}, {}, "out of memory"};
  try {
    error.where = where;
  } catch (const std::bad_alloc&) {
  }
  return error;
}

template <class F>
std::invoke_result_t<F> unless_out_of_memory(std::string_view where, F&& f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    return out_of_memory(where);
  }
}

}  // namespace sinew
