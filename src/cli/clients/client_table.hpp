#pragma once
// The MCP clients whose settings we know: the file, its notation, and the names in it.

#include <filesystem>

#include "base/prelude.hpp"

namespace clawperator::cli {

enum class Notation { json, toml };

// The folder of a client's files when no variable names one.
enum class SettingsRoot { home, xdg_config, openclaw };

struct McpClient {
  std::string_view name{};
  Notation notation = Notation::json;
  SettingsRoot root = SettingsRoot::home;
  std::string_view folder{};    // below the root
  std::string_view variable{};  // an environment variable that replaces root/folder
  std::string_view file{};
  std::string_view servers{};  // the path to the entries, separated by dots
  bool names_type = false;     // its entries contain "type": "stdio"
};

std::span<const McpClient> mcp_clients();
const McpClient* find_mcp_client(std::string_view name);

// The folders of one user.
struct ClientFolders {
  std::filesystem::path home{};
  std::filesystem::path xdg_config{};
  std::filesystem::path openclaw_file{};  // found like `agent-skills` finds it
  std::function<std::optional<std::string>(const char* name)> variable{};
};

// Empty when no home is known.
std::filesystem::path settings_file(const McpClient& client, const ClientFolders& folders);

}  // namespace clawperator::cli
