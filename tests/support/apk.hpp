#pragma once
// A package as the simulated phone takes it (simdroid/device/package_file.hpp): a zip file with one
// stored entry.

#include <string>
#include <string_view>

#include "base/bytes.hpp"

namespace adbproto::testing {

inline std::string manifest(std::string_view package, std::string_view version, int code) {
  return "<manifest package=\"" + std::string(package) + "\" android:versionName=\"" +
         std::string(version) + "\" android:versionCode=\"" + std::to_string(code) + "\"/>";
}

// `method`: 0 is stored. Checksums and dates are zero, which no test reads.
inline std::string zip_of(std::string_view name, std::string_view content, int method = 0) {
  Bytes zip;
  const auto mark = [&](std::string_view text) { append(zip, as_bytes(text)); };
  const auto sizes = [&] {
    append_le<std::uint32_t>(zip, 0);
    append_le(zip, static_cast<std::uint32_t>(content.size()));
    append_le(zip, static_cast<std::uint32_t>(content.size()));
    append_le(zip, static_cast<std::uint16_t>(name.size()));
    append_le<std::uint16_t>(zip, 0);
  };
  const auto method_and_time = [&] {
    append_le(zip, static_cast<std::uint16_t>(method));
    append_le<std::uint32_t>(zip, 0);
  };
  mark(std::string_view("PK\3\4\x14\0\0\0", 8));
  method_and_time();
  sizes();
  mark(name);
  mark(content);
  const auto directory = static_cast<std::uint32_t>(zip.size());
  mark(std::string_view("PK\1\2\x14\0\x14\0\0\0", 10));
  method_and_time();
  sizes();
  append_le<std::uint16_t>(zip, 0);  // comment
  append_le<std::uint16_t>(zip, 0);  // disk
  append_le<std::uint16_t>(zip, 0);
  append_le<std::uint32_t>(zip, 0);
  append_le<std::uint32_t>(zip, 0);  // where the entry is
  mark(name);
  const auto size = static_cast<std::uint32_t>(zip.size()) - directory;
  mark(std::string_view("PK\5\6\0\0\0\0\1\0\1\0", 12));
  append_le(zip, size);
  append_le(zip, directory);
  append_le<std::uint16_t>(zip, 0);
  return std::string(as_text(zip));
}

inline std::string apk_of(std::string_view package, std::string_view version, int code) {
  return zip_of("AndroidManifest.xml", manifest(package, version, code));
}

}  // namespace adbproto::testing
