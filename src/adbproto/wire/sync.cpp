#include "adbproto/wire/sync.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>

namespace adbproto {
namespace {

void append_id(Bytes& to, SyncId id) { append_le(to, static_cast<std::uint32_t>(id)); }

Bytes encode_word_record(SyncId id, std::uint32_t word) {
  Bytes out;
  append_id(out, id);
  append_le(out, word);
  return out;
}

Bytes encode_text_record(SyncId id, ByteView text) {
  Bytes out;
  out.reserve(8 + text.size());
  append_id(out, id);
  append_le(out, static_cast<std::uint32_t>(text.size()));
  append(out, text);
  return out;
}

void append_stat_v1(Bytes& to, const SyncStat& stat) {
  append_le(to, stat.mode);
  append_le(to, static_cast<std::uint32_t>(stat.size));
  append_le(to, static_cast<std::uint32_t>(stat.mtime));
}

void append_stat_v2(Bytes& to, const SyncStat& stat) {
  append_le(to, stat.error);
  append_le(to, stat.dev);
  append_le(to, stat.ino);
  append_le(to, stat.mode);
  append_le(to, stat.nlink);
  append_le(to, stat.uid);
  append_le(to, stat.gid);
  append_le(to, stat.size);
  append_le(to, stat.atime);
  append_le(to, stat.mtime);
  append_le(to, stat.ctime);
}

struct ErrorText {
  std::uint32_t number;
  std::string_view text;
};

// asm-generic numbers: the only ones adbd sends.
constexpr ErrorText kErrorTexts[] = {
    {0, "Success"},
    {1, "Operation not permitted"},
    {2, "No such file or directory"},
    {4, "Interrupted system call"},
    {5, "I/O error"},
    {12, "Out of memory"},
    {13, "Permission denied"},
    {14, "Bad address"},
    {17, "File exists"},
    {20, "Not a directory"},
    {21, "Is a directory"},
    {22, "Invalid argument"},
    {23, "Too many open files in system"},
    {24, "Too many open files"},
    {26, "Text file busy"},
    {27, "File too large"},
    {28, "No space left on device"},
    {30, "Read-only file system"},
    {36, "File name too long"},
    {40, "Too many symbolic links"},
    {75, "Value too large"},
};

}  // namespace

Result<Bytes> encode_sync_request(SyncId id, std::string_view path) {
  if (path.empty()) return fail(errc::invalid_argument, "empty path");
  if (path.size() > kMaxSyncPath) {
    return fail(errc::limit, "path of " + std::to_string(path.size()) + " bytes where sync takes " +
                                 std::to_string(kMaxSyncPath));
  }
  return encode_text_record(id, as_bytes(path));
}

Result<Bytes> encode_sync_send(std::string_view path, std::uint32_t mode) {
  if (path.empty()) return fail(errc::invalid_argument, "empty path");
  return encode_sync_request(SyncId::send, std::string(path) + "," + std::to_string(mode));
}

Result<Bytes> encode_sync_send_v2(std::string_view path, std::uint32_t mode, std::uint32_t flags) {
  TRY(auto out, encode_sync_request(SyncId::send_v2, path));
  append_id(out, SyncId::send_v2);
  append_le(out, mode);
  append_le(out, flags);
  return out;
}

Result<Bytes> encode_sync_recv_v2(std::string_view path, std::uint32_t flags) {
  TRY(auto out, encode_sync_request(SyncId::recv_v2, path));
  append_id(out, SyncId::recv_v2);
  append_le(out, flags);
  return out;
}

Bytes encode_sync_quit() { return encode_word_record(SyncId::quit, 0); }

Bytes encode_sync_data(ByteView data) {
  assert(data.size() <= kMaxSyncData);
  return encode_text_record(SyncId::data, data);
}

Bytes encode_sync_done(std::uint32_t mtime) { return encode_word_record(SyncId::done, mtime); }

Bytes encode_sync_stat(const SyncStat& stat) {
  Bytes out;
  append_id(out, SyncId::stat);
  append_stat_v1(out, stat);
  return out;
}

Bytes encode_sync_stat_v2(SyncId id, const SyncStat& stat) {
  Bytes out;
  append_id(out, id);
  append_stat_v2(out, stat);
  return out;
}

Bytes encode_sync_entry(SyncVersion version, const SyncEntry& entry) {
  Bytes out;
  if (version == SyncVersion::v1) {
    append_id(out, SyncId::entry);
    append_stat_v1(out, entry.stat);
  } else {
    append_id(out, SyncId::entry_v2);
    append_stat_v2(out, entry.stat);
  }
  append_le(out, static_cast<std::uint32_t>(entry.name.size()));
  append(out, as_bytes(entry.name));
  return out;
}

Bytes encode_sync_list_done(SyncVersion version) {
  Bytes out;
  append_id(out, SyncId::done);
  out.resize(version == SyncVersion::v1 ? 20 : 76);
  return out;
}

Bytes encode_sync_okay() { return encode_word_record(SyncId::okay, 0); }

Bytes encode_sync_fail(std::string_view message) {
  return encode_text_record(SyncId::fail, as_bytes(message.substr(0, kMaxSyncData)));
}

Result<SendTarget> parse_send_target(std::string_view body) {
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

std::string_view sync_error_text(std::uint32_t error) {
  const auto* found = std::ranges::find(kErrorTexts, error, &ErrorText::number);
  return found == std::end(kErrorTexts) ? "Unknown error" : found->text;
}

Result<void> check_sync_name(std::string_view name) {
  if (name.empty()) return fail(errc::protocol, "directory entry without a name");
  if (name.size() > kMaxSyncName) return fail(errc::limit, "directory entry name above 255 bytes");
  if (name.find_first_of(std::string_view("/\0", 2)) != name.npos) {
    return fail(errc::protocol, "directory entry name with '/' or NUL inside");
  }
  return {};
}

}  // namespace adbproto
