#pragma once
// The terminal of an interactive shell: its size, and its raw mode, which ends with this object or
// with a signal that ends or stops the process.

#include <optional>

#include "adbproto/wire/shell_packet.hpp"

namespace clawperator::cli {

// Absent when `fd` is no terminal.
std::optional<adbproto::WindowSize> window_size(int fd);

// At most one at a time. Does nothing where `fd` is no terminal.
class RawTerminal {
 public:
  explicit RawTerminal(int fd);
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;
};

}  // namespace clawperator::cli
