#pragma once
// libusb for one event loop: its context, the thread for its events, and a pool for blocking calls.
// It is part of the io_context, so that nothing is posted to a loop that has ended.

#include <asio/any_io_executor.hpp>
#include <asio/execution_context.hpp>
#include <atomic>
#include <mutex>
#include <thread>

#include "adbproto/link/usb_pipe.hpp"
#include "base/async/blocking.hpp"

namespace adbproto {

class UsbEngine final : public asio::execution_context::service {
 public:
  static inline asio::execution_context::id id;

  explicit UsbEngine(asio::execution_context& owner) : service(owner) {}
  static UsbEngine& of(const asio::any_io_executor& executor);

  // The first call starts libusb and the two threads.
  Result<std::shared_ptr<libusb_context>> start();

  // The engine adopts every open pipe, and closes it at the latest with the loop.
  void adopt(std::shared_ptr<UsbPipe> pipe);
  void close(const std::shared_ptr<UsbPipe>& pipe);
  // True if a pipe to this node is not closed yet, although its owner has released it.
  [[nodiscard]] bool is_closing(const std::string& node);

  // Runs `work` on the pool and returns its result here. Requires start().
  template <class Work>
  Task<typename decltype(std::declval<Work>()())::value_type> run_blocking(Work work) {
    co_return co_await run_on(&*pool_, std::move(work));
  }

 private:
  void shutdown() override;
  void handle_events();
  // True while any pipe is closing.
  bool advance_closing();
  void wake();

  std::shared_ptr<libusb_context> context_;
  std::optional<asio::thread_pool> pool_;
  std::thread thread_;
  std::atomic<bool> stopping_ = false;
  std::chrono::steady_clock::time_point give_up_{};  // written before stopping_

  std::mutex mutex_;  // for both lists: the loop adds, the event thread removes
  std::vector<std::shared_ptr<UsbPipe>> open_;
  std::vector<std::shared_ptr<UsbPipe>> closing_;
};

// A claimed adb interface as a byte stream of transport packets. Requires that `pipe` is claimed
// (UsbPipe::claim) and that `engine` has adopted it.
ByteStreamPtr make_usb_stream(const asio::any_io_executor& executor, UsbEngine* engine,
                              std::shared_ptr<UsbPipe> pipe);

}  // namespace adbproto
