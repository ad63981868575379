#pragma once
// Owns spawned coroutines: no coroutine in the project runs detached.
//
// cancel() cancels all of them; join() waits until the last has ended. An owner cancels before its
// end; the destructor does not, because it may run inside a coroutine's own frame. An event loop
// that ends destroys frames in any order: a destroyed one gets no signal.

#include <asio/any_io_executor.hpp>
#include <asio/awaitable.hpp>

#include "base/prelude.hpp"

namespace base {

class Scope {
 public:
  explicit Scope(const asio::any_io_executor& executor);

  // An exception ends that task only: cancellation arrives as one.
  void spawn(asio::awaitable<void> task);
  void cancel();
  asio::awaitable<void> join();
  // The number of running coroutines.
  [[nodiscard]] std::size_t size() const;

 private:
  struct Running;
  struct State;
  struct FrameMark;
  static asio::awaitable<void> run(asio::awaitable<void> task, std::shared_ptr<State> state,
                                   Running* running);

  std::shared_ptr<State> state_;
};

}  // namespace base
