#include "mock_bus.hpp"

#include <sys/stat.h>
#include <umockdev.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "mock_model.hpp"

namespace adbproto::testing {
namespace {

constexpr const char* kRoot = "/sys/devices/usb1";

std::string hex_of(ByteView bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02X", std::to_integer<unsigned>(byte));
    text += digits;
  }
  return text;
}

Bytes bytes_of(std::initializer_list<unsigned> values) {
  Bytes bytes;
  for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

std::string format(const char* pattern, unsigned number) {
  char text[80];
  std::snprintf(text, sizeof text, pattern, number);
  return text;
}

// Only this form makes a node, and announces the device after all its attributes are there.
std::string description(const MockIdentity& identity, unsigned number, const Bytes& descriptors) {
  const char* speed = identity.packet_size == 1024  ? "5000"
                      : identity.packet_size == 512 ? "480"
                                                    : "12";
  const std::string hex = hex_of(descriptors);
  return "P: /devices/usb1/" + identity.name + "\n" + format("N: bus/usb/001/%03u=", number) + hex +
         "\nE: DEVTYPE=usb_device\n" + format("E: DEVNAME=/dev/bus/usb/001/%03u\n", number) +
         "E: BUSNUM=001\n" + format("E: DEVNUM=%03u\n", number) + "E: MAJOR=189\n" +
         format("E: MINOR=%u\n", number - 1) +
         "E: PRODUCT=18d1/4ee7/601\nE: SUBSYSTEM=usb\nA: busnum=1\n" +
         format("A: devnum=%u\n", number) + "A: speed=" + speed +
         "\nA: idVendor=18d1\nA: idProduct=4ee7\nA: bConfigurationValue=1\n"
         "A: bNumConfigurations=1\nA: bDeviceClass=00\n" +
         (identity.serial.empty() ? "" : "A: serial=" + identity.serial + "\n") +
         "A: manufacturer=Mock\nA: product=simdroid on USB\nH: descriptors=" + hex + "\n";
}

[[noreturn]] void give_up(GError* error) {
  const std::string text = error != nullptr ? error->message : "umockdev failed";
  g_clear_error(&error);
  throw std::runtime_error(text);
}

gboolean on_ioctl(UMockdevIoctlBase*, UMockdevIoctlClient* client, gpointer model) {
  return static_cast<MockDevice::Model*>(model)->on_ioctl(client);
}
void on_vanished(UMockdevIoctlBase*, UMockdevIoctlClient* client, gpointer model) {
  static_cast<MockDevice::Model*>(model)->on_vanished(client);
}

}  // namespace

Bytes adb_descriptors(std::uint16_t packet_size) {
  const unsigned low = packet_size & 255u;
  const unsigned high = packet_size >> 8u;
  return bytes_of({0x12, 1,    0,    2, 0,   0,    0,    0x40, 0xd1,
                   0x18, 0xe7, 0x4e, 1, 6,   1,    2,    3,    1,  //
                   9,    2,    0x20, 0, 1,   1,    4,    0x80, 1,  //
                   9,    4,    0,    0, 2,   0xff, 0x42, 1,    5,  //
                   7,    5,    2,    2, low, high, 0,              //
                   7,    5,    0x81, 2, low, high, 0});
}

struct MockBus::Bed {
  Bed() : handle(umockdev_testbed_new()) {}
  ~Bed() { g_object_unref(handle); }
  Bed(const Bed&) = delete;
  Bed& operator=(const Bed&) = delete;
  UMockdevTestbed* handle;
};

// umockdev 0.17 looks once whether it is at work, and remembers: ask after the bed is there.
MockBus::MockBus() : bed_(std::make_unique<Bed>()) {
  if (umockdev_in_mock_environment() == FALSE) {
    throw std::runtime_error("run this under umockdev-wrapper");
  }
  const Bytes hub =
      bytes_of({0x12, 1, 0,    2, 9, 0, 1, 0x40, 0x6b, 0x1d, 2, 0, 1, 6, 3, 2, 1, 1,  //
                9,    2, 0x19, 0, 1, 1, 0, 0xe0, 0,                                   //
                9,    4, 0,    0, 1, 9, 0, 0,    0,                                   //
                7,    5, 0x81, 3, 4, 0, 12});
  const std::string text =
      "P: /devices/usb1\nN: bus/usb/001/001=" + hex_of(hub) +
      "\nE: DEVTYPE=usb_device\nE: DEVNAME=/dev/bus/usb/001/001\nE: BUSNUM=001\nE: DEVNUM=001\n"
      "E: SUBSYSTEM=usb\nA: busnum=1\nA: devnum=1\nA: speed=480\nA: idVendor=1d6b\n"
      "A: idProduct=0002\nA: bConfigurationValue=1\nA: bDeviceClass=09\nH: descriptors=" +
      hex_of(hub) + "\n";
  GError* error = nullptr;
  if (umockdev_testbed_add_from_string(bed_->handle, text.c_str(), &error) == FALSE) give_up(error);
}

MockBus::~MockBus() = default;

std::string MockBus::root() const {
  gchar* folder = umockdev_testbed_get_root_dir(bed_->handle);
  std::string text = folder;
  g_free(folder);
  return text;
}

std::shared_ptr<MockDevice> MockBus::plug(const MockIdentity& identity, OnOut on_out) {
  const unsigned number = next_number_++;
  auto device = std::make_shared<MockDevice>(identity, number, std::move(on_out));
  const Bytes descriptors =
      identity.descriptors.empty() ? adb_descriptors(identity.packet_size) : identity.descriptors;
  const std::string text = description(identity, number, descriptors);
  sysfs_[device->node()] = std::string(kRoot) + "/" + identity.name;
  GError* error = nullptr;
  // The handler first: who listens for arrivals may open the node at once.
  if (umockdev_testbed_attach_ioctl(bed_->handle, device->node().c_str(), device->model().handler,
                                    &error) == FALSE ||
      umockdev_testbed_add_from_string(bed_->handle, text.c_str(), &error) == FALSE) {
    give_up(error);
  }
  return device;
}

void MockBus::unplug(const std::shared_ptr<MockDevice>& device) {
  device->vanish();
  const std::string sysfs = sysfs_[device->node()];
  umockdev_testbed_uevent(bed_->handle, sysfs.c_str(), "remove");
  umockdev_testbed_remove_device(bed_->handle, sysfs.c_str());
}

MockDevice::MockDevice(const MockIdentity& identity, unsigned number, OnOut on_out)
    : model_(new Model(identity, number, std::move(on_out))) {
  model_->node = format("/dev/bus/usb/001/%03u", number);
  model_->handler = umockdev_ioctl_base_new();
  g_signal_connect(model_->handler, "handle-ioctl", G_CALLBACK(on_ioctl), model_);
  g_signal_connect(model_->handler, "client-vanished", G_CALLBACK(on_vanished), model_);
}

void MockDevice::send(Bytes bytes) {
  const std::lock_guard lock(model_->mutex);
  if (!bytes.empty()) model_->to_send.push_back(std::move(bytes));
}
void MockDevice::hang_writes(bool hang) {
  const std::lock_guard lock(model_->mutex);
  model_->hang_writes = hang;
}
void MockDevice::fail_next_in(int why) {
  const std::lock_guard lock(model_->mutex);
  model_->fail_in = why;
}
void MockDevice::fail_next_out(int why) {
  const std::lock_guard lock(model_->mutex);
  model_->fail_out = why;
}
void MockDevice::set_on_reset(std::function<void()> on_reset) {
  const std::lock_guard lock(model_->mutex);
  model_->on_reset = std::move(on_reset);
}
void MockDevice::limit_memory(std::size_t bytes) {
  const std::lock_guard lock(model_->mutex);
  model_->memory_limit = bytes;
}
void MockDevice::vanish() {
  const std::lock_guard lock(model_->mutex);
  model_->gone = true;
  model_->finish_all(-ESHUTDOWN);
}
std::size_t MockDevice::unread() const {
  const std::lock_guard lock(model_->mutex);
  std::size_t bytes = 0;
  for (const Bytes& one : model_->to_send) bytes += one.size();
  return bytes;
}
MockCounts MockDevice::counts() const {
  const std::lock_guard lock(model_->mutex);
  MockCounts now = model_->counts;
  now.waiting = model_->waiting();
  return now;
}
const std::string& MockDevice::node() const { return model_->node; }

}  // namespace adbproto::testing
