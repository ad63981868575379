#include <catch2/catch.hpp>

#include "cli/clients/errc.hpp"
#include "cli/clients/server_entry.hpp"
#include "cli/clients/toml_outline.hpp"
#include "cli/commands/commands.hpp"

using namespace clawperator;
using namespace clawperator::cli;

namespace {

const ServerEntry kEntry{.program = "/opt/clawperator"};

const McpClient& client(std::string_view name) { return *find_mcp_client(name); }

Result<EditedSettings> edit(std::string_view name, std::string_view settings,
                            const ServerEntry& entry = kEntry) {
  return with_entry(client(name), settings, entry);
}

void check_invalid(std::string_view name, std::string_view settings, const std::string& message) {
  CAPTURE(settings);
  const auto edited = edit(name, settings);
  REQUIRE_FALSE(edited);
  CHECK(edited.error().code() == errc::client_config_invalid);
  CHECK_THAT(edited.error().message(), Catch::Contains(message));
}

void check_taken(std::string_view name, std::string_view settings) {
  CAPTURE(settings);
  const auto edited = edit(name, settings);
  REQUIRE_FALSE(edited);
  CHECK(edited.error().code() == errc::client_entry_taken);
}

}  // namespace

TEST_CASE("clients: --print-config offers every client of the table") {
  std::string names;
  for (const McpClient& each : mcp_clients()) {
    names += (names.empty() ? "" : " ") + std::string(each.name);
  }
  CHECK(kMcpClientOptions[0].choices == names);
}

TEST_CASE("clients: each has its file below the user's folders, or where its variable says") {
  ClientFolders folders{.home = "/h",
                        .xdg_config = "/h/.config",
                        .openclaw_file = "/h/.openclaw/openclaw.json",
                        .variable = [](const char*) { return std::optional<std::string>(); }};
  CHECK(settings_file(client("claude-code"), folders) == "/h/.claude.json");
  CHECK(settings_file(client("claude-desktop"), folders) ==
        "/h/.config/Claude/claude_desktop_config.json");
  CHECK(settings_file(client("codex"), folders) == "/h/.codex/config.toml");
  CHECK(settings_file(client("cursor"), folders) == "/h/.cursor/mcp.json");
  CHECK(settings_file(client("vscode"), folders) == "/h/.config/Code/User/mcp.json");
  CHECK(settings_file(client("gemini"), folders) == "/h/.gemini/settings.json");
  CHECK(settings_file(client("openclaw"), folders) == "/h/.openclaw/openclaw.json");
  folders.variable = [](const char* name) { return std::optional("/v/" + std::string(name)); };
  CHECK(settings_file(client("claude-code"), folders) == "/v/CLAUDE_CONFIG_DIR/.claude.json");
  CHECK(settings_file(client("codex"), folders) == "/v/CODEX_HOME/config.toml");
  CHECK(settings_file(client("gemini"), folders) == "/v/GEMINI_CLI_HOME/.gemini/settings.json");
  CHECK(settings_file(client("cursor"), folders) == "/h/.cursor/mcp.json");
}

TEST_CASE("clients: without a home there is no file") {
  const ClientFolders folders{.variable = [](const char*) { return std::optional<std::string>(); }};
  for (const McpClient& each : mcp_clients()) CHECK(settings_file(each, folders).empty());
}

TEST_CASE("clients: an entry is put behind what is there, comments and layout stay") {
  const auto edited = edit("vscode",
                           "{\n"
                           "\t// mine\n"
                           "\t\"servers\": {\n"
                           "\t\t\"other\": {\"command\": \"x\"} // last\n"
                           "\t},\n"
                           "\t\"inputs\": [ ], /* none */\n"
                           "}\n");
  REQUIRE(edited);
  CHECK(edited->change == EntryChange::added);
  CHECK(edited->text ==
        "{\n"
        "\t// mine\n"
        "\t\"servers\": {\n"
        "\t\t\"other\": {\"command\": \"x\"}, // last\n"
        "\t\t\"clawperator\": {\"type\": \"stdio\", \"command\": \"/opt/clawperator\", \"args\": "
        "[\"mcp\"]}\n"
        "\t},\n"
        "\t\"inputs\": [ ], /* none */\n"
        "}\n");
}

