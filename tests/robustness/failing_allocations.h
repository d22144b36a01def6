#pragma once
// Makes the n-th operator new of this program throw, alone or with all that follow it, from start() to stop().
//
//     FailingAllocations failing(100, false);
//     failing.start();   work();   failing.stop();
//     if (failing.failed()) ...
#include <cstdint>

namespace sinew {

class FailingAllocations {
 public:
  FailingAllocations(int64_t n, bool lasting) : n_(n), lasting_(lasting) {}
  ~FailingAllocations() { stop(); }
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;

  void start();
  void stop();
  bool failed() const;  // whether there were as many as n

 private:
  int64_t n_;
  bool lasting_;
};

}  // namespace sinew
