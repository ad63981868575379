#pragma once
// The files in a skill's folder, as the hub's clients count them. Reads only, and follows no link.

#include <filesystem>
#include <stop_token>

#include "base/error.hpp"

namespace clawperator::hub {

struct HashedFile {
  std::string path{};    // within the skill, with '/'
  std::string sha256{};  // 64 lower-case hex digits
};

// The order of JavaScript's localeCompare (ICU's root collation), as far as a small table has it.
// Negative, 0 or positive. ASCII texts compare as in ICU; other characters come after all letters,
// by their bytes (ICU would sort 'é' with 'e'). No two different texts are equal: the bytes decide
// last.
int compare_paths(std::string_view a, std::string_view b);

void sort_by_path(std::vector<HashedFile>* files);

// Identifies the version that a skill's files belong to: one digest of all of them, in the order of
// compare_paths. 64 hex digits; without files the digest of an empty text.
std::string fingerprint_of(std::vector<HashedFile> files);

// Whether the hub's older clients count a file: by the text behind the last dot of the whole path.
bool is_text_path(std::string_view path);

struct LocalSkill {
  enum class Kind { absent, folder, other };
  Kind kind = Kind::absent;
  // Regular files that neither their name nor an ignore file hides; in a fixed order.
  std::vector<HashedFile> files{};
  // There are other entries: hidden or ignored files, links, node_modules. No version has them.
  bool has_uncounted = false;
  // For an ignore file that is a link or cannot be read: the files that it hides are counted.
  std::optional<Error> unread{};

  // As clients up to 0.5.0 count them: those with the ending of a text file.
  [[nodiscard]] std::vector<HashedFile> text_files() const;
  [[nodiscard]] bool is_same_as(const LocalSkill& other) const;
};

// io for an unreadable file, limit for a folder beyond the size of a skill (20000 files),
// cancelled.
Result<LocalSkill> read_local_skill(const std::filesystem::path& folder,
                                    const std::stop_token& stop);

// The lines of .gitignore files that decide which of a skill's files count: without regard to case,
// as the hub's own clients read them.
class IgnoreRules {
 public:
  // Later lines win; files below an ignored folder stay ignored.
  void add(std::string_view text);
  // `path`: of a file, with '/', without one in front.
  [[nodiscard]] bool ignores(std::string_view path) const;

 private:
  struct Rule {
    std::vector<std::string> segments{};  // "**" is any number of folders
    bool negated = false;
    bool folders_only = false;
  };
  enum class What { file, folder };
  void add_line(std::string_view line);
  [[nodiscard]] bool decides(std::string_view path, What what) const;

  std::vector<Rule> rules_;
};

}  // namespace clawperator::hub
