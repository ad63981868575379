#include "runtime/host/operator/release.hpp"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "base/json_document.hpp"
#include "base/text.hpp"
#include "base/url.hpp"
#include "runtime/fetch/http_stream.hpp"
#include "runtime/host/errc.hpp"

namespace clawperator {

namespace {

constexpr std::size_t kDigestSize = 64;

bool is_alphanumeric(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Lower case; nullopt for a text that is no digest.
std::optional<std::string> digest_of(std::string_view text) {
  if (text.size() != kDigestSize) return std::nullopt;
  std::string digest = ascii_lower(text);
  const auto is_hex = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); };
  if (!std::ranges::all_of(digest, is_hex)) return std::nullopt;
  return digest;
}

// Takes a run of 1 to 9 digits.
bool take_digits(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  const auto size = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(size);
  return size > 0 && size < 10;
}

std::unexpected<Error> invalid(std::string_view metadata_url, std::string why) {
  return fail_with(errc::operator_metadata_invalid,
                   "Operator metadata at " + std::string(metadata_url) + " " + why + ".",
                   ErrorMembers().text("url", metadata_url));
}

class Metadata {
 public:
  Metadata(const Json& json, std::string_view url) : json_(json), url_(url) {}

  // The first member of these that is there; "" when none is.
  Result<std::string> text(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      const Json* member = find_member(json_, name);
      if (member == nullptr || member->is_null()) continue;
      const std::string* value = string_value(member);
      const std::string_view plain = value != nullptr ? trimmed(*value) : std::string_view{};
      if (!plain.empty()) return std::string(plain);
      return invalid(url_, "has a " + std::string(name) + " that is no text");
    }
    return std::string();
  }

  Result<std::string> link(std::initializer_list<std::string_view> names,
                           std::string otherwise) const {
    TRY(std::string given, text(names));
    if (given.empty()) given = std::move(otherwise);
    if (const auto good = check_url(given); !good) {
      return invalid(url_, "names " + good.error().message());
    }
    // A remote server must not point us at a service of this computer.
    if (given.starts_with("http:") && !url_.starts_with("http:")) {
      return invalid(url_, "names " + given + ", which is not https");
    }
    return given;
  }

 private:
  const Json& json_;
  std::string_view url_;
};

}  // namespace

bool is_release_version(std::string_view text) {
  for (int part = 0; part < 3; ++part) {
    if (part > 0 && !text.starts_with('.')) return false;
    if (part > 0) text.remove_prefix(1);
    if (!take_digits(text)) return false;
  }
  if (text.empty()) return true;
  const auto fits = [](char c) { return is_alphanumeric(c) || c == '.' || c == '-'; };
  return text.front() == '-' && text.size() > 1 && text.size() <= 32 &&
         std::ranges::all_of(text, fits);
}

std::string package_file_name(std::string_view version) {
  return "operator-v" + std::string(version) + ".apk";
}

OperatorRelease release_of(std::string_view version, std::string_view metadata_url) {
  const std::string shown = shown_url(metadata_url);  // a URL with a password is never fetched
  const std::string plain = shown.substr(0, shown.find_first_of("?#"));
  const std::string base = plain.substr(0, plain.rfind('/') + 1);
  OperatorRelease release;
  release.version = version;
  release.apk_url = base + "v" + release.version + "/" + package_file_name(version);
  release.checksum_url = release.apk_url + ".sha256";
  return release;
}

Result<OperatorRelease> parse_release(std::string_view json, std::string_view metadata_url) {
  const auto read = read_json(json, kMaxMetadata);
  if (!read) return invalid(metadata_url, "is not valid JSON: " + read.error().message());
  if (!read->is_object()) return invalid(metadata_url, "is no JSON object");
  const Metadata metadata(*read, metadata_url);
  TRY(const std::string version, metadata.text({"version"}));
  if (!is_release_version(version)) {
    return invalid(metadata_url,
                   version.empty() ? "names no version" : "names a version that is none");
  }
  OperatorRelease release = release_of(version, metadata_url);
  TRY(release.apk_url, metadata.link({"apk_url", "apkUrl", "url"}, release.apk_url));
  TRY(release.checksum_url,
      metadata.link({"sha256_url", "sha256Url", "checksumUrl"}, release.apk_url + ".sha256"));
  TRY(const std::string given, metadata.text({"sha256"}));
  if (given.empty()) return release;
  const auto digest = digest_of(given);
  if (!digest) return invalid(metadata_url, "has a sha256 that is none");
  release.sha256 = *digest;
  return release;
}

Result<std::string> parse_checksum(std::string_view text, std::string_view file_name) {
  std::optional<std::string> only;
  std::size_t lines = 0;
  while (!text.empty()) {
    const std::string_view line = take_line(&text);
    if (line.empty()) continue;
    const auto digest = digest_of(line.substr(0, line.find_first_of(" \t")));
    std::string_view name = trimmed(line.substr(std::min(line.size(), kDigestSize)));
    if (name.starts_with('*')) name.remove_prefix(1);
    name = name.substr(name.rfind('/') + 1);
    if (digest && name == file_name) return *digest;
    only = digest;
    ++lines;
  }
  if (lines == 1 && only) return *only;
  return fail(errc::operator_checksum_failed,
              "the checksum file has no SHA-256 of " + std::string(file_name) + ".");
}

}  // namespace clawperator
