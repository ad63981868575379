// What a member may be called, and what kind of archive a name tells of.

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "runtime/contract/errc.hpp"
#include "skills/unpack/unpack.hpp"

namespace clawperator::unpack {
namespace {

constexpr std::size_t kMostBytes = 1024;
constexpr std::size_t kMostPartBytes = 255;
constexpr std::size_t kMostParts = 64;

struct FormatName {
  std::string_view name;
  Format format;
};
constexpr std::array kFormatNames{
    FormatName{"tar.gz", Format::tar_gz},   FormatName{"tgz", Format::tar_gz},
    FormatName{"tar.bz2", Format::tar_bz2}, FormatName{"tbz2", Format::tar_bz2},
    FormatName{"zip", Format::zip},
};

std::unexpected<Error> bad_name(std::string_view name, std::string_view why) {
  return fail(errc::archive_refused,
              "the archive is refused: " + shown_name(name) + " " + std::string(why));
}

// Of a path's front; a run of '/' separates like one.
std::string_view take_part(std::string_view* rest) {
  const std::size_t end = rest->find('/');
  const std::string_view part = rest->substr(0, end);
  const std::size_t next = rest->find_first_not_of('/', std::min(end, rest->size()));
  rest->remove_prefix(std::min(next, rest->size()));
  return part;
}

Result<std::string> stripped(std::string_view name, unsigned count) {
  if (name.starts_with('/')) return bad_name(name, "is an absolute name");
  if (name.contains('\\')) return bad_name(name, "has a backslash");
  std::string path;
  std::string_view rest = name;
  for (unsigned number = 0; !rest.empty(); ++number) {
    const std::string_view part = take_part(&rest);
    if (part == "..") return bad_name(name, "leads out of its folder");
    if (number < count || part == ".") continue;
    if (!path.empty()) path += '/';
    path += part;
  }
  return path;
}

}  // namespace

std::optional<Format> format_named(std::string_view name) {
  const std::string lower = ascii_lower(trimmed(name));
  const auto* const found = std::ranges::find(kFormatNames, lower, &FormatName::name);
  if (found == kFormatNames.end()) return std::nullopt;
  return found->format;
}

std::optional<Format> format_of_file(std::string_view file_name) {
  const std::string lower = ascii_lower(file_name);
  for (const FormatName& known : kFormatNames) {
    if (lower.ends_with("." + std::string(known.name))) return known.format;
  }
  return std::nullopt;
}

NameRule strip_components(unsigned count) {
  return [count](std::string_view name) { return stripped(name, count); };
}

std::string shown_name(std::string_view name) {
  constexpr std::size_t kShown = 200;
  std::string shown = harmless_text(name.substr(0, kShown), "?");
  std::ranges::replace_if(shown, [](char c) { return c == '\n' || c == '\t'; }, '?');
  return in_quotes(shown + (name.size() > kShown ? "..." : ""));
}

Result<void> check_member_path(std::string_view path) {
  if (path.empty() || path.size() > kMostBytes) return bad_name(path, "is too long a name");
  const bool acts = path.find_first_of("\t\n") != path.npos || harmless_text(path, "?") != path;
  if (acts) return bad_name(path, "has characters that do not show");
  const auto parts = split(path, '/');
  for (const std::string_view part : parts) {
    if (part.empty() || part == "." || part == "..") {
      return bad_name(path, "leads out of its folder");
    }
    if (part.size() > kMostPartBytes) return bad_name(path, "is too long a name");
  }
  if (parts.size() > kMostParts) return bad_name(path, "is in too many folders");
  return ok();
}

}  // namespace clawperator::unpack
