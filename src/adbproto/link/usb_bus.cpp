#include "adbproto/link/usb_bus.hpp"

#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <asio/posix/stream_descriptor.hpp>
#include <ctime>
#include <map>

#include "adbproto/link/libusb_functions.hpp"
#include "adbproto/link/usb_engine.hpp"
#include "adbproto/link/usb_sysfs.hpp"
#include "adbproto/wire/errc.hpp"

namespace adbproto {
namespace {

// The interval if the system does not report arrivals.
constexpr auto kPollAlone = std::chrono::milliseconds(500);
// Finds arrivals that a full netlink socket dropped; each poll lists sysfs once.
constexpr auto kPollBeside = std::chrono::seconds(3);
// Longer than the closing link's lingering (300 ms) and its cancelled transfers.
constexpr auto kReleaseLimit = std::chrono::seconds(2);
// udev sets a new node's permissions after the kernel created it; the attempts cover 600 ms:
constexpr int kAccessAttempts = 4;
constexpr auto kAccessPause = std::chrono::milliseconds(200);
constexpr std::time_t kFreshNode = 3;  // seconds
// Our own link releases the phone within milliseconds.
constexpr auto kRescanPause = std::chrono::milliseconds(50);

// Receives the kernel's and udev's reports of arrivals and departures; their content is not used.
class Doorbell {
 public:
  explicit Doorbell(const asio::any_io_executor& executor) : descriptor_(executor) {
    const int fd =
        ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
    if (fd < 0) return;
    sockaddr_nl address{};
    address.nl_family = AF_NETLINK;
    // With udev: after it has set the permissions. Otherwise: at the kernel's event.
    const bool udev_runs = ::access("/run/udev/control", F_OK) == 0;
    address.nl_groups = udev_runs ? kUdev : kKernel;
    if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      ::close(fd);
      return;
    }
    descriptor_.assign(fd);
    poll_ = udev_runs ? Clock::duration(kPollBeside) : Clock::duration(kPollAlone);
  }

  // Returns after an event, and from time to time.
  asio::awaitable<void> wait() {
    using namespace base::parallel;
    if (!descriptor_.is_open()) co_return co_await sleep_for(poll_);
    co_await (descriptor_.async_wait(asio::posix::stream_descriptor::wait_read, kNoThrow) ||
              sleep_for(poll_));
    std::array<char, 8192> ignored{};
    while (::recv(descriptor_.native_handle(), ignored.data(), ignored.size(), MSG_DONTWAIT) > 0) {
    }
  }

 private:
  static constexpr unsigned kKernel = 1;
  static constexpr unsigned kUdev = 2;
  asio::posix::stream_descriptor descriptor_;
  Clock::duration poll_ = kPollAlone;
};

// udev may be about to change the permissions of such a young node.
bool is_fresh(const std::string& node) {
  struct stat status{};
  return ::stat(node.c_str(), &status) == 0 && std::time(nullptr) - status.st_ctime <= kFreshNode;
}

class LibusbBus final : public UsbBus {
 public:
  LibusbBus(const asio::any_io_executor& executor, UsbOptions options)
      : executor_(executor),
        options_(options),
        engine_(&UsbEngine::of(executor)),
        scanner_(executor) {}

  asio::awaitable<std::vector<UsbDevice>> devices() override {
    std::vector<UsbDevice> found;
    std::vector<UsbEntry> entries = co_await scanner_.scan();
    for (UsbEntry& entry : entries) {
      found.push_back(std::move(entry.device));
      UsbDevice& device = found.back();
      const auto held = holders_.find(device.node);
      if (held == holders_.end() || device.access != UsbDevice::Access::open) continue;
      if (!still_holds(held->second, device.node)) continue;
      device.access = UsbDevice::Access::busy;
      device.obstacle = describe(device, held->second);
    }
    if (!reported_) reported_ = found;
    co_return found;
  }

  Task<void> wait_change() override {
    Doorbell doorbell(executor_);
    for (;;) {
      auto now = co_await devices();
      if (now != reported_) {
        reported_ = std::move(now);
        co_return ok();
      }
      co_await doorbell.wait();
    }
  }

