#include "cli/libraries.hpp"

#include <git2.h>
#include <libusb.h>

#include "base/loaded_library.hpp"

namespace clawperator::cli {
namespace {

using Version = std::optional<std::string>;
using ReadVersion = Version (*)(LoadedLibrary& library);

// "libarchive 3.6.2", "libcurl/7.88.1 OpenSSL/3.0.17": the first dotted number.
Version first_number(std::string_view text) {
  const std::size_t begin = text.find_first_of("0123456789");
  if (begin == text.npos) return std::nullopt;
  text.remove_prefix(begin);
  return std::string(text.substr(0, text.find_first_not_of("0123456789.")));
}

std::string three(unsigned major, unsigned minor, unsigned patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

template <class Function>
Function* found(LoadedLibrary& library, const char* symbol) {
  Function* function = nullptr;
  library.bind(function, symbol);
  return function;
}

Version unsaid(LoadedLibrary&) { return std::nullopt; }

Version text_of(LoadedLibrary& library, const char* symbol) {
  auto* const read = found<const char*()>(library, symbol);
  return read ? first_number(read()) : std::nullopt;
}

Version openssl_version(LoadedLibrary& library) {
  auto* const read = found<const char*(int)>(library, "OpenSSL_version");
  return read ? first_number(read(0)) : std::nullopt;
}

Version usb_version(LoadedLibrary& library) {
  auto* const read = found<const libusb_version*()>(library, "libusb_get_version");
  if (!read) return std::nullopt;
  const libusb_version* version = read();
  return three(version->major, version->minor, version->micro);
}

Version git_version(LoadedLibrary& library) {
  auto* const read = found<int(int*, int*, int*)>(library, "git_libgit2_version");
  int major = 0;
  int minor = 0;
  int patch = 0;
  if (!read) return std::nullopt;
  read(&major, &minor, &patch);
  return three(static_cast<unsigned>(major), static_cast<unsigned>(minor),
               static_cast<unsigned>(patch));
}

Version brotli_version_of(LoadedLibrary& library, const char* symbol) {
  auto* const read = found<std::uint32_t()>(library, symbol);
  if (!read) return std::nullopt;
  constexpr unsigned kPart = 12;  // bits of minor and patch
  constexpr unsigned kMask = (1U << kPart) - 1;
  const std::uint32_t version = read();
  return three(version >> 2 * kPart, version >> kPart & kMask, version & kMask);
}

Version pcre2_version(LoadedLibrary& library) {
  auto* const read = found<int(std::uint32_t, void*)>(library, "pcre2_config_8");
  constexpr std::uint32_t kVersion = 11;  // PCRE2_CONFIG_VERSION
  std::array<char, 64> text{};            // "10.42 2022-12-11"; the manual asks for 24
  if (!read || read(kVersion, text.data()) < 0) return std::nullopt;
  return first_number(text.data());
}

struct Loaded {
  const char* feature;  // a feature with several rows needs all of them
  const char* file;     // the name that the code loads; tests/packages compares
  ReadVersion version;
};

constexpr std::array kLoaded{
    Loaded{"keysAndPairing", "libcrypto.so.3", openssl_version},
    Loaded{"tls", "libssl.so.3", unsaid},
    Loaded{"usb", "libusb-1.0.so.0", usb_version},
    Loaded{"png", "libspng.so.0",
           [](LoadedLibrary& library) { return text_of(library, "spng_version_string"); }},
    Loaded{"jpeg", "libturbojpeg.so.0", unsaid},
    Loaded{"zstd", "libzstd.so.1",
           [](LoadedLibrary& library) { return text_of(library, "ZSTD_versionString"); }},
    Loaded{
        "brotli", "libbrotlienc.so.1",
        [](LoadedLibrary& library) { return brotli_version_of(library, "BrotliEncoderVersion"); }},
    Loaded{
        "brotli", "libbrotlidec.so.1",
        [](LoadedLibrary& library) { return brotli_version_of(library, "BrotliDecoderVersion"); }},
    Loaded{"downloads", "libcurl.so.4",
           [](LoadedLibrary& library) { return text_of(library, "curl_version"); }},
    Loaded{"skillsFromGit", "libgit2.so." LIBGIT2_SOVERSION, git_version},
    Loaded{"archives", "libarchive.so.13",
           [](LoadedLibrary& library) { return text_of(library, "archive_version_string"); }},
    Loaded{"yaml", "libfyaml.so.0",
           [](LoadedLibrary& library) { return text_of(library, "fy_library_version"); }},
    Loaded{"regularExpressions", "libpcre2-8.so.0", pcre2_version},
    Loaded{"qrCodes", "libqrencode.so.4",
           [](LoadedLibrary& library) { return text_of(library, "QRcode_APIVersionString"); }},
};

}  // namespace

JsonObject libraries_of_program() {
  std::vector<std::pair<std::string_view, bool>> works;
  const auto row = [&works](const Loaded& each) {
    LoadedLibrary library(each.file);
    const bool is_there = library.complete("").has_value();
    if (works.empty() || works.back().first != each.feature) works.emplace_back(each.feature, true);
    works.back().second = works.back().second && is_there;
    return JsonObject()
        .text("file", each.file)
        .text_or_null("version", each.version(library))
        .boolean("found", is_there);
  };
  const std::string loaded = list_json(kLoaded, row);
  JsonObject features;
  for (const auto& [name, is_there] : works) features.boolean(name, is_there);
  JsonObject libraries;
  libraries.json("linked", list_json(linked_packages(), [](const LinkedPackage& each) {
                   return JsonObject().text("package", each.package).text("version", each.version);
                 }));
  libraries.json("loaded", loaded);
  return JsonObject().object("features", features).object("libraries", libraries);
}

}  // namespace clawperator::cli
