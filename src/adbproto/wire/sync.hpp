#pragma once
// Records of the `sync:` service: requests of the host, answers of the device. The device's side is
// in simdroid/adbd/sync_answers.hpp.
//
//   u32 id (four letters)  u32 length  path            requests
//   STAT: mode size mtime                              16 bytes with the id
//   STA2, LST2: error dev ino mode nlink uid gid size atime mtime ctime    72
//   DENT: STAT's fields, u32 length, name; DNT2: STA2's fields, u32 length, name
//   DATA: u32 size, bytes;  DONE: u32 mtime;  OKAY: u32 0;  FAIL: u32 length, text
// Readers of these records are in sync_reader.hpp.

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

constexpr std::uint32_t sync_word(const char (&letters)[5]) {
  std::uint32_t word = 0;
  for (int i = 3; i >= 0; --i) word = word << 8 | static_cast<unsigned char>(letters[i]);
  return word;
}

enum class SyncId : std::uint32_t {
  stat = sync_word("STAT"),
  stat_v2 = sync_word("STA2"),
  lstat_v2 = sync_word("LST2"),
  list = sync_word("LIST"),
  list_v2 = sync_word("LIS2"),
  entry = sync_word("DENT"),
  entry_v2 = sync_word("DNT2"),
  send = sync_word("SEND"),
  send_v2 = sync_word("SND2"),
  recv = sync_word("RECV"),
  recv_v2 = sync_word("RCV2"),
  data = sync_word("DATA"),
  done = sync_word("DONE"),
  okay = sync_word("OKAY"),
  fail = sync_word("FAIL"),
  quit = sync_word("QUIT"),
};

enum class SyncVersion { v1, v2 };

namespace sync_flag {  // of SND2 and RCV2; exactly one compressor or none
inline constexpr std::uint32_t kNone = 0;
inline constexpr std::uint32_t kBrotli = 1;
inline constexpr std::uint32_t kLz4 = 2;
inline constexpr std::uint32_t kZstd = 4;
inline constexpr std::uint32_t kDryRun = 0x80000000;
}  // namespace sync_flag

inline constexpr std::size_t kMaxSyncPath = 1024;   // adbd refuses a longer path
inline constexpr std::size_t kMaxSyncName = 255;    // Linux's NAME_MAX
inline constexpr std::size_t kMaxSyncData = 65536;  // adb's SYNC_DATA_MAX; devices send no more

// A v1 answer fills only mode, size and mtime. It has no reason for a missing file: all fields are
// zero.
struct SyncStat {
  std::uint32_t error = 0;  // Linux errno
  std::uint64_t dev = 0;
  std::uint64_t ino = 0;
  std::uint32_t mode = 0;
  std::uint32_t nlink = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint64_t size = 0;
  std::int64_t atime = 0;
  std::int64_t mtime = 0;
  std::int64_t ctime = 0;

  bool operator==(const SyncStat&) const = default;
};

struct SyncEntry {
  SyncStat stat{};
  std::string name{};

  bool operator==(const SyncEntry&) const = default;
};

// The host's side. Paths above kMaxSyncPath are `limit`, empty ones `invalid_argument`. `id` is one
// of STAT, STA2, LST2, LIST, LIS2, RECV.
Result<Bytes> encode_sync_request(SyncId id, std::string_view path);
Result<Bytes> encode_sync_send(std::string_view path, std::uint32_t mode);
Result<Bytes> encode_sync_send_v2(std::string_view path, std::uint32_t mode, std::uint32_t flags);
Result<Bytes> encode_sync_recv_v2(std::string_view path, std::uint32_t flags);

// Either side. Precondition: at most kMaxSyncData bytes.
Bytes encode_sync_data(ByteView data);
Bytes encode_sync_done(std::uint32_t mtime);

// "No such file or directory" for 2. The numbers are Linux's on every device; an unknown one gives
// "Unknown error".
std::string_view sync_error_text(std::uint32_t error);

// Checks that an entry name can be a file name here: 1 to 255 bytes, no '/', no NUL.
Result<void> check_sync_name(std::string_view name);

}  // namespace adbproto
