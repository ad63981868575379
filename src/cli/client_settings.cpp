#include "cli/client_settings.hpp"

#include <algorithm>

#include "base/error_members.hpp"
#include "base/files.hpp"
#include "base/own_program.hpp"
#include "base/system/environment.hpp"
#include "base/system/spawn.hpp"
#include "base/utf8.hpp"
#include "cli/clients/errc.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "skills/agent/workspace.hpp"

namespace clawperator::cli {
namespace {

namespace fs = std::filesystem;

// The file's text; empty when there is no file.
Result<std::string> read_settings(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) return std::string();
  if (error) return cannot("read", file, errc::file_unreadable, error.value());
  if (!fs::is_regular_file(status)) {
    return fail(errc::file_unreadable, file.string() + " is no plain file");
  }
  return with_code(errc::file_unreadable, read_file(file, kMaxSettings));
}

template <class T>
Result<T> naming(const fs::path& file, Result<T> result) {
  if (result) return result;
  return fail(result.error().code(), file.string() + ": " + result.error().message());
}

// A path that stays valid when a newer version replaces this one: the name in PATH, or the link
// `current` that install.sh keeps.
fs::path lasting_name(const fs::path& program) {
  auto names = find_programs(kEntryName);
  const fs::path releases = program.parent_path().parent_path().parent_path();
  names.push_back(releases / "current/bin" / program.filename());
  const auto is_program = [&](const fs::path& name) {
    std::error_code gone;
    return name.is_absolute() && fs::equivalent(name, program, gone);
  };
  const auto found = std::ranges::find_if(names, is_program);
  return found == names.end() ? program : *found;
}

}  // namespace

Result<ServerEntry> entry_of_this_program(const Globals& globals) {
  ServerEntry entry{.program = lasting_name(own_program()).string()};
  if (fs::path(entry.program).filename() != kEntryName) {
    return fail(errc::usage, "an entry must start a program named clawperator; this one is " +
                                 printable_name(entry.program));
  }
  const auto is_control = [](char byte) {
    constexpr char kFirstPrintable = ' ';
    constexpr char kDelete = '\x7f';
    return (byte >= 0 && byte < kFirstPrintable) || byte == kDelete;
  };
  const auto is_plain = [&](const std::string& text) {
    return valid_utf8(text) == text && std::ranges::none_of(text, is_control);
  };
  if (!is_plain(entry.program)) {
    return fail(errc::usage, "the path of this program cannot stand in a settings file");
  }
  const auto add = [&](const char* flag, const std::string& value) {
    entry.arguments.insert(entry.arguments.end(), {flag, value});
    entry.sets_arguments = true;
  };
  const std::pair<const char*, const std::optional<std::string>*> texts[] = {
      {"--device", &globals.target.device},
      {"--adb-server", &globals.target.adb_server},
      {"--operator-package", &globals.operator_package}};
  for (const auto& [flag, value] : texts) {
    if (!*value) continue;
    if (!is_plain(**value)) {
      return fail(errc::usage, std::string(flag) + " cannot stand in a settings file");
    }
    add(flag, **value);
  }
  for (const auto& [name, transport] : kTransportNames) {
    const bool is_named =
        transport != Transport::automatic && transport == globals.target.transport;
    if (is_named) add("--transport", std::string(name));
  }
  if (globals.backend) add("--backend", *globals.backend == Backend::shell ? "shell" : "app");
  return entry;
}

Result<fs::path> settings_file_of(const McpClient& client) {
  fs::path file = settings_file(client, {.home = home_folder(),
                                         .xdg_config = config_home(),
                                         .openclaw_file = agent_skills::find_skill_folders().config,
                                         .variable = environment_variable});
  if (file.empty()) return fail(errc::file_unreadable, "HOME is not set");
  if (!file.is_absolute()) {
    return fail(errc::file_unreadable, printable_name(file) + " is not an absolute path");
  }
  return file;
}

Result<std::optional<std::string>> read_entry_program(const McpClient& client) {
  TRY(const fs::path file, settings_file_of(client));
  TRY(const std::string settings, read_settings(file));
  return naming(file, entry_program(client, settings));
}

Result<SettingsChange> write_entry(const McpClient& client, const ServerEntry& entry) {
  TRY(const fs::path file, settings_file_of(client));
  TRY(const fs::path place, file_behind(file));
  TRY(const std::string settings, read_settings(file));
  TRY(const EditedSettings edited, naming(file, with_entry(client, settings, entry)));
  if (edited.change == EntryChange::none) return SettingsChange{file, edited.change};
  std::error_code gone;
  const fs::perms mode = fs::status(place, gone).permissions();
  if (!gone && (mode & fs::perms::owner_write) == fs::perms::none) {
    return fail(errc::file_write_failed, file.string() + " is read-only");
  }
  // The client may have written its file meanwhile.
  TRY(const std::string still, read_settings(file));
  if (still != settings) {
    return fail(errc::file_write_failed, file.string() + " has changed during the edit; try again");
  }
  TRY_VOID(with_code(
      errc::file_write_failed,
      write_file_atomically(place, edited.text, ParentFolder::created, Durable::yes, Kept::mode)));
  return SettingsChange{file, edited.change};
}

}  // namespace clawperator::cli
