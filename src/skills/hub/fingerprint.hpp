#pragma once
// What tells whether a skill's files are those of a version that the hub has: one digest of all of
// them, made in the order that JavaScript's localeCompare gives (ICU's root collation).

#include <string>
#include <string_view>
#include <vector>

namespace clawperator::hub {

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

}  // namespace clawperator::hub
