#pragma once
// The simulated phone with a USB plug: takes transfers apart and puts packets together as adbd
// does, and is as strict as an old one.
//
//   MockDevice --OUT transfers--> UsbPhone --bytes--> simdroid     on a thread of its own
//              <--IN transfers---          <--bytes--

#include <asio/io_context.hpp>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include "adbproto/wire/packet.hpp"
#include "base/async/scope.hpp"
#include "mock_bus.hpp"
#include "simdroid/simulation.hpp"

namespace adbproto::testing {

struct PhoneCounts {
  std::atomic<unsigned> connects = 0;     // CNXN
  std::atomic<unsigned> closes = 0;       // CLSE
  std::atomic<unsigned> out_of_step = 0;  // transfers that an old adbd would not take
  std::atomic<unsigned> empty = 0;        // empty transfers, each behind whole packets
  std::atomic<std::size_t> received = 0;
  std::atomic<std::size_t> sent = 0;
};

class UsbPhone {
 public:
  explicit UsbPhone(MockBus* bus, MockIdentity identity = {}, simdroid::SimOptions options = {});
  ~UsbPhone();
  UsbPhone(const UsbPhone&) = delete;
  UsbPhone& operator=(const UsbPhone&) = delete;

  void unplug();
  // With a new number on the bus.
  void plug();
  // Goes silent: takes what comes and says nothing.
  void set_mute(bool mute) { mute_ = mute; }
  // Leaves the bus once it has sent so many bytes more.
  void leave_after(std::size_t bytes);

  [[nodiscard]] std::shared_ptr<MockDevice> device() const;
  [[nodiscard]] const PhoneCounts& counts() const { return counts_; }

 private:
  struct Host;
  void on_transfer(const Bytes& bytes);
  void on_header(const Bytes& bytes);
  void connect();
  asio::awaitable<void> feed(std::shared_ptr<Host> host);
  asio::awaitable<void> answer(std::shared_ptr<Host> host);
  void send_packet(const Packet& packet);
  void send(Bytes bytes);

  MockBus* bus_;
  MockIdentity identity_;
  mutable std::mutex mutex_;  // of device_
  std::shared_ptr<MockDevice> device_;
  PhoneCounts counts_;
  std::atomic<bool> mute_ = false;
  std::atomic<std::size_t> leave_at_ = static_cast<std::size_t>(-1);

  // The phone's own thread.
  asio::io_context context_{1};
  std::unique_ptr<simdroid::Simulation> simulation_;
  Scope tasks_{context_.get_executor()};
  std::shared_ptr<Host> host_;
  std::size_t payload_left_ = 0;
  bool empty_expected_ = false;
  std::thread thread_;
};

}  // namespace adbproto::testing