TEST_CASE("clients: of an entry of ours the program changes alone") {
  const auto edited = edit("cursor", R"({"mcpServers":{"clawperator":{"env":{"A":"1"},)"
                                     R"("command":"clawperator","args":["mcp","serve"]}}})");
  REQUIRE(edited);
  CHECK(edited->change == EntryChange::updated);
  CHECK(edited->text == R"({"mcpServers":{"clawperator":{"env":{"A":"1"},)"
                        R"("command":"/opt/clawperator","args":["mcp","serve"]}}})");
}

TEST_CASE("clients: arguments of an entry change where the command line has them") {
  ServerEntry entry = kEntry;
  entry.arguments = {"mcp", "--device", "emulator-5554"};
  const std::string json =
      R"({"mcpServers":{"clawperator":{"command":"/opt/clawperator","args":["mcp"]}}})";
  CHECK(edit("cursor", json, entry)->change == EntryChange::none);
  entry.sets_arguments = true;
  const auto edited = edit("cursor", json, entry);
  REQUIRE(edited);
  CHECK(edited->text == R"({"mcpServers":{"clawperator":{"command":"/opt/clawperator","args":)"
                        R"(["mcp", "--device", "emulator-5554"]}}})");
  const std::string toml = "[mcp_servers.clawperator]\nargs=['mcp']\ncommand='clawperator'\n";
  CHECK(edit("codex", toml, entry)->text ==
        "[mcp_servers.clawperator]\nargs=[\"mcp\", \"--device\", \"emulator-5554\"]\n"
        "command=\"/opt/clawperator\"\n");
}

TEST_CASE("clients: twice is once") {
  for (const McpClient& each : mcp_clients()) {
    CAPTURE(each.name);
    const auto once = with_entry(each, "", kEntry);
    REQUIRE(once);
    const auto twice = with_entry(each, once->text, kEntry);
    REQUIRE(twice);
    CHECK(twice->change == EntryChange::none);
    CHECK(twice->text == once->text);
    CHECK(entry_program(each, once->text).value() == kEntry.program);
    CHECK_FALSE(entry_program(each, "").value());
  }
}

TEST_CASE("clients: another server of our name stays") {
  for (const char* entry : {
           R"({"command":"npx","args":["clawperator","mcp"]})",
           R"({"command":"/usr/bin/clawperator","args":["serve"]})",
           R"({"command":"/usr/bin/clawperator","args":[]})",
           R"({"command":"/usr/bin/clawperator"})",
           R"({"url":"http://127.0.0.1:3000/mcp"})",
           R"({"command":["clawperator"],"args":["mcp"]})",
           "null",
           "7",
       }) {
    check_taken("cursor", R"({"mcpServers":{"clawperator":)" + std::string(entry) + "}}");
  }
  check_taken("codex", "[mcp_servers.clawperator]\ncommand = \"npx\"\nargs = [\"clawperator\"]\n");
  check_taken("codex", "[mcp_servers.clawperator]\nurl = \"http://127.0.0.1:3000/mcp\"\n");
  check_taken("codex", "[mcp_servers.clawperator]\ncommand = \"clawperator\"\n");
  check_taken("codex", "[mcp_servers.clawperator]\ncommand = 'clawperator'\nargs = [1]\n");
}

TEST_CASE("clients: JSON that is not understood is refused with its line") {
  check_invalid("cursor", "{\n\"a\": 1\n\"b\": 2}", "line 3, column 1");
  check_invalid("cursor", "{\"mcpServers\": []}", "mcpServers is no object");
  check_invalid("cursor", "[1]", "no object");
  check_invalid("openclaw", "{mcp: {servers: 1}}", "servers is no object");
}

