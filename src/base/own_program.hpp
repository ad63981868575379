#pragma once
// The place of this program's installation, and the files beside it.

#include <filesystem>

#include "base/prelude.hpp"

namespace base {

// The file of this program, even if an upgrade has replaced it since the start; empty when unknown.
std::filesystem::path own_program();

// PREFIX/`below` for the program PREFIX/bin/NAME. Empty if it is missing, or if another user than
// root, the program's owner and this user may have written it: files there are loaded and run.
std::filesystem::path own_folder(std::string_view below);
// The same for the program `program`.
std::filesystem::path folder_beside(const std::filesystem::path& program, std::string_view below);

}  // namespace base
