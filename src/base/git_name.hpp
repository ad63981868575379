#pragma once
// Names that git takes for its own folder on some file system.

#include "base/prelude.hpp"

namespace base {

// True if a file or folder of this name, one part of a path, is `.git` somewhere. That includes any
// case of letters; NTFS's short name (`git~1`), final dots and blanks, and streams after a colon;
// and characters between the letters that HFS+ and case-folding file systems ignore. `.gitmodules`,
// `.gitignore`, `.github` and the like are not: git runs nothing from them.
bool is_git_name(std::string_view name);

}  // namespace base