  [[nodiscard]] Result<void> can_open() const override { return load_libusb(); }

  Task<ByteStreamPtr> open(UsbDevice device) override {
    const auto limit = Clock::now() + options_.scan_limit;
    for (bool was_unknown = false;;) {
      CO_TRY(const auto pipe, co_await open_pipe(device));
      const auto claimed = co_await engine_->run_blocking([pipe] { return pipe->claim(); });
      if (claimed) {
        holders_.erase(device.node);
        engine_->adopt(pipe);
        co_return make_usb_stream(executor_, engine_, pipe);
      }
      if (claimed.error().code() != errc::usb_busy) co_return std::unexpected(claimed.error());
      CO_TRY(const UsbHolder holder, co_await engine_->run_blocking([pipe] {
        pipe->release();  // else this process would be the holder
        return Result<UsbHolder>(find_usb_holder(pipe->node()));
      }));
      // An unknown holder may have released the interface meanwhile.
      const bool may_be_free = holder.pid == 0 && !std::exchange(was_unknown, true);
      const bool is_worth_waiting = holder.is_ours || may_be_free;
      if (!is_worth_waiting || Clock::now() >= limit) {
        holders_[device.node] = holder;
        co_return fail(errc::usb_busy, describe(device, holder));
      }
      co_await sleep_for(kRescanPause);
    }
  }

  Task<void> reset(UsbDevice device) override {
    CO_TRY(const auto pipe, co_await open_pipe(device));
    co_return co_await engine_->run_blocking([pipe] { return pipe->reset(); });
  }

 private:
  static std::string describe(const UsbDevice& device, const UsbHolder& holder) {
    return device.address + " is held by " + holder.name;
  }

  // Its last known entry, if any: opening the node shows whether it still exists.
  Task<UsbEntry> find(UsbDevice device) {
    const auto same = [&](const UsbEntry& entry) {
      return entry.device.address == device.address &&
             entry.device.device_number == device.device_number;
    };
    std::vector<UsbEntry> entries = scanner_.seen();
    if (std::ranges::none_of(entries, same)) entries = co_await scanner_.scan();
    const auto at = std::ranges::find_if(entries, same);
    if (at == entries.end()) co_return fail(errc::device_not_found, device.address + " is gone");
    co_return *at;
  }

  // Opens without claiming. Waits for our own link to the same phone if that is still closing.
  Task<std::shared_ptr<UsbPipe>> open_pipe(UsbDevice device) {
    CO_TRY(const auto context, engine_->start());
    const auto limit = Clock::now() + kReleaseLimit;
    while (engine_->is_closing(device.node) && Clock::now() < limit) {
      co_await sleep_for(std::chrono::milliseconds(2));
    }
    CO_TRY(const UsbEntry entry, co_await find(device));
    const UsbPipe::Place place{executor_, options_.write_limit, options_.quiet_limit};
    for (int attempt = 1;; ++attempt) {
      auto pipe = co_await engine_->run_blocking(
          [context, entry, place] { return UsbPipe::open(context, entry, place); });
      const bool denied = !pipe && pipe.error().code() == errc::usb_no_permission;
      if (!denied || attempt == kAccessAttempts || !is_fresh(device.node)) co_return pipe;
      co_await sleep_for(kAccessPause);
    }
  }

  asio::any_io_executor executor_;
  UsbOptions options_;
  UsbEngine* engine_;
  UsbScanner scanner_;
  std::map<std::string, UsbHolder> holders_{};        // by node, from attempts to claim
  std::optional<std::vector<UsbDevice>> reported_{};  // by wait_change(), at first by devices()
};

}  // namespace

Result<std::unique_ptr<UsbBus>> UsbBus::start(const asio::any_io_executor& executor,
                                              UsbOptions options) {
  if (const auto there = list_usb(); !there) return std::unexpected(there.error());
  return std::make_unique<LibusbBus>(executor, options);
}

}  // namespace adbproto
