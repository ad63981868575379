#include "adbproto/link/usb_sysfs.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/async/abandonable.hpp"
#include "base/async/scope.hpp"
#include "base/files.hpp"
#include "base/text.hpp"

namespace adbproto {
namespace {

constexpr const char* kDevices = "/sys/bus/usb/devices";
// A USB string has 126 UTF-16 units, at most 378 bytes as UTF-8.
constexpr std::size_t kMaxAttribute = 1024;
// sysfs blocks for seconds on a phone that is leaving; a normal read takes milliseconds.
constexpr auto kScanLimit = std::chrono::seconds(1);

constinit Places reads(32);

// Without the final newline; characters that are unsafe for a terminal become '?'.
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

// Called from more than one thread.
std::string user_name() {
  std::array<char, 4096> text{};
  passwd entry{};
  passwd* found = nullptr;
  ::getpwuid_r(::geteuid(), &entry, text.data(), text.size(), &found);
  return found != nullptr ? found->pw_name : std::to_string(::geteuid());
}

std::string group_name(gid_t id) {
  std::array<char, 16384> text{};
  group entry{};
  group* found = nullptr;
  ::getgrgid_r(id, &entry, text.data(), text.size(), &found);
  return found != nullptr ? found->gr_name : std::to_string(id);
}

std::string group_names() {
  std::vector<gid_t> ids(static_cast<std::size_t>(std::max(0, ::getgroups(0, nullptr))));
  ids.resize(
      static_cast<std::size_t>(std::max(0, ::getgroups(static_cast<int>(ids.size()), ids.data()))));
  if (std::ranges::find(ids, ::getegid()) == ids.end()) ids.push_back(::getegid());
  std::string names;
  for (const gid_t id : ids) names += (names.empty() ? "" : ", ") + group_name(id);
  return names;
}

// The entries of a folder whose names are numbers; none if the folder cannot be read.
std::vector<std::string> numbers_in(const std::string& folder) {
  std::vector<std::string> numbers;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::string name = at->path().filename();
    if (std::ranges::all_of(name, is_digit)) numbers.push_back(std::move(name));
  }
  return numbers;
}

bool has_open(const std::string& process, const struct stat& node) {
  const std::string folder = process + "/fd";
  return std::ranges::any_of(numbers_in(folder), [&](const std::string& fd) {
    struct stat open{};
    return ::stat((folder + "/" + fd).c_str(), &open) == 0 && open.st_ino == node.st_ino &&
           open.st_dev == node.st_dev;
  });
}

std::string process_name(const std::string& process) {
  std::string name;
  std::getline(std::ifstream(process + "/comm"), name);
  return name.empty() ? "a program" : name;
}

bool is_this_program(const std::string& process) {
  struct stat other{};
  struct stat own{};
  return ::stat((process + "/exe").c_str(), &other) == 0 && ::stat("/proc/self/exe", &own) == 0 &&
         other.st_ino == own.st_ino && other.st_dev == own.st_dev;
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

// Used on one thread. Its readers keep it alive: a read may outlive the scanner.
struct UsbScanner::State : std::enable_shared_from_this<State> {
  struct Known {
    UsbPlace place{};  // without a number: absent
    std::optional<UsbEntry> entry{};
    std::optional<Clock::time_point> began{};  // the running read
    bool is_outdated = false;                  // requested again since it began
  };

  State(const asio::any_io_executor& executor, Sysfs with)
      : sysfs(std::move(with)), changed(executor), readers(executor) {}

  void scan() {
    const auto there = sysfs.list().value_or(std::vector<UsbPlace>{});
    for (auto& [name, device] : known) {
      if (std::ranges::find(there, name, &UsbPlace::name) != there.end()) continue;
      device.place = {};
      device.entry.reset();
    }
    std::erase_if(known, [](const auto& device) {
      return device.second.place.device_number == 0 &&
             !device.second.began;  // else its reader still needs it
    });
    for (const UsbPlace& place : there) {
      Known& device = known[place.name];
      if (std::exchange(device.place, place) != place) device.entry.reset();
      request(place.name, &device);
    }
  }

  void request(const std::string& name, Known* device) {
    device->is_outdated = true;
    if (device->began) return;
    device->began = Clock::now();
    readers.spawn([](std::shared_ptr<State> self, std::string of) -> asio::awaitable<void> {
      co_await self->read_device(std::move(of));
    }(shared_from_this(), name));
  }

  asio::awaitable<void> read_device(std::string name) {
    Known& device = known[name];  // stays during the read
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

  // The deadline of the oldest read that is still worth a wait.
  [[nodiscard]] std::optional<Clock::time_point> next_deadline() const {
    std::optional<Clock::time_point> first;
    const auto now = Clock::now();
    for (const auto& [name, device] : known) {
      if (device.place.device_number == 0 || !device.began || *device.began + kScanLimit <= now)
        continue;
      if (!first || *device.began + kScanLimit < *first) first = *device.began + kScanLimit;
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
  using namespace base::parallel;
  const auto state = state_;
  state->scan();
  while (const auto limit = state->next_deadline()) {
    co_await (state->changed.wait() || sleep_for(*limit - Clock::now()));
  }
  co_return state->seen();
}

std::vector<UsbEntry> UsbScanner::seen() const { return state_->seen(); }

std::string explain_no_access(const std::string& node, std::uint16_t vendor_id, int why) {
  struct stat status{};
  if (why == ENOENT || ::stat(node.c_str(), &status) != 0) {
    return node + " does not exist; in a container, pass /dev/bus/usb into it";
  }
  if (why != EACCES && why != EPERM) return "cannot open " + node + ": " + std::strerror(why);
  char rule[160];
  std::snprintf(rule, sizeof rule,
                R"(SUBSYSTEM=="usb", ATTR{idVendor}=="%04x", MODE="0660", GROUP="plugdev", )"
                R"(TAG+="uaccess")",
                vendor_id);
  char mode[16];
  std::snprintf(mode, sizeof mode, "%04o", status.st_mode & 07777u);
  const std::string user = user_name();
  return "no permission for " + node + " (" + mode + ", group " + group_name(status.st_gid) +
         "; you are " + user + " in " + group_names() +
         "): put this line into /etc/udev/rules.d/51-android.rules: " + rule +
         "; then run: sudo usermod -aG plugdev " + user +
         " && sudo udevadm control --reload-rules; log in again and replug the phone";
}

UsbHolder find_usb_holder(const std::string& node) {
  struct stat status{};
  if (::stat(node.c_str(), &status) != 0) return {0, "another program"};
  UsbHolder holder{0, "another user's program (an adb server?)"};
  for (const std::string& number : numbers_in("/proc")) {
    const int pid = std::atoi(number.c_str());
    const std::string process = "/proc/" + number;
    if (!has_open(process, status)) continue;
    const bool is_us = pid == ::getpid();
    const std::string name = process_name(process) + " (pid " + number + ")";
    holder = {pid, is_us ? "this process" : name, !is_us && is_this_program(process)};
    if (!is_us) break;  // other processes first: during our attempt it is open here as well
  }
  return holder;
}

bool still_holds(const UsbHolder& holder, const std::string& node) {
  struct stat status{};
  if (holder.pid == 0 || ::stat(node.c_str(), &status) != 0) return true;
  return has_open("/proc/" + std::to_string(holder.pid), status);
}

}  // namespace adbproto
