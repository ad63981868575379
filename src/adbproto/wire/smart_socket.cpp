#include "adbproto/wire/smart_socket.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "adbproto/wire/services.hpp"

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

void append_length(Bytes& to, std::size_t length) {
  for (int shift = 12; shift >= 0; shift -= 4) {
    to.push_back(static_cast<std::byte>("0123456789abcdef"[length >> shift & 0xf]));
  }
}

Bytes encode_frame(std::string_view word, std::string_view text) {
  text = text.substr(0, kMaxSmartFrame);
  Bytes out;
  out.reserve(word.size() + kWord + text.size());
  append(out, as_bytes(word));
  append_length(out, text.size());
  append(out, as_bytes(text));
  return out;
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

Bytes take_all(ByteQueue& queue) {
  const ByteView rest = queue.view();
  Bytes out(rest.begin(), rest.end());
  queue.clear();
  return out;
}

struct VerbShape {
  std::string_view verb;  // ends in ':' or '-' when arguments follow
  ReplyShape shape;
};

constexpr VerbShape kVerbShapes[] = {
    {"transport:", ReplyShape::pipe},
    {"transport-usb", ReplyShape::pipe},
    {"transport-local", ReplyShape::pipe},
    {"transport-any", ReplyShape::pipe},
    {"transport-id:", ReplyShape::pipe},
    {"tport:", ReplyShape::u64},
    {"wait-for-", ReplyShape::second_status},
    {"forward:", ReplyShape::second_status},
    {"killforward:", ReplyShape::second_status},
    {"killforward-all", ReplyShape::second_status},
    {"track-devices", ReplyShape::blocks},
    {"track-devices-", ReplyShape::blocks},
    {"track-mdns-services", ReplyShape::blocks},
    {"emulator:", ReplyShape::none},
    {"kill", ReplyShape::none},
};

bool matches(std::string_view verb, std::string_view pattern) {
  const bool open_ended = pattern.ends_with(':') || pattern.ends_with('-');
  return open_ended ? verb.starts_with(pattern) : verb == pattern;
}

}  // namespace

Result<Bytes> encode_request(std::string_view service) {
  if (service.empty()) return fail(errc::invalid_argument, "empty service name");
  if (service.size() > kMaxSmartFrame) {
    return fail(errc::limit, "service name of " + std::to_string(service.size()) +
                                 " bytes where the adb server takes 65535");
  }
  return encode_frame("", service);
}

Bytes encode_okay() { return to_bytes("OKAY"); }
Bytes encode_fail(std::string_view message) { return encode_frame("FAIL", message); }
Bytes encode_block(std::string_view text) { return encode_frame("", text); }

Result<std::optional<std::string>> BlockReader::next() { return take_frame(queue_); }
Bytes BlockReader::take_rest() { return take_all(queue_); }

Result<std::optional<std::string>> RequestReader::next() {
  TRY(auto request, blocks_.next());
  if (request && request->empty()) return fail(errc::protocol, "request of length 0");
  return request;
}

Result<std::optional<Okay>> StatusReader::next() { return take_status(queue_); }
Bytes StatusReader::take_rest() { return take_all(queue_); }

ReplyShape reply_shape(std::string_view service) {
  const auto host = parse_host_service(service);
  if (!host) {
    const bool tracks = service == "track-app" || service == "track-jdwp";
    return tracks ? ReplyShape::blocks : ReplyShape::pipe;
  }
  const auto* found = std::ranges::find_if(
      kVerbShapes, [&](const VerbShape& row) { return matches(host->verb, row.verb); });
  return found == std::end(kVerbShapes) ? ReplyShape::text : found->shape;
}

Result<std::optional<Reply>> ReplyReader::next() {
  switch (stage_) {
    case Stage::first_status:
    case Stage::second_status: {
      TRY(const auto status, take_status(queue_));
      if (!status) return std::nullopt;
      stage_ = stage_after_okay();
      if (stage_ == Stage::finished || stage_ == Stage::late_text) return Reply{};
      return next();
    }
    case Stage::body: return next_body();
    case Stage::late_text: return next_text(Reply::Kind::text);
    case Stage::finished: return std::nullopt;
  }
  return std::nullopt;
}

ReplyReader::Stage ReplyReader::stage_after_okay() const {
  if (stage_ == Stage::second_status) return Stage::late_text;
  switch (shape_) {
    case ReplyShape::pipe:
    case ReplyShape::none: return Stage::finished;
    case ReplyShape::second_status: return Stage::second_status;
    case ReplyShape::text:
    case ReplyShape::u64:
    case ReplyShape::blocks: return Stage::body;
  }
  return Stage::finished;
}

Result<std::optional<Reply>> ReplyReader::next_body() {
  if (shape_ == ReplyShape::blocks) return next_text(Reply::Kind::block);
  if (shape_ == ReplyShape::text) {
    // `host:pair:` says OKAY when it begins and FAIL when the pairing fails.
    if (queue_.size() >= kWord && as_text(queue_.view().first(kWord)) == "FAIL") {
      TRY_VOID(take_status(queue_));
      return std::nullopt;
    }
    return next_text(Reply::Kind::text);
  }
  if (queue_.size() < sizeof(std::uint64_t)) return std::nullopt;
  Reply reply{Reply::Kind::number, {}, load_le<std::uint64_t>(queue_.view().data())};
  queue_.consume(sizeof(std::uint64_t));
  stage_ = Stage::finished;
  return reply;
}

Result<std::optional<Reply>> ReplyReader::next_text(Reply::Kind kind) {
  TRY(auto text, take_frame(queue_));
  if (!text) return std::nullopt;
  if (kind == Reply::Kind::text) stage_ = Stage::finished;
  return Reply{kind, *std::move(text), 0};
}

Bytes ReplyReader::take_rest() { return take_all(queue_); }

}  // namespace adbproto
