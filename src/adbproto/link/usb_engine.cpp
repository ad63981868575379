#include "adbproto/link/usb_engine.hpp"

#include <sys/time.h>

#include <algorithm>

#include "adbproto/link/libusb_functions.hpp"

namespace adbproto {
namespace {

// A closing link ends by time, not by an event; 2 ms are not noticeable.
constexpr auto kClosingPause = std::chrono::milliseconds(2);
// Events wake the thread; an idle process wakes once a minute.
constexpr auto kEventPause = std::chrono::seconds(60);
constexpr auto kFarewell = std::chrono::seconds(1);  // for all links, at the end of the loop

timeval to_timeval(std::chrono::microseconds time) {
  constexpr std::int64_t kSecond = 1'000'000;
  return {.tv_sec = time.count() / kSecond, .tv_usec = time.count() % kSecond};
}

}  // namespace

UsbEngine& UsbEngine::of(const asio::any_io_executor& executor) {
  return asio::use_service<UsbEngine>(asio::query(executor, asio::execution::context));
}

// libusb does not discover devices: sysfs lists them, also without udev.
Result<std::shared_ptr<libusb_context>> UsbEngine::start() {
  if (stopping_) return fail(errc::closed, "the event loop is gone");
  if (context_) return context_;
  TRY_VOID(load_libusb());
  libusb_set_option(nullptr, LIBUSB_OPTION_NO_DEVICE_DISCOVERY);
  libusb_context* context = nullptr;
  const int status = libusb_init(&context);
  if (status != LIBUSB_SUCCESS) {
    return fail(errc::unsupported, std::string("libusb: ") + libusb_error_name(status));
  }
  context_.reset(context, libusb_exit);
  pool_.emplace(1);
  thread_ = std::thread([this] { handle_events(); });
  return context_;
}

void UsbEngine::adopt(std::shared_ptr<UsbPipe> pipe) {
  const std::lock_guard lock(mutex_);
  open_.push_back(std::move(pipe));
}

void UsbEngine::close(const std::shared_ptr<UsbPipe>& pipe) {
  {
    const std::lock_guard lock(mutex_);
    if (std::erase(open_, pipe) == 0) return;
    pipe->start_close();
    closing_.push_back(pipe);
  }
  wake();
}

bool UsbEngine::is_closing(const std::string& node) {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(closing_, [&](const auto& pipe) { return pipe->node() == node; });
}

void UsbEngine::wake() { libusb_interrupt_event_handler(context_.get()); }

void UsbEngine::handle_events() {
  for (;;) {
    const bool any_closing = advance_closing();
    const bool too_late = stopping_ && std::chrono::steady_clock::now() > give_up_;
    if (stopping_ && (!any_closing || too_late)) return;
    timeval limit = to_timeval(any_closing ? kClosingPause : kEventPause);
    libusb_handle_events_timeout_completed(context_.get(), &limit, nullptr);
  }
}

// The interface is released before its node counts as free.
bool UsbEngine::advance_closing() {
  std::vector<std::shared_ptr<UsbPipe>> all;
  {
    const std::lock_guard lock(mutex_);
    all = closing_;
  }
  std::erase_if(all, [](const auto& pipe) { return !pipe->advance_close(); });
  for (const auto& pipe : all) pipe->release();
  const std::lock_guard lock(mutex_);
  std::erase_if(closing_, [&](const auto& pipe) { return std::ranges::count(all, pipe) > 0; });
  return !closing_.empty();
}

void UsbEngine::shutdown() {
  if (!thread_.joinable()) return;
  pool_->join();
  {
    const std::lock_guard lock(mutex_);
    for (auto& pipe : std::exchange(open_, {})) {
      pipe->start_close();
      closing_.push_back(pipe);
    }
  }
  give_up_ = std::chrono::steady_clock::now() + kFarewell;
  stopping_ = true;
  wake();
  thread_.join();
  context_.reset();
}

}  // namespace adbproto
