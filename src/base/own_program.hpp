#pragma once
// Where this program is installed, and what lies beside it.

#include <filesystem>

#include "base/prelude.hpp"

namespace base {

// The file of this program, also where an upgrade has put another one in its place since it was
// started; empty when unknown.
std::filesystem::path own_program();

// PREFIX/`below` of the program PREFIX/bin/NAME. Empty where it is not there, or where another user
// than root, the program's owner and this one may have put it: what lies there is loaded and run.
std::filesystem::path own_folder(std::string_view below);
// The same of the program `program`.
std::filesystem::path folder_beside(const std::filesystem::path& program, std::string_view below);

}  // namespace base
