#pragma once
// Counts the predicates (math/predicates.h) that the threads ask for while scopes of a count live.
#include <atomic>
#include <cstdint>

#include "math/predicates.h"

namespace sinew::meshing {

struct PredicateCount {
  std::atomic<int64_t> calls{0}, exact{0};

  class Scope {
   public:
    explicit Scope(PredicateCount& count) : count_(count), before_(math::predicate_tally()) {}
    ~Scope() {
      count_.calls += math::predicate_tally().calls - before_.calls;
      count_.exact += math::predicate_tally().exact - before_.exact;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    PredicateCount& count_;
    math::PredicateTally before_;
  };
};

}  // namespace sinew::meshing
