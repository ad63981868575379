#include "adbproto/wire/sync_reader.hpp"

#include <algorithm>

namespace adbproto {
namespace {

constexpr std::size_t kRecordHeader = 8;  // id and one word
constexpr std::size_t kStatSize = 16;
constexpr std::size_t kStatV2Size = 72;

SyncId id_of(ByteView bytes) { return static_cast<SyncId>(load_le<std::uint32_t>(bytes.data())); }

std::uint32_t word_at(ByteView bytes, std::size_t offset) {
  return load_le<std::uint32_t>(bytes.data() + offset);
}

std::unexpected<Error> unexpected_record(SyncId id) {
  std::string letters;
  for (int shift = 0; shift < 32; shift += 8) {
    const auto c = static_cast<char>(std::to_underlying(id) >> shift & 0xff);
    letters += c >= ' ' && c <= '~' ? c : '?';
  }
  return fail(errc::protocol, "unexpected sync record " + letters);
}

// Reads the fields of a record one after the other.
class StatFields {
 public:
  explicit StatFields(const std::byte* at) : at_(at) {}

  template <class Integer>
  void take(Integer& into) {
    into = load_le<Integer>(at_);
    at_ += sizeof into;
  }

 private:
  const std::byte* at_;
};

// `bytes` begin with the record's id.
SyncStat load_stat(ByteView bytes, SyncVersion version) {
  StatFields fields(bytes.data() + 4);
  SyncStat stat;
  if (version == SyncVersion::v1) {
    std::uint32_t size = 0;
    std::uint32_t mtime = 0;
    fields.take(stat.mode);
    fields.take(size);
    fields.take(mtime);
    stat.size = size;
    stat.mtime = mtime;
    return stat;
  }
  fields.take(stat.error);
  fields.take(stat.dev);
  fields.take(stat.ino);
  fields.take(stat.mode);
  fields.take(stat.nlink);
  fields.take(stat.uid);
  fields.take(stat.gid);
  fields.take(stat.size);
  fields.take(stat.atime);
  fields.take(stat.mtime);
  fields.take(stat.ctime);
  return stat;
}

constexpr std::size_t stat_size(SyncVersion version) {
  return version == SyncVersion::v1 ? kStatSize : kStatV2Size;
}

Result<void> check_size(ByteView bytes, std::size_t max_size, std::string_view what) {
  const std::size_t size = word_at(bytes, 4);
  if (size <= max_size) return ok();
  return fail(errc::limit, "sync " + std::string(what) + " of " + std::to_string(size) +
                               " bytes where " + std::to_string(max_size) + " are allowed");
}

// The bytes after a record's length word; nullopt when they are incomplete.
Result<std::optional<ByteView>> peek_body(ByteView bytes, std::size_t max_size,
                                          std::string_view what) {
  TRY_VOID(check_size(bytes, max_size, what));
  const std::size_t size = word_at(bytes, 4);
  if (bytes.size() < kRecordHeader + size) return std::nullopt;
  return bytes.subspan(kRecordHeader, size);
}

}  // namespace

void SyncResponseReader::consume(std::size_t count) {
  if (queue_.empty()) {
    fed_ = fed_.subspan(count);
  } else {
    queue_.consume(count);
  }
}

void SyncResponseReader::keep_rest() { queue_.append(std::exchange(fed_, {})); }

void SyncResponseReader::feed(ByteView bytes) {
  consume(std::exchange(used_, 0));
  keep_rest();
  fed_ = bytes;
  if (!queue_.empty()) keep_rest();
}

Result<std::optional<SyncResponse>> SyncResponseReader::next() {
  consume(std::exchange(used_, 0));
  if (data_left_ > 0) return next_piece();
  if (source().size() >= kRecordHeader) {
    TRY(auto response, decode(source()));
    if (response && response->last() && !expected_.empty()) expected_.pop_front();
    if (response) return response;
  }
  keep_rest();
  return std::nullopt;
}

std::optional<SyncResponse> SyncResponseReader::next_piece() {
  const ByteView here = source();
  if (here.empty() && data_left_ > 0) return std::nullopt;
  used_ = std::min(here.size(), data_left_);
  data_left_ -= used_;
  return SyncResponse{.kind = SyncResponse::Kind::data, .data = here.first(used_)};
}

Result<std::optional<SyncResponse>> SyncResponseReader::decode(ByteView bytes) {
  const SyncId id = id_of(bytes);
  if (id == SyncId::fail) return decode_fail(bytes);
  if (expected_.empty()) return unexpected_record(id);
  const auto is = [&](SyncId wanted) { return id == wanted; };
  switch (expected_.front()) {
    case SyncAnswerTo::stat:
      if (is(SyncId::stat)) return decode_stat(bytes, SyncVersion::v1);
      break;
    case SyncAnswerTo::stat_v2:
      if (is(SyncId::stat_v2) || is(SyncId::lstat_v2)) return decode_stat(bytes, SyncVersion::v2);
      break;
    case SyncAnswerTo::list:
      if (is(SyncId::entry)) return decode_entry(bytes, SyncVersion::v1);
      if (is(SyncId::done)) return decode_end(bytes, SyncResponse::Kind::done, kStatSize + 4);
      break;
    case SyncAnswerTo::list_v2:
      if (is(SyncId::entry_v2)) return decode_entry(bytes, SyncVersion::v2);
      if (is(SyncId::done)) return decode_end(bytes, SyncResponse::Kind::done, kStatV2Size + 4);
      break;
    case SyncAnswerTo::recv:
      if (is(SyncId::data)) return decode_data(bytes);
      if (is(SyncId::done)) return decode_end(bytes, SyncResponse::Kind::done, kRecordHeader);
      break;
    case SyncAnswerTo::send:
      if (is(SyncId::okay)) return decode_end(bytes, SyncResponse::Kind::okay, kRecordHeader);
      break;
  }
  return unexpected_record(id);
}

Result<std::optional<SyncResponse>> SyncResponseReader::decode_stat(ByteView bytes,
                                                                    SyncVersion version) {
  if (bytes.size() < stat_size(version)) return std::nullopt;
  used_ = stat_size(version);
  return SyncResponse{.kind = SyncResponse::Kind::stat, .stat = load_stat(bytes, version)};
}

Result<std::optional<SyncResponse>> SyncResponseReader::decode_entry(ByteView bytes,
                                                                     SyncVersion version) {
  const std::size_t fixed = stat_size(version) + 4;
  if (bytes.size() < fixed) return std::nullopt;
  const std::size_t name_size = word_at(bytes, fixed - 4);
  if (name_size > kMaxSyncName) {
    return fail(errc::limit, "directory entry name of " + std::to_string(name_size) + " bytes");
  }
  if (bytes.size() < fixed + name_size) return std::nullopt;
  const auto name = as_text(bytes.subspan(fixed, name_size));
  TRY_VOID(check_sync_name(name));
  used_ = fixed + name_size;
  return SyncResponse{.kind = SyncResponse::Kind::entry,
                      .stat = load_stat(bytes, version),
                      .text = std::string(name)};
}

Result<std::optional<SyncResponse>> SyncResponseReader::decode_data(ByteView bytes) {
  TRY_VOID(check_size(bytes, kMaxSyncData, "data"));
  data_left_ = word_at(bytes, 4);
  consume(kRecordHeader);
  return next_piece();
}

Result<std::optional<SyncResponse>> SyncResponseReader::decode_end(ByteView bytes,
                                                                   SyncResponse::Kind kind,
                                                                   std::size_t size) {
  if (bytes.size() < size) return std::nullopt;
  used_ = size;
  return SyncResponse{.kind = kind};
}

Result<std::optional<SyncResponse>> SyncResponseReader::decode_fail(ByteView bytes) {
  TRY(const auto message, peek_body(bytes, kMaxSyncData, "failure text"));
  if (!message) return std::nullopt;
  used_ = kRecordHeader + message->size();
  return SyncResponse{.kind = SyncResponse::Kind::fail, .text = std::string(as_text(*message))};
}

}  // namespace adbproto
