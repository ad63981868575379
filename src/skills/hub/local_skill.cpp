#include "skills/hub/local_skill.hpp"

#include <algorithm>

#include "adbproto/crypto/sha256.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "runtime/fetch/part_file.hpp"
#include "skills/hub/places.hpp"
#include "skills/hub/plain_file.hpp"

namespace clawperator::hub {

namespace fs = std::filesystem;

namespace {

// Four times what an installed archive may have; each file is read for its digest.
constexpr std::size_t kMaxFiles = 20'000;
constexpr std::size_t kMaxDepth = 64;  // as unpack's kMostParts; the walk recurses
// A person's list of a few KiB; kMaxRules bounds it, too.
constexpr std::size_t kMaxIgnoreFile = std::size_t{1} << 20;

class SkillWalk {
 public:
  SkillWalk(fs::path root, std::stop_token stop) : root_(std::move(root)), stop_(std::move(stop)) {}

  Result<LocalSkill> run() {
    found_.kind = LocalSkill::Kind::folder;
    read_ignore_files();
    TRY_VOID(walk(root_, "", 0));
    sort_by_path(&found_.files);
    return std::move(found_);
  }

 private:
  void read_ignore_files() {
    ignored_.add(".git/\nnode_modules/\n.clawdhub/\n.clawhub/");
    for (const char* name : {".gitignore", ".clawhubignore", ".clawdhubignore"}) {
      const auto text = read_plain_file(root_ / name, kMaxIgnoreFile);
      if (!text) found_.unread = text.error();
      if (text && *text) ignored_.add(**text);
    }
  }

  Result<void> walk(const fs::path& folder, const std::string& prefix, std::size_t depth) {
    if (depth > kMaxDepth) return fail(errc::limit, folder.string() + " is too deep for a skill");
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      if (stop_.stop_requested()) return fail(errc::cancelled, "cancelled");
      TRY_VOID(take(*at, prefix, depth));
    }
    return error ? cannot("read", folder, errc::io, error.value()) : ok();
  }

  Result<void> take(const fs::directory_entry& entry, const std::string& prefix,
                    std::size_t depth) {
    const std::string name = entry.path().filename().string();
    std::error_code ignored;
    const auto type = entry.symlink_status(ignored).type();
    if (depth == 0 && is_marker(name)) return note_marker(entry.path());
    if (name.starts_with('.') || name == "node_modules") return note_uncounted();
    if (type == fs::file_type::directory) return walk(entry.path(), prefix + name + "/", depth + 1);
    if (type != fs::file_type::regular || ignored_.ignores(prefix + name)) return note_uncounted();
    if (found_.files.size() == kMaxFiles) {
      return fail(errc::limit, root_.string() + " has more files than a skill may have");
    }
    TRY(std::string digest, file_sha256(entry.path(), stop_));
    found_.files.push_back({prefix + name, std::move(digest)});
    return ok();
  }

  Result<void> note_uncounted() {
    found_.has_uncounted = true;
    return ok();
  }

  // The hub's own note in the folder is no work of the user's.
  Result<void> note_marker(const fs::path& marker) {
    std::error_code error;
    if (fs::symlink_status(marker, error).type() != fs::file_type::directory) {
      return note_uncounted();
    }
    for (const fs::directory_entry& entry : entries_in(marker, error)) {
      std::error_code ignored;
      const bool is_note = entry.path().filename() == "origin.json" &&
                           entry.symlink_status(ignored).type() == fs::file_type::regular;
      if (!is_note) return note_uncounted();
    }
    return error ? note_uncounted() : ok();
  }

