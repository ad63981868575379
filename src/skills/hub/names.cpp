#include "skills/hub/names.hpp"

#include <algorithm>

#include "base/js_string.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "base/url.hpp"
#include "skills/agent/errc.hpp"
#include "skills/agent/unpack.hpp"
#include "skills/hub/places.hpp"

namespace clawperator::hub {
namespace {

// About half of the 255 bytes of a file's name: a slug names a folder.
constexpr std::size_t kMaxSlug = 128;
constexpr std::size_t kMaxVersion = 256;  // MAX_LENGTH of node-semver
// JavaScript's Number.MAX_SAFE_INTEGER, as node-semver.
constexpr std::uint64_t kMaxNumber = (1ULL << 53) - 1;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_identifier_char(char c) { return is_letter_or_digit(c) || c == '-'; }

bool is_number(std::string_view text) { return std::ranges::all_of(text, is_digit); }

// Without a leading zero, within what JavaScript counts exactly.
bool is_version_number(std::string_view text) {
  const auto value = whole_number<std::uint64_t>(text);
  return value && *value <= kMaxNumber && is_number(text) && (text.size() == 1 || text[0] != '0');
}

struct Version {
  std::array<std::string_view, 3> numbers{};
  std::vector<std::string_view> prerelease{};
};

bool is_list_of_identifiers(const std::vector<std::string_view>& parts) {
  return std::ranges::all_of(parts, [](std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, is_identifier_char);
  });
}

bool read_version(std::string_view text, Version* version) {
  text = trim_js(text);
  if (text.size() > kMaxVersion) return false;
  if (text.starts_with('v')) text.remove_prefix(1);
  const auto plus = text.find('+');
  if (plus != text.npos && !is_list_of_identifiers(split(text.substr(plus + 1), '.'))) {
    return false;
  }
  text = text.substr(0, plus);
  const auto dash = text.find('-');
  if (dash != text.npos) {
    version->prerelease = split(text.substr(dash + 1), '.');
    const auto fits = [](std::string_view part) {
      return !is_number(part) || is_version_number(part);
    };
    if (!is_list_of_identifiers(version->prerelease) ||
        !std::ranges::all_of(version->prerelease, fits)) {
      return false;
    }
  }
  const auto numbers = split(text.substr(0, dash), '.');
  if (numbers.size() != version->numbers.size()) return false;
  std::ranges::copy(numbers, version->numbers.begin());
  return std::ranges::all_of(numbers, is_version_number);
}

std::strong_ordering compare_numbers(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  return a.compare(b) <=> 0;
}

std::strong_ordering compare_identifiers(std::string_view a, std::string_view b) {
  const bool a_is_number = is_number(a);
  const bool b_is_number = is_number(b);
  if (a_is_number && b_is_number) return compare_numbers(a, b);
  if (a_is_number != b_is_number) return b_is_number <=> a_is_number;  // numbers come first
  return a.compare(b) <=> 0;
}

std::strong_ordering compare_prereleases(const std::vector<std::string_view>& a,
                                         const std::vector<std::string_view>& b) {
  if (a.empty() || b.empty()) return a.empty() <=> b.empty();  // no version counts as the later one
  for (std::size_t at = 0; at < a.size() && at < b.size(); ++at) {
    if (const auto order = compare_identifiers(a[at], b[at]); order != 0) return order;
  }
  return a.size() <=> b.size();
}

std::string_view without_start(std::string_view name) {
  if (name.starts_with("./")) name.remove_prefix(1);
  const auto first = name.find_first_not_of('/');
  return first == name.npos ? std::string_view() : name.substr(first);
}

}  // namespace

bool is_slug(std::string_view text) {
  const auto fits = [](char c) { return is_lower(c) || is_digit(c) || c == '-'; };
  return !text.empty() && text.size() <= kMaxSlug && text.front() != '-' &&
         std::ranges::all_of(text, fits);
}

Result<std::string> checked_slug(std::string_view given) {
  std::string slug = ascii_lower(trim_js(given));
  if (is_slug(slug)) return slug;
  return fail(errc::usage,
              "a skill is SLUG or @OWNER/SLUG; a slug is made of a-z, 0-9 and '-', 128 at most: " +
                  in_quotes(first_line(given, kMaxSlug)));
}

