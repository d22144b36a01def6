# The optional sparse direct solvers: SINEW_HAS_CHOLMOD and SINEW_HAS_MUMPS are defined for src/solve when
# the library is there, and SINEW_SOLVE_LIBRARIES, SINEW_SOLVE_DEFINITIONS say what that layer links.

set(SINEW_SOLVE_LIBRARIES "")
set(SINEW_SOLVE_INCLUDES "")
set(SINEW_SOLVE_DEFINITIONS "")

function(sinew_direct_solver name header library)
  if(NOT SINEW_${name} OR SINEW_PORTABLE)
    message(STATUS "${name}: off")
    return()
  endif()
  find_path(SINEW_${name}_INCLUDE ${header} PATH_SUFFIXES suitesparse)
  find_library(SINEW_${name}_LIBRARY ${library})
  mark_as_advanced(SINEW_${name}_INCLUDE SINEW_${name}_LIBRARY)
  if(SINEW_${name}_INCLUDE AND SINEW_${name}_LIBRARY)
    message(STATUS "${name}: ${SINEW_${name}_LIBRARY}")
    set(SINEW_SOLVE_LIBRARIES ${SINEW_SOLVE_LIBRARIES} ${SINEW_${name}_LIBRARY} PARENT_SCOPE)
    set(SINEW_SOLVE_INCLUDES ${SINEW_SOLVE_INCLUDES} ${SINEW_${name}_INCLUDE} PARENT_SCOPE)
    set(SINEW_SOLVE_DEFINITIONS ${SINEW_SOLVE_DEFINITIONS} SINEW_HAS_${name} PARENT_SCOPE)
  else()
    message(STATUS "${name}: not found, built without it")
  endif()
endfunction()

sinew_direct_solver(CHOLMOD cholmod.h cholmod)
sinew_direct_solver(MUMPS dmumps_c.h dmumps_seq)