  fs::path root_;
  std::stop_token stop_;
  IgnoreRules ignored_;
  LocalSkill found_;
};

constexpr std::string_view kOrder =
    "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz";
constexpr int kIgnored = -1;

// The primary weight of each byte.
constexpr auto kPrimary = [] {
  std::array<int, 256> weights{};
  for (std::size_t byte = 0; byte < weights.size(); ++byte) {
    weights[byte] = byte < 0x80 ? kIgnored : static_cast<int>(byte);
  }
  for (std::size_t at = 0; at < kOrder.size(); ++at) {
    const auto byte = static_cast<unsigned char>(kOrder[at]);
    weights[byte] = static_cast<int>(at);
    if (byte >= 'a' && byte <= 'z') weights[byte - std::size_t{'a' - 'A'}] = static_cast<int>(at);
  }
  return weights;
}();
static_assert(kOrder.size() < 0x80);

int weight(char c) { return kPrimary[static_cast<unsigned char>(c)]; }

// The next character with a weight, from `*at` on.
bool next_weight(std::string_view text, std::size_t* at, int* found) {
  for (; *at < text.size(); ++*at) {
    *found = weight(text[*at]);
    if (*found != kIgnored) return true;
  }
  return false;
}

int compare_primary(std::string_view a, std::string_view b) {
  std::size_t in_a = 0;
  std::size_t in_b = 0;
  for (;; ++in_a, ++in_b) {
    int left = 0;
    int right = 0;
    const bool more_a = next_weight(a, &in_a, &left);
    const bool more_b = next_weight(b, &in_b, &right);
    if (!more_a || !more_b) return static_cast<int>(more_a) - static_cast<int>(more_b);
    if (left != right) return left - right;
  }
}

// For texts with equal primaries; lower case is smaller.
int compare_case(std::string_view a, std::string_view b) {
  std::size_t in_a = 0;
  std::size_t in_b = 0;
  int ignored = 0;
  for (; next_weight(a, &in_a, &ignored) && next_weight(b, &in_b, &ignored); ++in_a, ++in_b) {
    if (a[in_a] != b[in_b]) return lower_char(a[in_a]) == a[in_a] ? -1 : 1;
  }
  return 0;
}

constexpr std::string_view kTextExtensions =
    "md mdx txt json json5 yaml yml toml js cjs mjs ts tsx jsx py sh rb go rs swift kt java cs cpp "
    "c "
    "h hpp sql csv ini cfg env xml html css scss sass svg";

constexpr std::size_t kMaxLine = 1024;  // as unpack's longest path
// A person writes tens; each path is compared with all of them.
constexpr std::size_t kMaxRules = 4096;

using Segments = std::vector<std::string_view>;

Segments segments_of(std::string_view path) {
  Segments segments = split(path, '/');
  std::erase_if(segments, [](std::string_view segment) { return segment.empty(); });
  return segments;
}

struct ClassMatch {
  bool matches = false;
  std::size_t length = 0;  // of the class in the pattern; 0: there is none
};

// `[a-z]`, `[!x]` at the start of `pattern`.
ClassMatch match_class(std::string_view pattern, char c) {
  std::size_t at = 1;
  const bool negated = pattern.size() > at && (pattern[at] == '!' || pattern[at] == '^');
  if (negated) ++at;
  bool found = false;
  for (const std::size_t first = at; at < pattern.size(); ++at) {
    if (pattern[at] == ']' && at > first) return {found != negated, at + 1};
    if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
    const char low = pattern[at];
    char high = low;
    if (at + 2 < pattern.size() && pattern[at + 1] == '-' && pattern[at + 2] != ']') {
      high = pattern[at + 2];
      at += 2;
    }
    found = found || (c >= low && c <= high);
  }
  return {};
}

// The number of the pattern's characters that match `c`; 0: none.
std::size_t match_one(std::string_view pattern, char c) {
  if (pattern.front() == '?') return 1;
  if (pattern.front() == '[') {
    const ClassMatch found = match_class(pattern, c);
    if (found.length != 0) return found.matches ? found.length : 0;
  }
  const bool escaped = pattern.front() == '\\' && pattern.size() > 1;
  return pattern[escaped ? 1 : 0] == c ? (escaped ? 2 : 1) : 0;
}

// Both in lower case. After a mismatch the last star takes one character more.
bool matches_name(std::string_view pattern, std::string_view name) {
  std::size_t in_pattern = 0;
  std::size_t in_name = 0;
  std::optional<std::size_t> star;
  std::size_t star_name = 0;
  while (in_name < name.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      star = ++in_pattern;
      star_name = in_name;
      continue;
    }
    const std::size_t taken =
        in_pattern < pattern.size() ? match_one(pattern.substr(in_pattern), name[in_name]) : 0;
    if (taken > 0) {
      in_pattern += taken;
      ++in_name;
    } else if (star) {
      in_pattern = *star;
      in_name = ++star_name;
    } else {
      return false;
    }
  }
  while (in_pattern < pattern.size() && pattern[in_pattern] == '*') ++in_pattern;
  return in_pattern == pattern.size();
}

