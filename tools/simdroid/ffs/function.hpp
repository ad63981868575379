#pragma once
// A phone at the end of a USB cable: one FunctionFS instance of a Linux gadget.
//
//   ep0  descriptors in; events out: ENABLE, DISABLE, UNBIND, SETUP
//   ep1  what the host sends        ep2  what the phone sends
//
// USB does not show that a host has left. The CNXN of the next host shows it and begins a new link;
// the old link ends then, and when the cable is unplugged.

#include <asio/any_io_executor.hpp>
#include <cstddef>
#include <memory>
#include <string>

#include "base/async/byte_stream.hpp"

namespace simdroid {

// Deliberate misbehaviour, to test hosts; 0: never.
struct Misbehaviour {
  std::size_t stall_after = 0;   // transfers, both ways counted: the IN endpoint halts, once
  std::size_t vanish_after = 0;  // transfers: the endpoints are closed in the middle
  std::size_t stale = 0;         // unrequested packets that wait for every host
};

class Function {
 public:
  // `directory` is a mounted FunctionFS. io: it cannot be opened, or another process has it.
  static Result<std::unique_ptr<Function>> open(const asio::any_io_executor& executor,
                                                const std::string& directory,
                                                Misbehaviour misbehaviour);
  ~Function();
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;

  // The next host's link. closed: after `vanish_after` transfers. protocol: a host lost the packet
  // borders; like adbd, the phone has closed the endpoints, and they must be opened again.
  Task<adbproto::ByteStreamPtr> accept();

  // Unplugs; required before destruction.
  asio::awaitable<void> stop();

  class Parts;  // shared with the links

 private:
  explicit Function(std::shared_ptr<Parts> parts);
  std::shared_ptr<Parts> parts_;
};

}  // namespace simdroid
