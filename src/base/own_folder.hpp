#pragma once
// What is installed beside this program.

#include <filesystem>

#include "base/prelude.hpp"

namespace base {

// PREFIX/`below` of the program PREFIX/bin/NAME. Empty where it is not there, or where another user
// than root, the program's owner and this one may have put it: what lies there is loaded and run.
std::filesystem::path own_folder(std::string_view below);
// The same of the program `program`.
std::filesystem::path folder_beside(const std::filesystem::path& program, std::string_view below);

}  // namespace base
