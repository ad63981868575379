#pragma once
// Work that takes time, written as straight-line code and driven by hand-moved time.
//
//   Routine<int> f(Timeline* time) { co_await time->pause(250ms); co_return 1; }
//
// A Routine starts when it is awaited or when start() is called, and stops at every pause. The
// Timeline holds the one pending pause; run_until() advances from pause to pause, each at its own
// due time. Destroying the outermost Routine ends the work at that point.

#include <algorithm>
#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include "simdroid/profile.hpp"

namespace simdroid {

class Timeline {
 public:
  explicit Timeline(Time now) : now_(now) {}

  [[nodiscard]] Time now() const { return now_; }
  [[nodiscard]] std::optional<Time> wake_at() const {
    return waiting_ ? std::optional(due_) : std::nullopt;
  }

  struct Pause {
    Timeline* timeline;
    Duration length;

    [[nodiscard]] bool await_ready() const { return length.count() <= 0; }
    void await_suspend(std::coroutine_handle<> waiting) const {
      timeline->due_ = timeline->now_ + length;
      timeline->waiting_ = waiting;
    }
    void await_resume() const {}
  };
  Pause pause(Duration length) { return {this, length}; }

  // Every pause due until `now`, in order.
  void run_until(Time now) {
    while (waiting_ && due_ <= now) {
      now_ = std::max(now_, due_);
      std::exchange(waiting_, nullptr).resume();
    }
  }
  void set_now(Time now) { now_ = std::max(now_, now); }
  // Before the routine that waits is destroyed.
  void forget() { waiting_ = nullptr; }

 private:
  Time now_;
  Time due_;
  std::coroutine_handle<> waiting_;
};

template <class T>
class [[nodiscard]] Routine {
 public:
  // The name is the language's. NOLINTNEXTLINE(readability-identifier-naming)
  struct promise_type {
    T value{};
    std::coroutine_handle<> continuation = std::noop_coroutine();

    Routine get_return_object() { return Routine(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Resume {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(Handle self) noexcept {
          return self.promise().continuation;
        }
        void await_resume() noexcept {}
      };
      return Resume{};
    }
    void return_value(T result) { value = std::move(result); }
    void unhandled_exception() { std::terminate(); }
  };
  using Handle = std::coroutine_handle<promise_type>;

  Routine(Routine&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Routine(const Routine&) = delete;
  Routine& operator=(const Routine&) = delete;
  Routine& operator=(Routine&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Routine() {
    if (handle_) handle_.destroy();
  }

  void start() { handle_.resume(); }
  [[nodiscard]] bool done() const { return handle_.done(); }
  // Precondition: done().
  [[nodiscard]] T& result() { return handle_.promise().value; }

  [[nodiscard]] bool await_ready() const { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) {
    handle_.promise().continuation = awaiting;
    return handle_;
  }
  T await_resume() { return std::move(handle_.promise().value); }

 private:
  explicit Routine(Handle handle) : handle_(handle) {}
  Handle handle_;
};

}  // namespace simdroid
