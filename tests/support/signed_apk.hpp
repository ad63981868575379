#pragma once
// Android packages made by hand, byte by byte: a zip with a binary manifest and a signing block.

#include <zlib.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace adbproto::testing {

template <class Integer>
std::string le(Integer value) {
  Bytes bytes;
  append_le(bytes, value);
  return std::string(as_text(bytes));
}
inline std::string le16(std::size_t value) { return le(static_cast<std::uint16_t>(value)); }
inline std::string le32(std::size_t value) { return le(static_cast<std::uint32_t>(value)); }
inline std::string le64(std::size_t value) { return le(static_cast<std::uint64_t>(value)); }
inline std::string after_length(std::string_view text) {
  return le32(text.size()) + std::string(text);
}

// One string attribute of the manifest; the one for the package has no name space.
struct ManifestAttribute {
  std::string name;
  std::string value;
  bool android = false;  // of Android's name space
};

inline std::string pool_string(std::string_view text, bool utf8) {
  std::string out;
  if (utf8) {
    const auto length = [](std::size_t size) {
      std::string prefix;
      if (size > 0x7F) prefix += static_cast<char>(0x80 | size >> 8);
      return prefix += static_cast<char>(size & 0xFF);
    };
    out = length(text.size()) + length(text.size()) + std::string(text) + '\0';
  } else {
    if (text.size() > 0x7FFF) out = le16(0x8000 | text.size() >> 16U);
    out += le16(text.size() & 0xFFFF);
    for (const char c : text) out += le16(static_cast<unsigned char>(c));
    out += le16(0);
  }
  return out;
}

inline std::string chunk(std::size_t type, std::string_view header, std::string_view body) {
  return le16(type) + le16(8 + header.size()) + le32(8 + header.size() + body.size()) +
         std::string(header) + std::string(body);
}

// `copies`: so often are its attributes there.
inline std::string binary_manifest(const std::vector<ManifestAttribute>& attributes, bool utf8,
                                   std::string_view element = "manifest", std::size_t copies = 1) {
  std::vector<std::string> strings{std::string(element),
                                   "http://schemas.android.com/apk/res/android"};
  std::string rows;
  for (const ManifestAttribute& each : attributes) {
    const std::size_t name = strings.size();
    strings.insert(strings.end(), {each.name, each.value});
    rows += le32(each.android ? 1 : 0xFFFFFFFF) + le32(name) + le32(name + 1) + le16(8) +
            std::string("\0\3", 2) + le32(name + 1);
  }
  std::string all_rows, offsets, texts;
  for (std::size_t i = 0; i < copies; ++i) all_rows += rows;
  for (const std::string& each : strings) {
    offsets += le32(texts.size());
    texts += pool_string(each, utf8);
  }
  const std::string pool = chunk(
      0x0001,
      le32(strings.size()) + le32(0) + le32(utf8 ? 0x100 : 0) + le32(28 + offsets.size()) + le32(0),
      offsets + texts);
  const std::string resources = chunk(0x0180, "", le32(0x0101021b));
  const std::string begin =
      chunk(0x0102, le32(1) + le32(0xFFFFFFFF),
            le32(0xFFFFFFFF) + le32(0) + le16(20) + le16(20) + le16(attributes.size() * copies) +
                le16(0) + le16(0) + le16(0) + all_rows);
  return chunk(0x0003, "", pool + resources + begin);
}

inline std::string manifest_of(std::string_view package, bool utf8 = false) {
  return binary_manifest({{"package", "of.another.namespace", true},
                          {"versionName", "1.0", true},
                          {"package", std::string(package), false}},
                         utf8);
}

// The value of a scheme's pair: each signer is its certificates, the first of which counts.
inline std::string scheme_of(const std::vector<std::vector<std::string>>& signers) {
  std::string all;
  for (const auto& certificates : signers) {
    std::string chain;
    for (const std::string& each : certificates) chain += after_length(each);
    const std::string signed_data =
        after_length("digests") + after_length(chain) + after_length("");
    all +=
        after_length(after_length(signed_data) + after_length("signatures") + after_length("key"));
  }
  return after_length(all);
}
inline std::string pair_of(std::size_t id, std::string_view value) {
  return le64(value.size() + 4) + le32(id) + std::string(value);
}
inline std::string block_of(std::string_view pairs) {
  const std::string size = le64(pairs.size() + 24);
  return size + std::string(pairs) + size + "APK Sig Block 42";
}

// By `printf %s "a certificate" | sha256sum`, and of "b certificate", "c certificate".
inline const std::string kDigestA =
    "81acd762140fa692a142822d2fbe4dc6f54bcaa501f68ab37e5aeed0bafe4d99";
inline const std::string kDigestB =
    "1dafd3969e4f5c1b7d04c04c2a98f094d08e9a0be2bd74833553969bf5d90561";
inline const std::string kDigestC =
    "b445300bc08c3baf6483f6fe72495188e43fdc3e33b9994e7d0d2b81e6470af6";

inline constexpr std::size_t kSchemeV2 = 0x7109871a;
inline constexpr std::size_t kSchemeV3 = 0xf05368c0;
inline constexpr std::size_t kSchemeV31 = 0x1b93ad61;

inline std::string deflated_of(std::string_view text) {
  std::string out(text.size() + 100, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

struct SignedApk {
  std::string manifest = manifest_of("com.example.app");
  std::string block = block_of(pair_of(kSchemeV2, scheme_of({{"a certificate"}})));
  bool deflated = true;
  std::string comment{};
  int manifests = 1;
  std::string manifest_name = "AndroidManifest.xml";

  [[nodiscard]] std::string bytes() const {
    std::string file, rows;
    const auto add = [&](const std::string& name, const std::string& content, bool packed) {
      const std::string data = packed ? deflated_of(content) : content;
      const std::string sizes = le32(0) + le32(data.size()) + le32(content.size());
      const std::string method = le16(packed ? 8 : 0) + le32(0);
      rows += "PK\1\2" + le16(20) + le16(20) + le16(0) + method + sizes + le16(name.size()) +
              le16(3) + le16(2) + le16(0) + le16(0) + le32(0) + le32(file.size()) + name + "xxx" +
              "cc";
      file += "PK\3\4" + le16(20) + le16(0) + method + sizes + le16(name.size()) + le16(5) + name +
              "extra" + data;
    };
    add("classes.dex", "dex", false);
    for (int i = 0; i < manifests; ++i) add(manifest_name, manifest, deflated);
    add("res/raw/x", "x", false);
    file += block;
    const std::size_t directory = file.size();
    const std::size_t count = static_cast<std::size_t>(manifests) + 2;
    return file + rows + "PK\5\6" + le32(0) + le16(count) + le16(count) + le32(rows.size()) +
           le32(directory) + le16(comment.size()) + comment;
  }
};

}  // namespace adbproto::testing
