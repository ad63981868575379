#pragma once
// A device's answers over `sync:`, as the records of adbproto/wire/sync.hpp.

#include "adbproto/wire/sync.hpp"

namespace adbproto {

inline void append_sync_id(Bytes& to, SyncId id) { append_le(to, static_cast<std::uint32_t>(id)); }

inline void append_stat_v1(Bytes& to, const SyncStat& stat) {
  append_le(to, stat.mode);
  append_le(to, static_cast<std::uint32_t>(stat.size));
  append_le(to, static_cast<std::uint32_t>(stat.mtime));
}

inline void append_stat_v2(Bytes& to, const SyncStat& stat) {
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

// STAT
inline Bytes encode_sync_stat(const SyncStat& stat) {
  Bytes out;
  append_sync_id(out, SyncId::stat);
  append_stat_v1(out, stat);
  return out;
}

// STA2, LST2
inline Bytes encode_sync_stat_v2(SyncId id, const SyncStat& stat) {
  Bytes out;
  append_sync_id(out, id);
  append_stat_v2(out, stat);
  return out;
}

inline Bytes encode_sync_entry(SyncVersion version, const SyncEntry& entry) {
  Bytes out;
  if (version == SyncVersion::v1) {
    append_sync_id(out, SyncId::entry);
    append_stat_v1(out, entry.stat);
  } else {
    append_sync_id(out, SyncId::entry_v2);
    append_stat_v2(out, entry.stat);
  }
  append_le(out, static_cast<std::uint32_t>(entry.name.size()));
  append(out, as_bytes(entry.name));
  return out;
}

// DONE, as long as an entry.
inline Bytes encode_sync_list_done(SyncVersion version) {
  Bytes out;
  append_sync_id(out, SyncId::done);
  out.resize(version == SyncVersion::v1 ? 20 : 76);
  return out;
}

inline Bytes encode_sync_okay() {
  Bytes out;
  append_sync_id(out, SyncId::okay);
  append_le(out, std::uint32_t{0});
  return out;
}

inline Bytes encode_sync_fail(std::string_view message) {
  message = message.substr(0, kMaxSyncData);
  Bytes out;
  append_sync_id(out, SyncId::fail);
  append_le(out, static_cast<std::uint32_t>(message.size()));
  append(out, as_bytes(message));
  return out;
}

}  // namespace adbproto
