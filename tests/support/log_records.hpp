#pragma once
// Entries of `logcat -B` as a phone writes them (adbproto/wire/logcat.hpp).

#include "adbproto/wire/logcat.hpp"

namespace adbproto {

enum class LogVersion : std::uint8_t { v1 = 1, v3 = 3, v4 = 4 };

// A tag or message holding a NUL is cut there; a payload above kMaxLogPayload is cut at its end.
inline Bytes encode_log_record(const LogRecord& record, LogVersion version = LogVersion::v4) {
  const auto until_nul = [](std::string_view text) { return text.substr(0, text.find('\0')); };
  const std::string_view tag = until_nul(record.tag).substr(0, kMaxLogPayload - 3);
  const std::string_view message =
      until_nul(record.message).substr(0, kMaxLogPayload - 3 - tag.size());
  constexpr std::string_view kPrioritiesByNumber = "??VDIWEFS";
  Bytes out;
  out.reserve(28 + 3 + tag.size() + message.size());
  append_le(out, static_cast<std::uint16_t>(3 + tag.size() + message.size()));
  // v1 had padding where the header size is now.
  const int header_size = version == LogVersion::v1 ? 0 : version == LogVersion::v3 ? 24 : 28;
  append_le(out, static_cast<std::uint16_t>(header_size));
  append_le(out, record.pid);
  append_le(out, record.tid);
  append_le(out, record.sec);
  append_le(out, record.nsec);
  if (version != LogVersion::v1) append_le(out, record.log_id);
  if (version == LogVersion::v4) append_le(out, record.uid);
  const std::size_t priority = kPrioritiesByNumber.find(record.priority);
  out.push_back(static_cast<std::byte>(priority == kPrioritiesByNumber.npos ? 0 : priority));
  for (const auto text : {tag, message}) {
    append(out, as_bytes(text));
    out.push_back(std::byte{0});
  }
  return out;
}

}  // namespace adbproto
