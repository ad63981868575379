#include "support/cassette.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

namespace adbproto::testing {
namespace {

using Kind = CassetteRecord::Kind;

constexpr std::string_view kMagic = "adbtape\x01";
constexpr std::size_t kRecordHeader = 9;

// Kind and length of the record at the front of `bytes`, which hold a whole header.
Result<std::size_t> check_record(ByteView bytes, bool ended) {
  const auto kind = std::to_integer<std::uint8_t>(bytes[0]);
  const auto length = load_le<std::uint32_t>(bytes.data() + 5);
  if (kind > static_cast<std::uint8_t>(Kind::end)) {
    return fail(errc::protocol, "cassette record of unknown kind " + std::to_string(kind));
  }
  if (length > kMaxCassetteRecord) {
    return fail(errc::limit, "cassette record of " + std::to_string(length) + " bytes");
  }
  const bool is_end = Kind{kind} == Kind::end;
  if (is_end != (length == 0)) return fail(errc::protocol, "cassette record of a wrong length");
  if (ended && Kind{kind} != Kind::written) {
    return fail(errc::protocol, "cassette goes on after the peer's end");
  }
  return length;
}

}  // namespace

Bytes encode_cassette_header() { return to_bytes(kMagic); }

Bytes encode_cassette_record(const CassetteRecord& record) {
  constexpr std::int64_t kLongest = std::numeric_limits<std::uint32_t>::max();
  Bytes bytes{static_cast<std::byte>(record.kind)};
  append_le(bytes, static_cast<std::uint32_t>(
                       std::clamp<std::int64_t>(record.since_last.count(), 0, kLongest)));
  append_le(bytes, static_cast<std::uint32_t>(record.bytes.size()));
  append(bytes, record.bytes);
  return bytes;
}

Result<Cassette> parse_cassette(ByteView bytes) {
  if (bytes.size() > kMaxCassette) return fail(errc::limit, "cassette is longer than 1 GiB");
  if (!as_text(bytes).starts_with(kMagic)) return fail(errc::protocol, "not a cassette");
  bytes = bytes.subspan(kMagic.size());
  Cassette cassette;
  bool ended = false;
  while (!bytes.empty()) {
    cassette.cut = bytes.size() < kRecordHeader;
    if (cassette.cut) break;
    TRY(const std::size_t length, check_record(bytes, ended));
    cassette.cut = bytes.size() - kRecordHeader < length;
    if (cassette.cut) break;
    const ByteView body = bytes.subspan(kRecordHeader, length);
    const CassetteRecord record{
        .kind = Kind{std::to_integer<std::uint8_t>(bytes[0])},
        .since_last = std::chrono::microseconds(load_le<std::uint32_t>(bytes.data() + 1)),
        .bytes = Bytes(body.begin(), body.end())};
    ended |= record.kind == Kind::end;
    cassette.records.push_back(record);
    bytes = bytes.subspan(kRecordHeader + length);
  }
  return cassette;
}

Result<std::shared_ptr<CassetteWriter>> CassetteWriter::create(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return fail(errc::io, "cannot create " + path + ": " + std::strerror(errno));
  std::shared_ptr<CassetteWriter> writer(new CassetteWriter(fd, path));
  writer->write_raw(encode_cassette_header());
  if (writer->problem_) return std::unexpected(*writer->problem_);
  return writer;
}

CassetteWriter::~CassetteWriter() { ::close(fd_); }

void CassetteWriter::write(CassetteRecord::Kind kind, ByteView bytes) {
  const auto now = Clock::now();
  do {
    const ByteView part = bytes.first(std::min(bytes.size(), kMaxCassetteRecord));
    const auto since = std::chrono::duration_cast<std::chrono::microseconds>(now - last_);
    write_raw(encode_cassette_record({kind, since, Bytes(part.begin(), part.end())}));
    last_ += since;  // what is below a microsecond goes to the next record
    bytes = bytes.subspan(part.size());
  } while (!bytes.empty());
}

void CassetteWriter::write_raw(ByteView bytes) {
  while (!problem_ && !bytes.empty()) {
    const ssize_t size = ::write(fd_, bytes.data(), bytes.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) {
      problem_ = Error(errc::io, "cannot write " + path_ + ": " + std::strerror(errno));
      return;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(size));
  }
}

Task<std::size_t> RecordingStream::read_some(std::span<std::byte> into) {
  const auto size = co_await inner_->read_some(into);
  if (size) {
    cassette_->write(Kind::read, into.first(*size));
  } else if (size.error().code() == errc::closed && !std::exchange(ended_, true)) {
    cassette_->write(Kind::end, {});
  }
  co_return size;
}

// Written down first: the answer may be read before this coroutine goes on.
Task<void> RecordingStream::write_all(ByteView bytes) {
  if (!bytes.empty()) cassette_->write(Kind::written, bytes);
  co_return co_await inner_->write_all(bytes);
}

ReplayStream::ReplayStream(const asio::any_io_executor& executor, Cassette cassette)
    : changed_(executor) {
  std::chrono::microseconds at{};
  for (CassetteRecord& record : cassette.records) {
    at += record.since_last;
    if (record.kind == Kind::written) {
      append(expected_, record.bytes);
      outbound_.push_back({expected_.size(), at});
    } else {
      inbound_.push_back({std::move(record.bytes), expected_.size(), at});
    }
  }
  // A recording that stops without the peer's end is read as if it had one there.
  if (inbound_.empty() || !inbound_.back().bytes.empty()) {
    inbound_.push_back({{}, expected_.size(), at});
  }
}

Task<std::size_t> ReplayStream::read_some(std::span<std::byte> into) {
  while (!closed_ && written_ < inbound_[inbound_at_].after) co_await changed_.wait();
  if (closed_) co_return fail(errc::closed, "stream closed");
  const Inbound& piece = inbound_[inbound_at_];
  reach(piece.at);
  if (piece.bytes.empty()) co_return fail(errc::closed, "end of the recording");
  const ByteView left = ByteView(piece.bytes).subspan(inbound_taken_);
  const std::size_t size = std::min(into.size(), left.size());
  std::ranges::copy(left.first(size), into.begin());
  inbound_taken_ += size;
  if (size == left.size()) {
    ++inbound_at_;
    inbound_taken_ = 0;
  }
  co_return size;
}

Task<void> ReplayStream::write_all(ByteView bytes) {
  if (closed_) co_return fail(errc::closed, "stream closed");
  const ByteView expected = ByteView(expected_).subspan(written_);
  const auto [ours, theirs] = std::ranges::mismatch(bytes, expected);
  written_ += static_cast<std::size_t>(ours - bytes.begin());
  for (; outbound_at_ < outbound_.size() && outbound_[outbound_at_].end <= written_;
       ++outbound_at_) {
    reach(outbound_[outbound_at_].at);
  }
  changed_.notify_all();
  if (ours != bytes.end()) {
    co_return fail(errc::protocol,
                   "written byte " + std::to_string(written_) + " differs from the recording");
  }
  co_return ok();
}

void ReplayStream::close() {
  closed_ = true;
  changed_.notify_all();
}

bool ReplayStream::finished() const {
  return written_ == expected_.size() && inbound_[inbound_at_].bytes.empty();
}

}  // namespace adbproto::testing
