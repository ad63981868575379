#pragma once
// The console of an emulator: a line protocol on TCP port P of 127.0.0.1, where its adb is P + 1.
//
//   console: greeting lines, OK            (requires authentication, or not)
//   client:  auth TOKEN                    console: lines, OK   or   KO: reason
//   client:  COMMAND                       console: lines, OK   or   KO: reason
//   client:  quit
//
// TOKEN is the content of ~/.emulator_console_auth_token. Lines end with CR LF.

#include "base/async/byte_stream.hpp"

namespace adbproto {

// "emulator-5554": the console's port.
std::optional<std::uint16_t> console_port(std::string_view serial);

struct ConsoleReply {
  enum class Verdict { ok, ko } verdict{};
  std::string text{};  // its lines unchanged, with the verdict's line

  bool operator==(const ConsoleReply&) const = default;
};

// `help` takes a few KiB; a reply without OK or KO must not fill memory.
inline constexpr std::size_t kMaxConsoleReply = 1 << 20;

// Splits a console's output into replies; an error is final.
class ConsoleReader {
 public:
  void feed(std::string_view text) { buffer_ += text; }
  // nullopt: more is needed. Fails with limit when a reply is too long.
  Result<std::optional<ConsoleReply>> next();
  // The text since the last whole reply.
  [[nodiscard]] const std::string& rest() const { return buffer_; }

 private:
  std::string buffer_;
  std::size_t line_start_ = 0;  // earlier lines belong to the reply and are no verdict
};

// Runs one command. An emulator that ends without a verdict (`kill`) is `ok`. A refused token is
// the reply.
Task<ConsoleReply> run_console_command(ByteStream* stream, std::string token, std::string command);

// Dials the console; io when it does not listen.
Task<ConsoleReply> emulator_command(std::uint16_t port, std::string token, std::string command,
                                    std::chrono::milliseconds limit);

}  // namespace adbproto
