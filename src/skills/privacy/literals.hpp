#pragma once
// Texts of one user in a line: what a shared file must not have. Pure and linear.

#include "base/prelude.hpp"

namespace clawperator::privacy {

enum class LiteralKind : std::uint8_t { email, phone_number, serial, home_folder };

struct Literal {
  LiteralKind kind{};
  std::size_t offset = 0;  // in bytes
  std::size_t length = 0;
};

// In the order of their offsets. Examples that belong to no person are none: user@example.com,
// +1 555 0100, emulator-5554, 127.0.0.1:5555, /home/user.
std::vector<Literal> find_literals(std::string_view line);

// "an e-mail address", for messages.
std::string_view shown(LiteralKind kind);

}  // namespace clawperator::privacy
