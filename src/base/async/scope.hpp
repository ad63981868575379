#pragma once
// Owns spawned coroutines: no coroutine in the project runs detached.
//
// cancel() cancels all of them; join() waits until the last has ended. The destructor does neither,
// because it may run inside the frame of a coroutine that it owns: the owner calls cancel() before.
// An event loop that ends destroys frames in any order. cancel() then skips the coroutines whose
// frames are gone.

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
