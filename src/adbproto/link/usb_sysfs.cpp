#include "adbproto/link/usb_sysfs.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <optional>

#include "adbproto/link/usb_access.hpp"
#include "base/files.hpp"

namespace adbproto {
namespace {

constexpr const char* kDevices = "/sys/bus/usb/devices";
constexpr std::size_t kMaxAttribute = 1024;

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
  DIR* folder = ::opendir(kDevices);
  if (folder == nullptr) return fail(errc::unsupported, "this system has no USB (no /sys/bus/usb)");
  std::vector<UsbPlace> places;
  while (const dirent* item = ::readdir(folder)) {
    std::string name = item->d_name;
    // "1-2.3" is a device, "1-2.3:1.0" an interface of it.
    if (name.find('-') == std::string::npos || name.find(':') != std::string::npos) continue;
    if (auto place = read_place(std::move(name))) places.push_back(*std::move(place));
  }
  ::closedir(folder);
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

}  // namespace adbproto