// reached[i]: the pattern up to here matches the first i names.
bool matches_path(const std::vector<std::string>& pattern, const Segments& names) {
  std::vector<char> reached(names.size() + 1, 0);
  reached[0] = 1;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    std::vector<char> next(names.size() + 1, 0);
    const bool any_depth = pattern[at] == "**";
    // At the end it matches the folder's content, not the folder itself.
    const bool is_inside = any_depth && at + 1 == pattern.size() && at > 0;
    bool before = false;
    for (std::size_t i = 0; i <= names.size(); ++i) {
      if (any_depth) {
        next[i] = static_cast<char>(before || (reached[i] != 0 && !is_inside));
        before = before || reached[i] != 0;
      } else if (i > 0) {
        next[i] = static_cast<char>(reached[i - 1] != 0 && matches_name(pattern[at], names[i - 1]));
      }
    }
    reached = std::move(next);
  }
  return reached[names.size()] != 0;
}

// Blanks at the end do not count unless a backslash stands before the last one.
std::string_view without_blanks(std::string_view line) {
  while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
  return line;
}

}  // namespace

std::vector<HashedFile> LocalSkill::text_files() const {
  std::vector<HashedFile> texts;
  std::ranges::copy_if(files, std::back_inserter(texts),
                       [](const HashedFile& file) { return is_text_path(file.path); });
  return texts;
}

bool LocalSkill::is_same_as(const LocalSkill& other) const {
  return kind == other.kind && has_uncounted == other.has_uncounted &&
         std::ranges::equal(files, other.files, [](const HashedFile& a, const HashedFile& b) {
           return a.path == b.path && a.sha256 == b.sha256;
         });
}

Result<LocalSkill> read_local_skill(const fs::path& folder, const std::stop_token& stop) {
  std::error_code error;
  const auto type = fs::symlink_status(folder, error).type();
  LocalSkill found;
  if (type == fs::file_type::not_found) return found;
  if (type == fs::file_type::none) return cannot("read", folder, errc::io, error.value());
  found.kind = LocalSkill::Kind::other;
  if (type != fs::file_type::directory) return found;
  return SkillWalk(folder, stop).run();
}

int compare_paths(std::string_view a, std::string_view b) {
  if (const int order = compare_primary(a, b); order != 0) return order;
  if (const int order = compare_case(a, b); order != 0) return order;
  return a.compare(b);
}

void sort_by_path(std::vector<HashedFile>* files) {
  std::ranges::sort(*files, [](const HashedFile& a, const HashedFile& b) {
    return compare_paths(a.path, b.path) < 0;
  });
}

std::string fingerprint_of(std::vector<HashedFile> files) {
  for (HashedFile& file : files) file.path = valid_utf8(file.path);
  sort_by_path(&files);
  std::string lines;
  for (const HashedFile& file : files) {
    if (file.path.empty()) continue;
    if (!lines.empty()) lines += '\n';
    lines += file.path + ":" + file.sha256;
  }
  return adbproto::sha256_of(lines);
}

bool is_text_path(std::string_view path) {
  return is_one_of(ascii_lower(path.substr(path.rfind('.') + 1)), kTextExtensions);
}

void IgnoreRules::add(std::string_view text) {
  while (!text.empty() && rules_.size() < kMaxRules) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    add_line(line);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
}

void IgnoreRules::add_line(std::string_view line) {
  line = without_blanks(line);
  if (line.empty() || line.front() == '#' || line.size() > kMaxLine) return;
  Rule rule;
  rule.negated = line.front() == '!';
  if (rule.negated) line.remove_prefix(1);
  rule.folders_only = line.ends_with('/');
  if (rule.folders_only) line.remove_suffix(1);
  const bool anchored = line.contains('/');
  if (!anchored) rule.segments.emplace_back("**");
  for (const std::string_view segment : segments_of(line)) {
    rule.segments.push_back(ascii_lower(segment));
  }
  if (rule.segments.size() > (anchored ? 0U : 1U)) rules_.push_back(std::move(rule));
}

bool IgnoreRules::decides(std::string_view path, What what) const {
  const Segments names = segments_of(path);
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (rule->folders_only && what == What::file) continue;
    if (matches_path(rule->segments, names)) return !rule->negated;
  }
  return false;
}

bool IgnoreRules::ignores(std::string_view path) const {
  const std::string lower = ascii_lower(path);
  for (auto slash = lower.find('/'); slash != lower.npos; slash = lower.find('/', slash + 1)) {
    if (decides(std::string_view(lower).substr(0, slash), What::folder)) return true;
  }
  return decides(lower, What::file);
}

}  // namespace clawperator::hub
