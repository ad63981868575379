#include "adbproto/link/usb_scanner.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "adbproto/link/abandonable.hpp"
#include "adbproto/link/scope.hpp"
#include "adbproto/link/signal.hpp"

namespace adbproto {
namespace {

constexpr auto kScanPatience = std::chrono::seconds(1);

constinit Places reads(32);

}  // namespace

// One thread. Kept alive by its readers: a read may outlive the scanner.
struct UsbScanner::State : std::enable_shared_from_this<State> {
  struct Known {
    UsbPlace place{};  // without a number: not there
    std::optional<UsbEntry> entry{};
    std::optional<Clock::time_point> began{};  // the read that is under way
    bool is_outdated = false;                  // somebody asked after it began
  };

  State(const asio::any_io_executor& executor, Sysfs with)
      : sysfs(std::move(with)), changed(executor), readers(executor) {}

  void look() {
    const auto there = sysfs.list().value_or(std::vector<UsbPlace>{});
    for (auto& [name, device] : known) {
      if (std::ranges::find(there, name, &UsbPlace::name) != there.end()) continue;
      device.place = {};
      device.entry.reset();
    }
    std::erase_if(known, [](const auto& device) {
      return device.second.place.device_number == 0 &&
             !device.second.began;  // else its reader needs it
    });
    for (const UsbPlace& place : there) {
      Known& device = known[place.name];
      if (std::exchange(device.place, place) != place) device.entry.reset();
      want(place.name, &device);
    }
  }

  void want(const std::string& name, Known* device) {
    device->is_outdated = true;
    if (device->began) return;
    device->began = Clock::now();
    readers.spawn([](std::shared_ptr<State> self, std::string of) -> asio::awaitable<void> {
      co_await self->read_device(std::move(of));
    }(shared_from_this(), name));
  }

  asio::awaitable<void> read_device(std::string name) {
    Known& device = known[name];  // stays while it is being read
    while (std::exchange(device.is_outdated, false)) {
      device.began = Clock::now();
      const UsbPlace place = device.place;
      auto entry = co_await run_abandonable(
          &reads,
          [place, read = sysfs.read]() -> Result<std::optional<UsbEntry>> { return read(place); });
      if (entry && place == device.place) device.entry = *std::move(entry);
    }
    device.began.reset();
    changed.notify_all();
  }

  // Of the read that has been waited for longest, if it is worth waiting any longer.
  [[nodiscard]] std::optional<Clock::time_point> patience_ends() const {
    std::optional<Clock::time_point> first;
    const auto now = Clock::now();
    for (const auto& [name, device] : known) {
      if (device.place.device_number == 0 || !device.began || *device.began + kScanPatience <= now)
        continue;
      if (!first || *device.began + kScanPatience < *first) first = *device.began + kScanPatience;
    }
    return first;
  }

  [[nodiscard]] std::vector<UsbEntry> seen() const {
    std::vector<UsbEntry> entries;
    for (const auto& [name, device] : known) {
      if (device.entry) entries.push_back(*device.entry);
    }
    return entries;
  }

  Sysfs sysfs;
  std::map<std::string, Known> known;  // by name
  Signal changed;
  Scope readers;
};

UsbScanner::UsbScanner(const asio::any_io_executor& executor, Sysfs sysfs)
    : state_(std::make_shared<State>(executor, std::move(sysfs))) {}
UsbScanner::~UsbScanner() { state_->readers.cancel(); }

asio::awaitable<std::vector<UsbEntry>> UsbScanner::scan() {
  using namespace adbproto::parallel;
  const auto state = state_;
  state->look();
  while (const auto limit = state->patience_ends()) {
    co_await (state->changed.wait() || sleep_for(*limit - Clock::now()));
  }
  co_return state->seen();
}

std::vector<UsbEntry> UsbScanner::seen() const { return state_->seen(); }

}  // namespace adbproto
