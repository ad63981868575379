#pragma once
// usbfs of one simulated device: what happens to its URBs.

#include <umockdev.h>

#include <deque>
#include <limits>

#include "mock_bus.hpp"

namespace adbproto::testing {

struct MockDevice::Model {
  struct Urb;
  struct Answer {
    long result = 0;
    int error = 0;
  };

  Model(const MockIdentity& identity, unsigned number, OnOut on_out);
  ~Model();

  gboolean on_ioctl(UMockdevIoctlClient* client);
  void on_vanished(UMockdevIoctlClient* client);
  void finish_all(int status);  // requires the mutex
  [[nodiscard]] std::size_t waiting() const;

  UMockdevIoctlBase* handler = nullptr;
  std::string node;

  std::mutex mutex;  // of everything below; the test and umockdev's thread
  bool gone = false;
  bool hang_writes = false;
  int fail_in = 0;
  int fail_out = 0;
  bool halted_in = false;
  bool halted_out = false;
  std::deque<Bytes> to_send;
  std::size_t memory_limit = std::numeric_limits<std::size_t>::max();
  std::function<void()> on_reset;
  MockCounts counts;

 private:
  Answer handle(UMockdevIoctlClient* client);
  Answer claim(UMockdevIoctlClient* client);
  Answer reset();
  void deliver();
  Answer capabilities(UMockdevIoctlData* argument);
  Answer connect_info(UMockdevIoctlData* argument);
  Answer get_configuration(UMockdevIoctlData* argument);
  Answer submit(UMockdevIoctlClient* client, UMockdevIoctlData* argument);
  Answer control(Urb urb);
  Answer discard(UMockdevIoctlData* argument);
  Answer reap(UMockdevIoctlClient* client, UMockdevIoctlData* argument);
  void settle();
  bool fill(Urb& urb);  // whether it is over
  [[nodiscard]] std::size_t in_flight() const;

  std::size_t packet_size_;
  unsigned number_;
  std::string serial_;
  OnOut on_out_;
  std::vector<Bytes> taken_;  // OUT transfers to be handed on
  bool was_reset_ = false;
  UMockdevIoctlClient* owner_ = nullptr;  // of the claimed interface
  std::deque<Urb> in_wait_;
  std::deque<Urb> out_wait_;
  std::deque<Urb> done_;
};

}  // namespace adbproto::testing
