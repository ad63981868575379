#include "adbproto/wire/smart_socket.hpp"

#include <algorithm>
#include <charconv>
#include <ranges>

#include "base/text.hpp"

namespace adbproto {
namespace {

constexpr std::size_t kWord = 4;  // LLLL, OKAY, FAIL

// The value of four hex digits of either case.
Result<std::size_t> parse_length(ByteView digits) {
  std::size_t value = 0;
  for (const char c : as_text(digits)) {
    const auto digit = std::string_view("0123456789abcdefABCDEF").find(c);
    if (digit == std::string_view::npos) {
      return fail(errc::protocol, "length of a frame is not four hex digits");
    }
    value = value * 16 + (digit < 16 ? digit : digit - 6);
  }
  return value;
}

// The text of the LLLL frame at the beginning of `bytes`; nullopt when it is incomplete.
Result<std::optional<std::string_view>> peek_frame(ByteView bytes) {
  if (bytes.size() < kWord) return std::nullopt;
  TRY(const std::size_t length, parse_length(bytes.first(kWord)));
  if (bytes.size() < kWord + length) return std::nullopt;
  return as_text(bytes.subspan(kWord, length));
}

Result<std::optional<std::string>> take_frame(ByteQueue& queue) {
  TRY(const auto frame, peek_frame(queue.view()));
  if (!frame) return std::nullopt;
  std::string text(*frame);
  queue.consume(kWord + text.size());
  return text;
}

// A FAIL stays in the queue, so that another call returns the same error.
Result<std::optional<Okay>> take_status(ByteQueue& queue) {
  if (queue.size() < kWord) return std::nullopt;
  const auto word = as_text(queue.view().first(kWord));
  if (word == "OKAY") {
    queue.consume(kWord);
    return Okay{};
  }
  if (word != "FAIL") return fail(errc::protocol, "the server answered neither OKAY nor FAIL");
  TRY(const auto message, peek_frame(queue.view().subspan(kWord)));
  if (!message) return std::nullopt;
  if (message->empty()) {
    return fail(errc::refused, "the server gave no reason (more than one device?)");
  }
  return fail(errc::refused, std::string(*message));
}

constexpr std::string_view kStates[] = {
    "connecting", "authorizing", "unauthorized", "detached", "offline", "bootloader", "device",
    "host",       "recovery",    "sideload",     "rescue",   "any",     "no device",  "unknown",
};

// Removes " key:value" from the end of the line.
std::string_view take_last(std::string_view& line, std::string_view key) {
  const std::size_t at = line.rfind(key);
  if (at == line.npos) return {};
  const auto value = line.substr(at + key.size());
  line = line.substr(0, at);
  return value;
}

struct StatePlace {
  std::size_t begin;
  std::size_t end;
};

// "no permissions (reason); see [address]" or "no permissions".
std::optional<StatePlace> find_no_permissions(std::string_view line) {
  const std::size_t at = line.find(" no permissions");
  if (at == line.npos) return std::nullopt;
  const std::size_t close = line.rfind(']');
  if (close != line.npos && close > at) return StatePlace{at + 1, close + 1};
  const std::size_t paren = line.rfind(')');
  if (paren != line.npos && paren > at) return StatePlace{at + 1, paren + 1};
  return StatePlace{at + 1, at + std::string_view(" no permissions").size()};
}

// The state is the last word of the rest or, before a devpath, the last but one.
std::optional<StatePlace> find_state(std::string_view line) {
  if (const auto place = find_no_permissions(line)) return place;
  const std::size_t last_space = line.rfind(' ');
  for (const std::size_t end : {line.size(), std::min(last_space, line.size())}) {
    for (const auto state : kStates) {
      const auto head = line.substr(0, end);
      const bool whole_word =
          head.size() > state.size() && head[head.size() - state.size() - 1] == ' ';
      if (head.ends_with(state) && whole_word) return StatePlace{end - state.size(), end};
    }
  }
  if (last_space == line.npos) return std::nullopt;
  return StatePlace{last_space + 1, line.size()};  // an unknown state
}

std::optional<DeviceLine> parse_long_line(std::string_view line) {
  DeviceLine out;
  const auto id = take_last(line, " transport_id:");
  std::from_chars(id.data(), id.data() + id.size(), out.transport_id);
  out.device = take_last(line, " device:");
  out.model = take_last(line, " model:");
  out.product = take_last(line, " product:");
  line = trimmed_end(line, " ");
  const auto state = find_state(line);
  if (!state) return std::nullopt;
  out.serial = trimmed_end(line.substr(0, state->begin), " ");
  out.state = line.substr(state->begin, state->end - state->begin);
  if (state->end < line.size()) out.devpath = line.substr(line.find_first_not_of(' ', state->end));
  if (out.serial.empty()) return std::nullopt;
  return out;
}

std::optional<DeviceLine> parse_short_line(std::string_view line) {
  const std::size_t tab = line.find('\t');
  if (tab == line.npos || tab == 0 || tab + 1 == line.size()) return std::nullopt;
  return DeviceLine{.serial = std::string(line.substr(0, tab)),
                    .state = std::string(line.substr(tab + 1))};
}

Result<std::vector<DeviceLine>> parse_lines(std::string_view text, auto parse) {
  std::vector<DeviceLine> lines;
  for (const auto piece : text | std::views::split('\n')) {
    std::string_view line(piece);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    auto parsed = parse(line);
    if (!parsed) {
      return fail(errc::protocol, "the adb server's list has a line without a device");
    }
    lines.push_back(*std::move(parsed));
  }
  return lines;
}

}  // namespace

Result<Bytes> encode_request(std::string_view service) {
  if (service.empty()) return fail(errc::invalid_argument, "empty service name");
  if (service.size() > kMaxSmartFrame) {
    return fail(errc::limit, "service name of " + std::to_string(service.size()) +
                                 " bytes where the adb server takes 65535");
  }
  Bytes out;
  out.reserve(kWord + service.size());
  for (int shift = 12; shift >= 0; shift -= 4) {
    out.push_back(static_cast<std::byte>("0123456789abcdef"[service.size() >> shift & 0xf]));
  }
  append(out, as_bytes(service));
  return out;
}

Result<std::optional<std::string>> BlockReader::next() { return take_frame(queue_); }

Result<std::optional<Okay>> StatusReader::next() { return take_status(queue_); }

Result<std::optional<std::string>> ReplyReader::next() {
  const bool is_text = shape_ == ReplyShape::text;
  while (statuses_ > 0) {
    TRY(const auto status, take_status(queue_));
    if (!status) return std::nullopt;
    if (--statuses_ == 0 && !is_text) return std::string();
  }
  if (finished_ || shape_ == ReplyShape::none) return std::nullopt;
  // `host:pair:` sends OKAY at its beginning and FAIL when the pairing fails.
  if (is_text && as_text(queue_.view()).starts_with("FAIL")) {
    TRY_VOID(take_status(queue_));
    return std::nullopt;
  }
  TRY(auto text, take_frame(queue_));
  finished_ = text.has_value();
  return text;
}

Result<std::vector<DeviceLine>> parse_devices(std::string_view text) {
  return parse_lines(text, parse_short_line);
}

Result<std::vector<DeviceLine>> parse_devices_long(std::string_view text) {
  return parse_lines(text, parse_long_line);
}

}  // namespace adbproto
