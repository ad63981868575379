#pragma once
// A simulated USB bus for libusb programs: sysfs, device nodes and usbfs by libumockdev.
//
//   libusb --ioctl--> umockdev's thread --> MockDevice: URBs wait, fail or end --> on_out(bytes)
//                                                      <-- send(bytes)
//
// The program must run under umockdev-wrapper, its children see the same bus. Poll always says
// "ready" here, so an empty reap is held back for a moment.

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/bytes.hpp"

namespace adbproto::testing {

struct MockIdentity {
  std::string name = "1-1";  // bus and port path, as sysfs names the device
  std::string serial = "MOCK0001";
  std::uint16_t packet_size = 512;
  Bytes descriptors{};  // default: what adbd's gadget shows
};

struct MockCounts {
  unsigned submits = 0;
  unsigned claims = 0;
  unsigned halts_cleared = 0;
  unsigned resets = 0;
  unsigned configurations_set = 0;
  unsigned drivers_detached = 0;
  std::size_t most_in_flight = 0;  // bytes
  std::size_t waiting = 0;         // transfers that were not taken back yet
};

// One finished OUT transfer; called on umockdev's thread.
using OnOut = std::function<void(Bytes)>;

class MockDevice;

class MockBus {
 public:
  // Throws where the program does not run under umockdev-wrapper.
  MockBus();
  ~MockBus();
  MockBus(const MockBus&) = delete;
  MockBus& operator=(const MockBus&) = delete;

  // Announced at once.
  std::shared_ptr<MockDevice> plug(const MockIdentity& identity, OnOut on_out);
  // Transfers end as on a pulled cable, then the departure is announced.
  void unplug(const std::shared_ptr<MockDevice>& device);
  [[nodiscard]] std::string root() const;

 private:
  struct Bed;
  std::unique_ptr<Bed> bed_;
  unsigned next_number_ = 2;
  std::map<std::string, std::string> sysfs_;  // by device node
};

// The descriptors of adbd's gadget; in_interface and number as they are in most phones.
Bytes adb_descriptors(std::uint16_t packet_size);

class MockDevice {
 public:
  MockDevice(const MockIdentity& identity, unsigned number, OnOut on_out);
  ~MockDevice() = default;
  MockDevice(const MockDevice&) = delete;
  MockDevice& operator=(const MockDevice&) = delete;

  // One transfer to the host: ends with its bytes, an empty packet is not added.
  void send(Bytes bytes);
  // Answers to no OUT transfer from now on.
  void hang_writes(bool hang);
  // The next transfer of that direction ends with this errno; EPIPE halts the endpoint until
  // the host clears it.
  void fail_next_in(int why);
  void fail_next_out(int why);
  // Called instead of failing inside the model: for tests of what a reset does.
  void set_on_reset(std::function<void()> on_reset);
  // URBs above so many bytes in flight are refused with ENOMEM.
  void limit_memory(std::size_t bytes);
  void vanish();  // without an announcement
  [[nodiscard]] std::size_t unread() const;
  [[nodiscard]] MockCounts counts() const;
  [[nodiscard]] const std::string& node() const;

  struct Model;
  [[nodiscard]] Model& model() { return *model_; }

 private:
  Model* model_;  // stays as long as the program: umockdev may still call
};

}  // namespace adbproto::testing
