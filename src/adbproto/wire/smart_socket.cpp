#include "adbproto/wire/smart_socket.hpp"

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

// The text of the LLLL frame at the front of `bytes`; nullopt when it is not whole.
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

// A FAIL stays in the queue, so that asking again gives the same error.
Result<std::optional<Okay>> take_status(ByteQueue& queue) {
  if (queue.size() < kWord) return std::nullopt;
  const auto word = as_text(queue.view().first(kWord));
  if (word == "OKAY") {
    queue.consume(kWord);
    return Okay{};
  }
  if (word != "FAIL") return fail(errc::protocol, "server answered neither OKAY nor FAIL");
  TRY(const auto message, peek_frame(queue.view().subspan(kWord)));
  if (!message) return std::nullopt;
  if (message->empty()) {
    return fail(errc::refused, "server gave no reason (more than one device?)");
  }
  return fail(errc::refused, std::string(*message));
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
  // `host:pair:` says OKAY when it begins and FAIL when the pairing fails.
  if (is_text && as_text(queue_.view()).starts_with("FAIL")) {
    TRY_VOID(take_status(queue_));
    return std::nullopt;
  }
  TRY(auto text, take_frame(queue_));
  finished_ = text.has_value();
  return text;
}

}  // namespace adbproto
