#pragma once
// Everything that passed over one byte stream, in a file: recorded from live traffic, served back
// later without the peer.
//
//   offset 0  "adbtape"    offset 7  u8  version, 1     then records:
//   offset 0  u8   kind: 0 read, 1 written, 2 the peer's end
//   offset 1  u32  microseconds since the record before (at most 2^32 - 1)
//   offset 5  u32  length     offset 9  ...  bytes
//
// All little endian. A record that the end of the file cut off is left out: what a crash left
// behind can be replayed up to there.

#include <algorithm>
#include <asio/any_io_executor.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async/byte_stream.hpp"
#include "base/async/signal.hpp"
#include "base/clock.hpp"

namespace adbproto::testing {

inline constexpr std::size_t kMaxCassette = std::size_t{1} << 30;
inline constexpr std::size_t kMaxCassetteRecord = std::size_t{16} << 20;

struct CassetteRecord {
  enum class Kind : std::uint8_t { read = 0, written = 1, end = 2 };

  Kind kind{};
  std::chrono::microseconds since_last{};
  Bytes bytes{};

  bool operator==(const CassetteRecord&) const = default;
};

struct Cassette {
  std::vector<CassetteRecord> records;
  bool cut = false;  // the last record was not whole and is left out

  bool operator==(const Cassette&) const = default;
};

Bytes encode_cassette_header();
// Precondition: at most kMaxCassetteRecord bytes.
Bytes encode_cassette_record(const CassetteRecord& record);

// `protocol` for what is no cassette, `limit` for a record or a file that is too long.
Result<Cassette> parse_cassette(ByteView bytes);

// One file, created or emptied. Every record is handed to the operating system at once, so a crash
// of this process loses none. After the first failure nothing more is written.
class CassetteWriter {
 public:
  static Result<std::shared_ptr<CassetteWriter>> create(const std::string& path);
  ~CassetteWriter();
  CassetteWriter(const CassetteWriter&) = delete;
  CassetteWriter& operator=(const CassetteWriter&) = delete;

  void write(CassetteRecord::Kind kind, ByteView bytes);
  // Why recording stopped early.
  [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

 private:
  CassetteWriter(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  void write_raw(ByteView bytes);

  int fd_;
  std::string path_;
  Clock::time_point last_ = Clock::now();
  std::optional<Error> problem_;
};

// Passes everything through to `inner`, and a copy to the cassette.
class RecordingStream final : public ByteStream {
 public:
  RecordingStream(ByteStreamPtr inner, std::shared_ptr<CassetteWriter> cassette)
      : inner_(std::move(inner)), cassette_(std::move(cassette)) {}

  Task<std::size_t> read_some(std::span<std::byte> into) override;
  Task<void> write_all(ByteView bytes) override;
  [[nodiscard]] std::uint64_t sent() override { return inner_->sent(); }
  void close() override { inner_->close(); }

 private:
  ByteStreamPtr inner_;
  std::shared_ptr<CassetteWriter> cassette_;
  bool ended_ = false;
};

// Plays the peer of a recording. Recorded bytes are read as soon as everything that had been
// written before them is written again; a write that differs from the recording is `protocol`,
// naming the offset in all written bytes. Takes no time.
class ReplayStream final : public ByteStream {
 public:
  ReplayStream(const asio::any_io_executor& executor, Cassette cassette);

  Task<std::size_t> read_some(std::span<std::byte> into) override;
  Task<void> write_all(ByteView bytes) override;
  void close() override;

  // How much time had passed in the recording at the furthest point reached.
  [[nodiscard]] std::chrono::microseconds elapsed() const { return elapsed_; }
  // Everything recorded was read and written.
  [[nodiscard]] bool finished() const;

 private:
  struct Inbound {
    Bytes bytes;        // empty: the peer's end
    std::size_t after;  // written bytes that come before it
    std::chrono::microseconds at;
  };
  struct Outbound {
    std::size_t end;  // offset behind it in all written bytes
    std::chrono::microseconds at;
  };
  void reach(std::chrono::microseconds at) { elapsed_ = std::max(elapsed_, at); }

  std::vector<Inbound> inbound_;
  std::vector<Outbound> outbound_;
  Bytes expected_;  // all written bytes
  std::size_t inbound_at_ = 0;
  std::size_t inbound_taken_ = 0;  // bytes of inbound_[inbound_at_] already read
  std::size_t outbound_at_ = 0;
  std::size_t written_ = 0;
  std::chrono::microseconds elapsed_{};
  bool closed_ = false;
  Signal changed_;
};

}  // namespace adbproto::testing
