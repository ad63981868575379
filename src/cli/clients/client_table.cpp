#include "cli/clients/client_table.hpp"

#include <algorithm>

namespace clawperator::cli {
namespace {

// Sources: code.claude.com/docs/en/mcp; modelcontextprotocol.io/quickstart/user; the Codex
// documentation of `mcp_servers`; cursor.com/docs/mcp; code.visualstudio.com "MCP configuration
// reference"; geminicli.com/docs/reference/configuration; docs.openclaw.ai/cli/mcp.
constexpr McpClient kClients[] = {
    {.name = "claude-code",
     .variable = "CLAUDE_CONFIG_DIR",
     .file = ".claude.json",
     .servers = "mcpServers",
     .names_type = true},
    {.name = "claude-desktop",
     .root = SettingsRoot::xdg_config,
     .folder = "Claude",
     .file = "claude_desktop_config.json",
     .servers = "mcpServers"},
    {.name = "codex",
     .notation = Notation::toml,
     .folder = ".codex",
     .variable = "CODEX_HOME",
     .file = "config.toml",
     .servers = "mcp_servers"},
    {.name = "cursor", .folder = ".cursor", .file = "mcp.json", .servers = "mcpServers"},
    {.name = "vscode",
     .root = SettingsRoot::xdg_config,
     .folder = "Code/User",
     .file = "mcp.json",
     .servers = "servers",
     .names_type = true},
    {.name = "gemini",
     .variable = "GEMINI_CLI_HOME",
     .file = ".gemini/settings.json",
     .servers = "mcpServers"},
    {.name = "openclaw", .root = SettingsRoot::openclaw, .servers = "mcp.servers"},
};

}  // namespace

std::span<const McpClient> mcp_clients() { return kClients; }

const McpClient* find_mcp_client(std::string_view name) {
  const auto* found = std::ranges::find(kClients, name, &McpClient::name);
  return found == std::end(kClients) ? nullptr : found;
}

std::filesystem::path settings_file(const McpClient& client, const ClientFolders& folders) {
  if (client.root == SettingsRoot::openclaw) return folders.openclaw_file;
  if (!client.variable.empty()) {
    const auto named = folders.variable(std::string(client.variable).c_str());
    if (named) return std::filesystem::path(*named) / client.file;
  }
  const auto& root = client.root == SettingsRoot::home ? folders.home : folders.xdg_config;
  return root.empty() ? root : root / client.folder / client.file;
}

}  // namespace clawperator::cli
