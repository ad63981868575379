#pragma once
// Runs work that may hang for as long as the system takes (a silent name server, a device with a
// held lock) on its own thread. The result comes back to the coroutine that awaits it.
//
//   constinit Places lookups(8);
//   CO_TRY(auto addresses, co_await run_abandonable(&lookups, [host] { return look_up(host); }));
//
// The work cannot be interrupted: a cancelled caller continues at once, the loop may end, the
// process may exit, and the work goes on without a receiver. So it must own everything that it
// uses.

#include <atomic>
#include <system_error>
#include <thread>

#include "base/async/loop_poster.hpp"
#include "base/async/signal.hpp"
#include "base/async/task.hpp"

namespace base {

// The greatest number of running works of one kind. Lives as long as the process, and has no
// destructor: a thread may return while the process exits.
class Places {
 public:
  constexpr explicit Places(int room) : room_(room) {}
  [[nodiscard]] int room() const { return room_; }
  [[nodiscard]] bool take() {
    if (++taken_ <= room_) return true;
    --taken_;
    return false;
  }
  void give_back() { --taken_; }

 private:
  int room_;
  std::atomic<int> taken_ = 0;
};

// The state that the caller and its work share; only the loop's thread uses the members.
template <class T>
struct Abandonable {
  std::optional<Result<T>> outcome{};
  Signal* caller = nullptr;  // while the caller waits
};

// Clears `caller` when the caller's frame is gone, so that it gets no more notifications.
template <class T>
class CallerMark {
 public:
  CallerMark(std::shared_ptr<Abandonable<T>> shared, Signal* caller) : shared_(std::move(shared)) {
    shared_->caller = caller;
  }
  ~CallerMark() { shared_->caller = nullptr; }
  CallerMark(const CallerMark&) = delete;
  CallerMark& operator=(const CallerMark&) = delete;

 private:
  std::shared_ptr<Abandonable<T>> shared_;
};

// A thread. Its owner either joins it with wait(), or leaves it running when it is destroyed.
class LeftThread {
 public:
  LeftThread() = default;
  ~LeftThread() {
    if (thread_.joinable()) thread_.detach();
  }
  LeftThread(const LeftThread&) = delete;
  LeftThread& operator=(const LeftThread&) = delete;

  void start(std::thread thread) { thread_ = std::move(thread); }
  // Joins only after the thread has posted its outcome: the rest takes no time. A library that the
  // thread has used cleans up at the thread's end, and the process must not exit meanwhile.
  void wait() { thread_.join(); }

 private:
  std::thread thread_;
};

// `work() -> Result<T>`; only the allocator throws. Fails with limit when there is no place or the
// system gives no thread.
template <class Work>
Task<typename decltype(std::declval<Work>()())::value_type> run_abandonable(Places* places,
                                                                            Work work) {
  using T = typename decltype(work())::value_type;
  if (!places->take()) {
    co_return fail(errc::limit, std::to_string(places->room()) + " calls hang already");
  }
  const auto executor = co_await asio::this_coro::executor;
  const auto shared = std::make_shared<Abandonable<T>>();
  Signal ended(executor);
  const CallerMark<T> mark(shared, &ended);
  LeftThread thread;
  try {
    thread.start(std::thread([shared, places, loop = LoopPosterService::of(executor),
                              call = std::optional<Work>(std::move(work))]() mutable {
      auto outcome = (*call)();
      call.reset();
      places->give_back();
      loop->post([kept = std::move(shared), result = std::move(outcome)]() mutable {
        kept->outcome = std::move(result);
        if (kept->caller) kept->caller->notify_all();
      });
    }));
  } catch (const std::system_error& error) {
    places->give_back();
    co_return fail(errc::limit, std::string("no thread: ") + error.what());
  }
  while (!shared->outcome) co_await ended.wait();
  thread.wait();
  co_return *std::move(shared->outcome);
}

}  // namespace base
