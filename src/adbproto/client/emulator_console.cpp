#include "adbproto/client/emulator_console.hpp"

#include "adbproto/link/socket_stream.hpp"
#include "base/number.hpp"

namespace adbproto {
namespace {

constexpr std::string_view kSerialPrefix = "emulator-";

bool is_line_or_begins(std::string_view line, std::string_view word) {
  return line == word || (line.starts_with(word) && line.substr(word.size()).starts_with(':'));
}

std::optional<ConsoleReply::Verdict> verdict_of(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (is_line_or_begins(line, "OK")) return ConsoleReply::Verdict::ok;
  if (is_line_or_begins(line, "KO")) return ConsoleReply::Verdict::ko;
  return std::nullopt;
}

Task<ConsoleReply> read_reply(ByteStream* stream, ConsoleReader* reader) {
  std::array<std::byte, 4096> chunk;
  for (;;) {
    CO_TRY(auto reply, reader->next());
    if (reply) co_return *std::move(reply);
    CO_TRY(const std::size_t size, co_await stream->read_some(chunk));
    reader->feed(as_text(ByteView(chunk).first(size)));
  }
}

Task<void> send_line(ByteStream* stream, std::string line) {
  line += '\n';
  co_return co_await stream->write_all(as_bytes(line));
}

Task<ConsoleReply> dial_and_run(std::uint16_t port, std::string token, std::string command) {
  CO_TRY(const auto stream, co_await connect_tcp("127.0.0.1", port));
  co_return co_await run_console_command(stream.get(), std::move(token), std::move(command));
}

}  // namespace

std::optional<std::uint16_t> console_port(std::string_view serial) {
  if (!serial.starts_with(kSerialPrefix)) return std::nullopt;
  const auto port = whole_number<std::uint16_t>(serial.substr(kSerialPrefix.size()));
  return port == 0 ? std::nullopt : port;
}

Result<std::optional<ConsoleReply>> ConsoleReader::next() {
  for (;;) {
    const std::size_t end = buffer_.find('\n', line_start_);
    if (end == buffer_.npos) break;
    const auto verdict =
        verdict_of(std::string_view(buffer_).substr(line_start_, end - line_start_));
    line_start_ = end + 1;
    if (!verdict) continue;
    ConsoleReply reply{*verdict, buffer_.substr(0, line_start_)};
    buffer_.erase(0, std::exchange(line_start_, 0));
    return reply;
  }
  if (buffer_.size() > kMaxConsoleReply) {
    return fail(errc::limit, "the reply of the emulator's console has no end");
  }
  return std::optional<ConsoleReply>{};
}

Task<ConsoleReply> run_console_command(ByteStream* stream, std::string token, std::string command) {
  ConsoleReader reader;
  CO_TRY(const auto greeting, co_await read_reply(stream, &reader));
  if (greeting.verdict == ConsoleReply::Verdict::ko) co_return greeting;
  if (!token.empty() && greeting.text.find("uthentication required") != greeting.text.npos) {
    CO_TRY_VOID(co_await send_line(stream, "auth " + token));
    CO_TRY(auto answer, co_await read_reply(stream, &reader));
    if (answer.verdict == ConsoleReply::Verdict::ko) co_return answer;
  }
  CO_TRY_VOID(co_await send_line(stream, std::move(command)));
  auto reply = co_await read_reply(stream, &reader);
  const bool ended =
      !reply && (reply.error().code() == errc::closed || reply.error().code() == errc::io);
  if (ended) co_return ConsoleReply{ConsoleReply::Verdict::ok, reader.rest()};
  if (reply) co_await send_line(stream, "quit");  // lets the console close cleanly
  co_return reply;
}

Task<ConsoleReply> emulator_command(std::uint16_t port, std::string token, std::string command,
                                    std::chrono::milliseconds limit) {
  const std::string what = "console of emulator-" + std::to_string(port);
  co_return co_await with_deadline(dial_and_run(port, std::move(token), std::move(command)), limit,
                                   what);
}

}  // namespace adbproto