TEST_CASE("clients: TOML gets a table at its end") {
  CHECK(edit("codex", "")->text ==
        "[mcp_servers.clawperator]\ncommand = \"/opt/clawperator\"\nargs = [\"mcp\"]\n");
  const std::string settings =
      "# mine\n"
      "model = \"o\" # a comment\n"
      "notify = [\n  \"a\", # ]\n  'b]',\n]\n"
      "text = \"\"\"\n[mcp_servers.clawperator]\n\\\"\"\"\"\"\n"
      "raw = '''\n[mcp_servers]\n''''\n"
      "day = 1979-05-27 07:32:00\n"
      "point = { x = 1, y.z = -2.5e3, \"q r\" = true }\n"
      "[mcp_servers.other]\ncommand = \"x\"\n"
      "[mcp_servers . other . env]\nA = \"1\"\n"
      "[[list]]\n\"mcp_servers\".a = inf";
  const auto edited = edit("codex", settings);
  REQUIRE(edited);
  CHECK(edited->change == EntryChange::added);
  CHECK(edited->text ==
        settings +
            "\n\n[mcp_servers.clawperator]\ncommand = \"/opt/clawperator\"\nargs = [\"mcp\"]\n");
}

TEST_CASE("clients: of TOML the value alone is replaced") {
  const auto edited = edit("codex",
                           "[mcp_servers]\n[mcp_servers.\"clawperator\"] # ours\r\n"
                           "command   = 'clawperator'   # here\n"
                           "args = [ \"mcp\", # serve\n 'serve' ]\n"
                           "[mcp_servers.clawperator.env]\ncommand = \"x\"\n");
  REQUIRE(edited);
  CHECK(edited->change == EntryChange::updated);
  CHECK(edited->text ==
        "[mcp_servers]\n[mcp_servers.\"clawperator\"] # ours\r\n"
        "command   = \"/opt/clawperator\"   # here\n"
        "args = [ \"mcp\", # serve\n 'serve' ]\n"
        "[mcp_servers.clawperator.env]\ncommand = \"x\"\n");
}

TEST_CASE("clients: TOML that cannot take a table is refused") {
  for (const char* settings : {
           "mcp_servers = {}",
           "mcp_servers.other.command = 'x'",
           "mcp_servers.clawperator.command = 'x'",
           "[mcp_servers]\nclawperator = {}",
           "[mcp_servers]\nclawperator.command = 'x'",
           "[[mcp_servers]]",
           "[[mcp_servers.clawperator]]",
           "[mcp_servers.clawperator]\n[mcp_servers.clawperator]",
           "[mcp_servers.clawperator.env]\nA = '1'",
       }) {
    check_invalid("codex", settings, "mcp_servers is written in a form that is not supported");
  }
}

TEST_CASE("clients: what is no TOML is refused with its line") {
  check_invalid("codex", "a = 1\nb\n", "line 2: '=' was expected");
  check_invalid("codex", "a = \"x\nb = 1\n", "line 1: a string has no end");
  check_invalid("codex", "a = \"\"\"x\n\n", "a string has no end");
  check_invalid("codex", "a = 1 2\n", "line 1: the end of the line was expected");
  check_invalid("codex", "a = [1, 2\nb = 3\n", "',' or ']' was expected");
  check_invalid("codex", "a = {b = 1 c = 2}\n", "',' or '}' was expected");
  check_invalid("codex", "[a\nb = 1\n", "line 1: ']' was expected");
  check_invalid("codex", "= 1\n", "line 1: a key was expected");
  check_invalid("codex", "a =\n", "a value was expected");
  check_invalid("codex", "a = " + std::string(200, '['), "nested too deep");
  check_invalid("codex", "a = \"\\", "a string has no end");
}
