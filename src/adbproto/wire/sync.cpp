#include "adbproto/wire/sync.hpp"

#include <algorithm>
#include <cassert>

namespace adbproto {
namespace {

void append_id(Bytes& to, SyncId id) { append_le(to, static_cast<std::uint32_t>(id)); }

Bytes encode_text_record(SyncId id, ByteView text) {
  Bytes out;
  out.reserve(8 + text.size());
  append_id(out, id);
  append_le(out, static_cast<std::uint32_t>(text.size()));
  append(out, text);
  return out;
}

struct ErrorText {
  std::uint32_t number;
  std::string_view text;
};

// asm-generic numbers: adbd sends no others.
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

Bytes encode_sync_data(ByteView data) {
  assert(data.size() <= kMaxSyncData);
  return encode_text_record(SyncId::data, data);
}

Bytes encode_sync_done(std::uint32_t mtime) {
  Bytes out;
  append_id(out, SyncId::done);
  append_le(out, mtime);
  return out;
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
