#pragma once
// Names that git takes for its own folder, on some file system or other.

#include "base/prelude.hpp"

namespace base {

// Whether a file or folder of this name, one part of a path, is `.git` somewhere: in any case of
// letters, as NTFS shortens it (`git~1`), with dots and blanks at its end or a stream behind a
// colon (NTFS), or with characters between that HFS+ and case-folding file systems leave out.
// `.gitmodules`, `.gitignore`, `.github` and the like are not: git runs nothing for them.
bool is_git_name(std::string_view name);

}  // namespace base
