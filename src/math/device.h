#pragma once
// SINEW_HD marks functions that have no host-only calls, so that a CUDA backend can compile the same mathematics; to any
// other compiler it is empty.
#ifdef __CUDACC__
#define SINEW_HD __host__ __device__
#else
#define SINEW_HD
#endif
// SINEW_INLINE marks templates that are steps of a long computation on packs. Merged into one function
// they gain where there are 32 vector registers; with 16 the values spill and separate ones are faster.
#if defined(__AVX512F__) && !defined(__CUDACC__)
#define SINEW_INLINE __attribute__((always_inline)) inline
#else
#define SINEW_INLINE SINEW_HD
#endif
