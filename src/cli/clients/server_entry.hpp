#pragma once
// Our entry in an MCP client's settings, as text. Pure: no file is opened.

#include "base/error.hpp"
#include "cli/clients/client_table.hpp"

namespace clawperator::cli {

inline constexpr std::string_view kEntryName = "clawperator";

// Limit of a settings file: Claude Code keeps the state of every project in the same file.
inline constexpr std::size_t kMaxSettings = std::size_t{64} << 20;

struct ServerEntry {
  std::string program{};  // an absolute path
  std::vector<std::string> arguments{"mcp"};
  bool sets_arguments = false;  // also in an existing entry
};

enum class EntryChange { none, added, updated };
std::string_view name_of(EntryChange change);

struct EditedSettings {
  std::string text{};
  EntryChange change = EntryChange::none;
};

// The settings with our entry; a blank text is an empty document. client_config_invalid
// ("line 3, column 7: ..."), client_entry_taken.
Result<EditedSettings> with_entry(const McpClient& client, std::string_view settings,
                                  const ServerEntry& entry);
Result<EditedSettings> with_json_entry(const McpClient& client, std::string_view settings,
                                       const ServerEntry& entry);
Result<EditedSettings> with_toml_entry(std::string_view table, std::string_view settings,
                                       const ServerEntry& entry);

// ["mcp", "--device", "..."] for JSON and TOML, whose strings differ only in U+007F.
std::string arguments_text(const ServerEntry& entry);

// The program of our entry; nullopt without one. The same errors.
Result<std::optional<std::string>> entry_program(const McpClient& client,
                                                 std::string_view settings);
Result<std::optional<std::string>> json_entry_program(const McpClient& client,
                                                      std::string_view settings);
Result<std::optional<std::string>> toml_entry_program(std::string_view table,
                                                      std::string_view settings);

// True if an entry with this program and first argument is ours.
bool is_our_entry(std::string_view program, std::string_view first_argument);
std::unexpected<Error> entry_taken();

}  // namespace clawperator::cli
