#pragma once
// Reads and writes the settings files of MCP clients on this computer.

#include "cli/clients/server_entry.hpp"
#include "cli/grammar/globals.hpp"

namespace clawperator::cli {

// An entry that starts this program, with the options of the command line that select the device
// and the backend. usage if the program has another name, or a text cannot stand in a settings
// file.
Result<ServerEntry> entry_of_this_program(const Globals& globals);

// The file of this user. file_unreadable if no home is known.
Result<std::filesystem::path> settings_file_of(const McpClient& client);

// The program of our entry in the client's file; nullopt without an entry or a file.
// file_unreadable; errors of entry_program, with the file's name.
Result<std::optional<std::string>> read_entry_program(const McpClient& client);

struct SettingsChange {
  std::filesystem::path file{};
  EntryChange change = EntryChange::none;
};

// Replaces the file as a whole; a link stays a link, and the mode stays. file_unreadable,
// file_write_failed; errors of with_entry, with the file's name.
Result<SettingsChange> write_entry(const McpClient& client, const ServerEntry& entry);

}  // namespace clawperator::cli