bool is_owner(std::string_view text) {
  const auto fits = [](char c) {
    return is_lower(c) || is_digit(c) || c == '-' || c == '_' || c == '.';
  };
  return !text.empty() && text.size() <= kMaxSlug && (is_lower(text[0]) || is_digit(text[0])) &&
         std::ranges::all_of(text, fits);
}

std::string SkillName::text() const { return owner.empty() ? slug : "@" + owner + "/" + slug; }

Result<SkillName> checked_name(std::string_view given) {
  const std::string text = ascii_lower(trim_js(given));
  SkillName name;
  const auto slash = text.find('/');
  if (text.starts_with('@') && slash != text.npos && is_owner(text.substr(1, slash - 1))) {
    name.owner = text.substr(1, slash - 1);
    TRY(name.slug, checked_slug(std::string_view(text).substr(slash + 1)));
    return name;
  }
  TRY(name.slug, checked_slug(given));
  return name;
}

Result<GitSource> read_git_source(std::string_view given) {
  const auto refuse = [given] {
    return fail(errc::usage, "a repository is git:OWNER/REPO@REF or git:URL@REF: " +
                                 in_quotes(shown_url(first_line(given, kMaxVersion))));
  };
  std::string_view text = given.substr(given.starts_with("git:") ? 4 : 0);
  const auto scheme = text.find("://");
  const auto path = scheme == text.npos ? 0 : text.find('/', scheme + 3);
  GitSource source;
  const auto at = text.rfind('@');
  if (at != text.npos && path != text.npos && at > path) {
    source.ref = text.substr(at + 1);
    if (source.ref.empty()) return refuse();
    text = text.substr(0, at);
  }
  std::string_view name = text;
  while (name.ends_with('/')) name.remove_suffix(1);
  name = name.substr(name.rfind('/') + 1);
  if (name.ends_with(".git")) name.remove_suffix(4);
  if (name.empty()) return refuse();
  source.name = name;
  source.url = text;
  if (scheme != text.npos || text.starts_with('/') || text.starts_with('.')) return source;
  const auto parts = split(text, '/');
  const auto is_part = [](std::string_view part) {
    return !part.empty() && !part.starts_with('.') && std::ranges::all_of(part, [](char c) {
      return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.';
    });
  };
  if (parts.size() != 2 || !std::ranges::all_of(parts, is_part)) return refuse();
  source.url = "https://github.com/" + source.url;
  return source;
}

std::string slug_of_folder(std::string_view folder_name) {
  return with_gaps(ascii_lower(folder_name), '-', is_letter_or_digit);
}

std::string title_of_folder(std::string_view folder_name) {
  std::string title;
  bool begins = true;
  for (const char c : trim_js(folder_name)) {
    if (c == '-' || c == '_' || c == ' ') {
      begins = true;
      continue;
    }
    if (begins && !title.empty()) title += ' ';
    title += begins && is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
    begins = false;
  }
  return title;
}

bool is_version_text(std::string_view text) {
  const auto shows = [](char c) { return c >= ' ' && c < '\x7f'; };
  return !text.empty() && text.size() <= kMaxVersion && std::ranges::all_of(text, shows);
}

bool is_version(std::string_view text) {
  Version version;
  return read_version(text, &version);
}

std::strong_ordering compare_versions(std::string_view a, std::string_view b) {
  Version left;
  Version right;
  if (!read_version(a, &left) || !read_version(b, &right)) return a.compare(b) <=> 0;
  for (std::size_t at = 0; at < left.numbers.size(); ++at) {
    const auto order = compare_numbers(left.numbers[at], right.numbers[at]);
    if (order != 0) return order;
  }
  return compare_prereleases(left.prerelease, right.prerelease);
}

Result<std::string> member_path(std::string_view name) {
  const std::string_view path = without_start(name);
  if (path.empty() || path.ends_with('/')) return std::string();
  const auto parts = split(path, '/');
  const auto leads_out = [](std::string_view part) {
    return part.empty() || part == "." || part == "..";
  };
  if (path.contains('\\') || std::ranges::any_of(parts, leads_out)) {
    return fail(errc::archive_refused,
                "the archive has a name that leads out of its folder: " + unpack::shown_name(name));
  }
  return is_marker(ascii_lower(parts.front())) ? std::string() : std::string(path);
}

}  // namespace clawperator::hub
