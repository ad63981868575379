#pragma once
// SHA-256 of data that arrives in pieces.

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
  // 64 lower-case hex digits; add nothing afterwards.
  [[nodiscard]] std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// SHA-256 of a whole text.
std::string sha256_of(std::string_view text);

}  // namespace adbproto
