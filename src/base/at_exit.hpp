#pragma once
// Runs a function when a scope ends in any way, also when a coroutine is cancelled.

#include "base/prelude.hpp"

namespace base {

template <class Action>
class AtExit {
 public:
  explicit AtExit(Action action) : action_(std::move(action)) {}
  AtExit(const AtExit&) = delete;
  AtExit& operator=(const AtExit&) = delete;
  ~AtExit() { action_(); }

 private:
  Action action_;
};

}  // namespace base
