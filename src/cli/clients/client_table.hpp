#pragma once
// The MCP clients whose settings we know: which file, in which notation, under which names.

#include <filesystem>

#include "base/prelude.hpp"

namespace clawperator::cli {

enum class Notation { json, toml };

// Where a client keeps its files when no variable says so.
enum class SettingsRoot { home, xdg_config, openclaw };

struct McpClient {
  std::string_view name{};
  Notation notation = Notation::json;
  SettingsRoot root = SettingsRoot::home;
  std::string_view folder{};    // below the root
  std::string_view variable{};  // of the environment: stands for root/folder
  std::string_view file{};
  std::string_view servers{};  // names on the way to the entries, with dots between
  bool names_type = false;     // its entries say "type": "stdio"
};

std::span<const McpClient> mcp_clients();
const McpClient* find_mcp_client(std::string_view name);

// The folders of one user.
struct ClientFolders {
  std::filesystem::path home{};
  std::filesystem::path xdg_config{};
  std::filesystem::path openclaw_file{};  // as `agent-skills` finds it
  std::function<std::optional<std::string>(const char* name)> variable{};
};

// Empty when no home is known.
std::filesystem::path settings_file(const McpClient& client, const ClientFolders& folders);

}  // namespace clawperator::cli
