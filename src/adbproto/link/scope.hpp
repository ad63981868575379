#pragma once
// Owns spawned coroutines: nothing in the project runs detached elsewhere.
//
// cancel() asks all of them to stop; join() waits until the last has ended. An owner cancels before
// it goes; the destructor does not, because it may run inside a coroutine's own frame. When the
// event loop itself goes, it destroys frames in any order: one that is gone is not signalled.

#include <asio/any_io_executor.hpp>
#include <asio/awaitable.hpp>
#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/co_spawn.hpp>
#include <exception>
#include <list>
#include <memory>

#include "adbproto/link/signal.hpp"

namespace adbproto {

class Scope {
 public:
  explicit Scope(const asio::any_io_executor& executor)
      : state_(std::make_shared<State>(executor)) {}

  void spawn(asio::awaitable<void> task) {
    auto state = state_;
    const auto at = state->running.emplace(state->running.end());
    // An exception ends that task only: cancellation arrives as one.
    asio::co_spawn(
        state->executor, run(std::move(task), state, &*at),
        asio::bind_cancellation_slot(at->cancel.slot(), [state, at](const std::exception_ptr&) {
          state->running.erase(at);
          state->ended.notify_all();
        }));
  }

  void cancel() {
    const auto state = state_;
    for (auto& running : state->running) {
      if (running.has_frame) running.cancel.emit(asio::cancellation_type::terminal);
    }
  }

  asio::awaitable<void> join() {
    const auto state = state_;
    while (!state->running.empty()) co_await state->ended.wait();
  }

  [[nodiscard]] std::size_t size() const { return state_->running.size(); }

 private:
  struct Running {
    asio::cancellation_signal cancel;
    bool has_frame = true;
  };
  struct State {
    explicit State(const asio::any_io_executor& on) : executor(on), ended(on) {}
    asio::any_io_executor executor;
    std::list<Running> running;
    Signal ended;
  };
  struct FrameMark {
    explicit FrameMark(Running* of) : running(of) {}
    FrameMark(const FrameMark&) = delete;
    FrameMark& operator=(const FrameMark&) = delete;
    ~FrameMark() { running->has_frame = false; }
    Running* running;
  };

  // `state` keeps `running` alive as long as the frame is.
  static asio::awaitable<void> run(asio::awaitable<void> task, std::shared_ptr<State> state,
                                   Running* running) {
    const auto kept = std::move(state);
    const FrameMark mark(running);
    co_await std::move(task);
  }

  std::shared_ptr<State> state_;
};

}  // namespace adbproto
