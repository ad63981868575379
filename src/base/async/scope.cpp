#include "base/async/scope.hpp"

#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/co_spawn.hpp>
#include <exception>
#include <list>

#include "base/async/signal.hpp"

namespace base {

struct Scope::Running {
  asio::cancellation_signal cancel;
  bool has_frame = true;
};

struct Scope::State {
  explicit State(const asio::any_io_executor& on) : executor(on), ended(on) {}
  asio::any_io_executor executor;
  std::list<Running> running;
  Signal ended;
};

struct Scope::FrameMark {
  explicit FrameMark(Running* of) : running(of) {}
  FrameMark(const FrameMark&) = delete;
  FrameMark& operator=(const FrameMark&) = delete;
  ~FrameMark() { running->has_frame = false; }
  Running* running;
};

Scope::Scope(const asio::any_io_executor& executor) : state_(std::make_shared<State>(executor)) {}

void Scope::spawn(asio::awaitable<void> task) {
  auto state = state_;
  const auto at = state->running.emplace(state->running.end());
  asio::co_spawn(
      state->executor, run(std::move(task), state, &*at),
      asio::bind_cancellation_slot(at->cancel.slot(), [state, at](const std::exception_ptr&) {
        state->running.erase(at);
        state->ended.notify_all();
      }));
}

void Scope::cancel() {
  const auto state = state_;
  for (auto& running : state->running) {
    if (running.has_frame) running.cancel.emit(asio::cancellation_type::terminal);
  }
}

asio::awaitable<void> Scope::join() {
  const auto state = state_;
  while (!state->running.empty()) co_await state->ended.wait();
}

std::size_t Scope::size() const { return state_->running.size(); }

// `state` keeps `running` alive as long as the frame is.
asio::awaitable<void> Scope::run(asio::awaitable<void> task, std::shared_ptr<State> state,
                                 Running* running) {
  const auto kept = std::move(state);
  const FrameMark mark(running);
  co_await std::move(task);
}

}  // namespace base
