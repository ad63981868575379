#include "adbproto/link/usb_sysfs.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <map>
#include <utility>

#include "adbproto/link/abandonable.hpp"
#include "adbproto/link/scope.hpp"
#include "adbproto/link/usb_access.hpp"
#include "base/files.hpp"

namespace adbproto {
namespace {

constexpr const char* kDevices = "/sys/bus/usb/devices";
constexpr std::size_t kMaxAttribute = 1024;
constexpr auto kScanPatience = std::chrono::seconds(1);

constinit Places reads(32);

// Without the newline at its end; what no terminal should see becomes '?'.
std::string attribute(const std::string& folder, const char* name) {
  std::string text = read_file(folder + "/" + name, kMaxAttribute).value_or("");
  while (text.ends_with('\n')) text.pop_back();
  std::ranges::replace_if(text, [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; }, '?');
  return text;
}

template <class Number>
std::optional<Number> number(const std::string& folder, const char* name) {
  const std::string text = attribute(folder, name);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return value;
}

std::string folder_of(const std::string& name) { return std::string(kDevices) + "/" + name; }

std::string node_of(unsigned bus, unsigned device) {
  char text[40];
  std::snprintf(text, sizeof text, "/dev/bus/usb/%03u/%03u", bus, device);
  return text;
}

void probe_access(UsbDevice& device) {
  if (::access(device.node.c_str(), R_OK | W_OK) == 0) return;
  device.access = UsbDevice::Access::denied;
  device.obstacle = explain_no_access(device.node, device.vendor_id, errno);
}

std::optional<UsbPlace> read_place(std::string name) {
  const std::string folder = folder_of(name);
  const auto device_number = number<std::uint8_t>(folder, "devnum");
  const auto raw = read_file(folder + "/descriptors", kMaxUsbDescriptors);
  auto parsed = parse_usb_descriptors(as_bytes(raw ? std::string_view(*raw) : std::string_view()));
  if (!device_number || !parsed || parsed->interfaces.empty()) return std::nullopt;
  return UsbPlace{std::move(name), *device_number, *std::move(parsed)};
}

}  // namespace

Result<std::vector<UsbPlace>> list_usb() {
  std::error_code error;
  std::filesystem::directory_iterator at(kDevices, error);
  if (error) return fail(errc::unsupported, "this system has no USB (no /sys/bus/usb)");
  std::vector<UsbPlace> places;
  for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    std::string name = at->path().filename();
    // "1-2.3" is a device, "1-2.3:1.0" an interface of it.
    if (!name.contains('-') || name.contains(':')) continue;
    if (auto place = read_place(std::move(name))) places.push_back(*std::move(place));
  }
  std::ranges::sort(places, {}, &UsbPlace::name);
  return places;
}

std::optional<UsbEntry> read_usb(const UsbPlace& place) {
  const std::string folder = folder_of(place.name);
  const UsbDescriptors& described = place.descriptors;
  const auto active = number<std::uint8_t>(folder, "bConfigurationValue");
  const auto bus = number<std::uint8_t>(folder, "busnum");
  const auto device_number = number<std::uint8_t>(folder, "devnum");
  if (!active || !bus || !device_number) return std::nullopt;
  const auto at = std::ranges::find(described.interfaces, *active, &UsbInterface::configuration);
  if (at == described.interfaces.end()) return std::nullopt;
  UsbDevice device{.address = "usb:" + place.name,
                   .serial = attribute(folder, "serial"),
                   .manufacturer = attribute(folder, "manufacturer"),
                   .product = attribute(folder, "product"),
                   .vendor_id = described.vendor_id,
                   .product_id = described.product_id,
                   .bus = *bus,
                   .device_number = *device_number,
                   .interface_number = at->number,
                   .speed_mbit = number<std::uint32_t>(folder, "speed").value_or(0),
                   .node = node_of(*bus, *device_number)};
  probe_access(device);
  return UsbEntry{std::move(device), *at};
}

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
