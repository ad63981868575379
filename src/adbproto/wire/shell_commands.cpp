#include "adbproto/wire/shell_commands.hpp"

#include "adbproto/wire/services.hpp"

namespace adbproto {
namespace {

std::string with_words(std::string command, std::span<const std::string> words) {
  for (const std::string& word : words) command += " " + quote_for_shell(word);
  return command;
}

}  // namespace

bool is_linker_warning(std::string_view line) { return line.starts_with("WARNING: linker:"); }

std::string take_linker_warnings(std::string* printed) {
  std::string warnings;
  if (!printed->contains("WARNING: linker:")) return warnings;
  std::string kept;
  for (std::string_view rest = *printed; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    const std::string_view taken = line.empty() ? rest : line;  // the last line may have no end
    (is_linker_warning(taken) ? warnings : kept) += taken;
    rest.remove_prefix(taken.size());
  }
  *printed = std::move(kept);
  return warnings;
}

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
