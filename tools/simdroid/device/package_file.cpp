#include "simdroid/device/package_file.hpp"

#include <optional>
#include <pugixml.hpp>

#include "base/bytes.hpp"

namespace simdroid {
namespace {

constexpr std::string_view kManifest = "AndroidManifest.xml";
constexpr std::string_view kEndMark("PK\5\6", 4);
constexpr std::string_view kEntryMark("PK\1\2", 4);
constexpr std::string_view kLocalMark("PK\3\4", 4);
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kEntrySize = 46;
constexpr std::size_t kLocalSize = 30;
constexpr std::size_t kMaxName = 255;

template <class Integer>
std::size_t number(std::string_view bytes, std::size_t at) {
  return load_le<Integer>(as_bytes(bytes).data() + at);
}

std::string_view part(std::string_view bytes, std::size_t at, std::size_t size) {
  if (at > bytes.size() || size > bytes.size() - at) return {};
  return bytes.substr(at, size);
}

// The bytes of a stored entry, by its row of the directory.
std::optional<std::string_view> content_of(std::string_view file, std::string_view row) {
  const bool stored = number<std::uint16_t>(row, 10) == 0;
  const std::size_t size = number<std::uint32_t>(row, 20);
  const std::size_t at = number<std::uint32_t>(row, 42);
  const std::string_view local = part(file, at, kLocalSize);
  if (!stored || !local.starts_with(kLocalMark)) return std::nullopt;
  const std::size_t names = number<std::uint16_t>(local, 26) + number<std::uint16_t>(local, 28);
  const std::string_view content = part(file, at + kLocalSize + names, size);
  return content.size() == size ? std::optional(content) : std::nullopt;
}

std::optional<std::string_view> find_manifest(std::string_view file) {
  const auto end = file.rfind(kEndMark);
  if (end == file.npos || file.size() - end < kEndSize) return std::nullopt;
  std::size_t left = number<std::uint16_t>(file, end + 10);
  std::size_t at = number<std::uint32_t>(file, end + 16);
  for (; left > 0; --left) {
    const std::string_view row = part(file, at, kEntrySize);
    if (!row.starts_with(kEntryMark)) return std::nullopt;
    const std::size_t name_size = number<std::uint16_t>(row, 28);
    if (part(file, at + kEntrySize, name_size) == kManifest) return content_of(file, row);
    at += kEntrySize + name_size + number<std::uint16_t>(row, 30) + number<std::uint16_t>(row, 32);
  }
  return std::nullopt;
}

bool is_package_name(std::string_view name) {
  constexpr std::string_view kLegal =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._";
  return name.size() <= kMaxName && name.contains('.') && !name.starts_with('.') &&
         name.find_first_not_of(kLegal) == name.npos;
}

}  // namespace

Result<PackageFile> read_package_file(std::string_view bytes) {
  const auto manifest = find_manifest(bytes);
  if (!manifest) {
    return fail(errc::refused, "INSTALL_PARSE_FAILED_NOT_APK: Failed to parse /data/app/vmdl.tmp");
  }
  pugi::xml_document document;
  const auto parsed = document.load_buffer(manifest->data(), manifest->size());
  const pugi::xml_node root = document.child("manifest");
  if (!parsed || !root) {
    return fail(errc::refused, "INSTALL_PARSE_FAILED_BAD_MANIFEST: no <manifest> in it");
  }
  PackageFile file{root.attribute("package").value(), root.attribute("android:versionName").value(),
                   root.attribute("android:versionCode").as_int(1)};
  if (is_package_name(file.name)) return file;
  return fail(errc::refused, "INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME: " + file.name.substr(0, 100));
}

}  // namespace simdroid
