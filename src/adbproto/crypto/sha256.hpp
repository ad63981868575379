#pragma once
// SHA-256 of something that comes in pieces.

#include "base/bytes.hpp"

namespace adbproto {

class Sha256 {
 public:
  Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  ~Sha256();
  void update(ByteView piece);
  // 64 lower-case hex digits; nothing may be added afterwards.
  [[nodiscard]] std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Of all of it at once.
std::string sha256_of(std::string_view text);

}  // namespace adbproto
