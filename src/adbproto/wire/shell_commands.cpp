#include "adbproto/wire/shell_commands.hpp"

#include "adbproto/wire/services.hpp"

namespace adbproto {
namespace {

std::string with_words(std::string command, std::span<const std::string> words) {
  for (const std::string& word : words) command += " " + quote_for_shell(word);
  return command;
}

}  // namespace

std::string make_folders_command(std::span<const std::string> folders) {
  return with_words("mkdir -p", folders);
}

std::string remove_file_command(std::string_view file) { return "rm -f " + quote_for_shell(file); }

std::string install_command(std::span<const std::string> flags, std::string_view file) {
  return with_words("pm install", flags) + " " + quote_for_shell(file);
}

std::string package_command(PackageProgram program, std::span<const std::string> words) {
  return with_words(program == PackageProgram::cmd ? "cmd package" : "pm", words);
}

}  // namespace adbproto
