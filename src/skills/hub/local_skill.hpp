#pragma once
// What lies in a skill's folder, as the hub's clients count it. Reads, follows no link.

#include <filesystem>
#include <stop_token>

#include "base/error.hpp"

namespace clawperator::hub {

// What shows whether a skill's files are those of a version that the hub has: one digest of all of
// them, made in the order that JavaScript's localeCompare gives (ICU's root collation).
struct HashedFile {
  std::string path{};    // within the skill, with '/'
  std::string sha256{};  // 64 lower-case hex digits
};

// Negative, 0 or positive. Of ASCII texts as ICU has it; what is beyond ASCII comes after all
// letters, by its bytes (ICU would sort 'é' with 'e'). No two different texts are equal: the bytes
// decide last.
int compare_paths(std::string_view a, std::string_view b);

void sort_by_path(std::vector<HashedFile>* files);

// 64 hex digits; of no files that of an empty text.
std::string fingerprint_of(std::vector<HashedFile> files);

// Whether the hub's older clients count a file: by what follows the last dot of the whole path.
bool is_text_path(std::string_view path);

struct LocalSkill {
  enum class Kind { absent, folder, other };
  Kind kind = Kind::absent;
  // Regular files that neither their name nor an ignore file hides; in a fixed order.
  std::vector<HashedFile> files{};
  // Anything else: hidden or ignored files, links, node_modules. No version has it.
  bool has_uncounted = false;
  // Of an ignore file that is a link or cannot be read: what it hides is counted.
  std::optional<Error> unread{};

  // As clients up to 0.5.0 count them: those with a text's ending.
  [[nodiscard]] std::vector<HashedFile> text_files() const;
  [[nodiscard]] bool is_same_as(const LocalSkill& other) const;
};

// io for what cannot be read, limit for what is no skill any more (20000 files), cancelled.
Result<LocalSkill> read_local_skill(const std::filesystem::path& folder,
                                    const std::stop_token& stop);

// The lines of .gitignore files, as far as a skill's files are judged by them: without regard to
// case, as the hub's own clients read them.
class IgnoreRules {
 public:
  // Later lines win; what stands below an ignored folder stays ignored.
  void add(std::string_view text);
  // `path` of a file, with '/', without one in front.
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
