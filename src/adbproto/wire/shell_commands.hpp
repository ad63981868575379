#pragma once
// The few shell commands that files and installs need on the device. Words are quoted.

#include <span>

#include "base/prelude.hpp"

namespace adbproto {

// What the linker warns of at the start of a program ("WARNING: linker: ..."). It is on stderr,
// which `shell:` mixes into the output.
bool is_linker_warning(std::string_view line);
// Removes those lines and returns them.
std::string take_linker_warnings(std::string* printed);

// One `mkdir -p` for all folders; toolbox and toybox have the option.
std::string make_folders_command(std::span<const std::string> folders);
std::string remove_file_command(std::string_view file);
// For a package file on the device. Android 6 and older print "\tpkg: PATH" first.
std::string install_command(std::span<const std::string> flags, std::string_view file);
// "cmd package WORDS" if the device has cmd, else "pm WORDS".
enum class PackageProgram { cmd, pm };
std::string package_command(PackageProgram program, std::span<const std::string> words);

}  // namespace adbproto
