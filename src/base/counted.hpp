#pragma once
// Increments a counter for the lifetime of this object, however its owner ends.

#include "base/prelude.hpp"

namespace base {

class Counted {
 public:
  explicit Counted(std::size_t* count) : count_(count) { ++*count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --*count_; }

 private:
  std::size_t* count_;
};

}  // namespace base
