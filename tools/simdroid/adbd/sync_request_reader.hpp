#pragma once
// Reads a host's requests over `sync:` as a device. Data is returned as a view that is valid until
// the next call of feed() or next(). Every length is checked before its bytes are awaited; an error
// is final.

#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "adbproto/wire/sync.hpp"
#include "base/byte_queue.hpp"

namespace adbproto {

// One request of the host.
struct SyncRequest {
  SyncId id{};
  std::string path{};       // all with a path; of SEND still "path,mode": parse_send_target()
  std::uint32_t mode = 0;   // SND2
  std::uint32_t flags = 0;  // SND2, RCV2
  std::uint32_t mtime = 0;  // DONE
  ByteView data{};          // DATA
};

// SND2 and RCV2 are returned when both of their records are complete.
class SyncRequestReader {
 public:
  void feed(ByteView bytes) {
    queue_.consume(std::exchange(used_, 0));
    queue_.append(bytes);
  }
  Result<std::optional<SyncRequest>> next() {
    queue_.consume(std::exchange(used_, 0));
    if (queue_.size() < kHeader) return std::nullopt;
    return decode(queue_.view());
  }

  [[nodiscard]] std::size_t buffered() const { return queue_.size() - used_; }

 private:
  static constexpr std::size_t kHeader = 8;  // id and one word

  static SyncId id_of(ByteView bytes) { return static_cast<SyncId>(word_at(bytes, 0)); }
  static std::uint32_t word_at(ByteView bytes, std::size_t offset) {
    return load_le<std::uint32_t>(bytes.data() + offset);
  }
  static std::unexpected<Error> unexpected_record() {
    return fail(errc::protocol, "unexpected sync record");
  }

  // The bytes after a record's length word; nullopt when they are incomplete.
  static Result<std::optional<ByteView>> peek_body(ByteView bytes, std::size_t max_size) {
    const std::size_t size = word_at(bytes, 4);
    if (size > max_size) {
      return fail(errc::limit, "sync record of " + std::to_string(size) + " bytes");
    }
    if (bytes.size() < kHeader + size) return std::nullopt;
    return bytes.subspan(kHeader, size);
  }

  Result<std::optional<SyncRequest>> decode(ByteView bytes) {
    SyncRequest request{.id = id_of(bytes)};
    switch (request.id) {
      case SyncId::quit: used_ = kHeader; return request;
      case SyncId::done:
        request.mtime = word_at(bytes, 4);
        used_ = kHeader;
        return request;
      case SyncId::data: {
        TRY(const auto data, peek_body(bytes, kMaxSyncData));
        if (!data) return std::nullopt;
        request.data = *data;
        used_ = kHeader + data->size();
        return request;
      }
      case SyncId::stat:
      case SyncId::stat_v2:
      case SyncId::lstat_v2:
      case SyncId::list:
      case SyncId::list_v2:
      case SyncId::send:
      case SyncId::recv:
      case SyncId::send_v2:
      case SyncId::recv_v2: return decode_path(bytes, std::move(request));
      default: return unexpected_record();
    }
  }

  Result<std::optional<SyncRequest>> decode_path(ByteView bytes, SyncRequest request) {
    TRY(const auto path, peek_body(bytes, kMaxSyncPath));
    if (!path) return std::nullopt;
    const ByteView setup = bytes.subspan(kHeader + path->size());
    std::size_t setup_size = 0;
    if (request.id == SyncId::send_v2) setup_size = 12;
    if (request.id == SyncId::recv_v2) setup_size = 8;
    if (setup.size() < setup_size) return std::nullopt;
    if (setup_size > 0) {
      if (id_of(setup) != request.id) return unexpected_record();
      if (request.id == SyncId::send_v2) request.mode = word_at(setup, 4);
      request.flags = word_at(setup, setup_size - 4);
    }
    request.path = as_text(*path);
    used_ = kHeader + path->size() + setup_size;
    return request;
  }

  ByteQueue queue_;
  std::size_t used_ = 0;  // bytes of the request returned last
};

// The body of SEND, "path,mode". The last comma separates; the mode is octal with a leading 0,
// hexadecimal with 0x, else decimal.
struct SendTarget {
  std::string path{};
  std::uint32_t mode = 0;

  bool operator==(const SendTarget&) const = default;
};
inline Result<SendTarget> parse_send_target(std::string_view body) {
  const std::size_t comma = body.rfind(',');
  if (comma == body.npos) return fail(errc::protocol, "SEND without a comma before its mode");
  auto digits = body.substr(comma + 1);
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    base = 16;
    digits.remove_prefix(2);
  } else if (digits.starts_with('0')) {
    base = 8;
  }
  std::uint32_t mode = 0;
  const char* const begin = digits.data();
  const char* const end = begin + digits.size();
  const auto [after, failed] = std::from_chars(begin, end, mode, base);
  if (failed != std::errc{} || after != end) return fail(errc::protocol, "SEND with a bad mode");
  return SendTarget{std::string(body.substr(0, comma)), mode};
}

}  // namespace adbproto
