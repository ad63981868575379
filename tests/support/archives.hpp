#pragma once
// Archives made by hand, good and bad: what the format allows, and what it forbids.

#include <zlib.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace adbproto::testing {

struct TarMember {
  std::string name{};
  std::string data{};
  char type = '0';  // '0' file, '1' hard link, '2' link, '3' device, '5' folder, '6' pipe
  unsigned mode = 0644;
  std::string target{};
};

// POSIX ustar, with the end that is two blocks of zeros.
inline std::string tar_of(const std::vector<TarMember>& members) {
  std::string tar;
  for (const TarMember& member : members) {
    std::string header(512, '\0');
    const auto put = [&header](std::size_t at, std::string_view text) {
      header.replace(at, text.size(), text);
    };
    const auto octal = [](unsigned long long value, int digits) {
      char text[32];
      std::snprintf(text, sizeof text, "%0*llo", digits, value);
      return std::string(text);
    };
    put(0, member.name.substr(0, 100));
    put(100, octal(member.mode, 7));
    put(108, octal(0, 7));
    put(116, octal(0, 7));
    put(124, octal(member.data.size(), 11));
    put(136, octal(0, 11));
    put(148, "        ");
    header[156] = member.type;
    put(157, member.target);
    put(257, std::string_view("ustar\00000", 8));
    unsigned sum = 0;
    for (const char c : header) sum += static_cast<unsigned char>(c);
    put(148, octal(sum, 6) + std::string(1, '\0') + " ");
    tar += header + member.data + std::string((512 - member.data.size() % 512) % 512, '\0');
  }
  return tar + std::string(1024, '\0');
}

inline std::string gzipped(const std::string& text) {
  z_stream stream{};
  constexpr int kGzip = 16 + MAX_WBITS;
  if (deflateInit2(&stream, 9, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("no deflate");
  }
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

struct ZipMember {
  std::string name{};
  std::string data{};
  unsigned mode = 0100644;              // of Unix, with the kind
  std::uint32_t declared = UINT32_MAX;  // the size in the header; UINT32_MAX: the true one
};

// Members as they are, uncompressed (method 0), by the makers' appnote.
inline std::string zip_of(const std::vector<ZipMember>& members) {
  std::string zip;
  std::string directory;
  const auto word = [](std::string* to, std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) *to += static_cast<char>(value >> (8 * i));
  };
  for (const ZipMember& member : members) {
    const auto offset = static_cast<std::uint32_t>(zip.size());
    const auto size = static_cast<std::uint32_t>(member.data.size());
    const std::uint32_t declared = member.declared == UINT32_MAX ? size : member.declared;
    const auto crc = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(member.data.data()), size));
    const auto shared = [&](std::string* to) {
      word(to, 20, 2);
      word(to, 0x0800, 2);  // names are UTF-8
      word(to, 0, 2);
      word(to, 0x00210000, 4);  // 1980-01-01
      word(to, crc, 4);
      word(to, size, 4);
      word(to, declared, 4);
      word(to, static_cast<std::uint32_t>(member.name.size()), 2);
      word(to, 0, 2);
    };
    zip += "PK\x03\x04";
    shared(&zip);
    zip += member.name + member.data;
    directory += "PK\x01\x02";
    word(&directory, 0x031e, 2);  // made on Unix
    shared(&directory);
    word(&directory, 0, 2);
    word(&directory, 0, 2);
    word(&directory, 0, 2);
    word(&directory, member.mode << 16, 4);
    word(&directory, offset, 4);
    directory += member.name;
  }
  const auto at = static_cast<std::uint32_t>(zip.size());
  zip += directory + "PK\x05\x06";
  word(&zip, 0, 4);
  word(&zip, static_cast<std::uint32_t>(members.size()), 2);
  word(&zip, static_cast<std::uint32_t>(members.size()), 2);
  word(&zip, static_cast<std::uint32_t>(directory.size()), 4);
  word(&zip, at, 4);
  word(&zip, 0, 2);
  return zip;
}

}  // namespace adbproto::testing
