// mcp --print-config, --write: our entry in an MCP client's settings

#include "base/json_text.hpp"
#include "cli/client_settings.hpp"
#include "cli/commands/commands.hpp"
#include "cli/pretty/pretty_printer.hpp"

namespace clawperator::cli {

bool has_client_options(const Arguments& arguments) {
  return arguments.has("--print-config") || arguments.has("--write");
}

Result<Answer> answer_mcp_client(const Invocation& invocation) {
  const std::string* name = invocation.arguments.value("--print-config");
  const McpClient* client = name ? find_mcp_client(*name) : nullptr;
  if (client == nullptr) return fail(errc::usage, "--write requires --print-config <client>");
  TRY(const ServerEntry entry, entry_of_this_program(invocation.globals));
  if (!invocation.arguments.has("--write")) {
    TRY(EditedSettings alone, with_entry(*client, "", entry));
    return Answer{.text = std::move(alone.text)};
  }
  TRY(const SettingsChange done, write_entry(*client, entry));
  JsonObject json;
  json.boolean("ok", true).text("client", client->name).text("file", done.file.string());
  json.text("change", name_of(done.change)).text("program", entry.program);
  const std::string words = done.change == EntryChange::none      ? "nothing to change in "
                            : done.change == EntryChange::updated ? "updated the entry in "
                                                                  : "added the entry to ";
  return Answer{.json = json.str(), .text = words + printable_name(done.file.string()) + "\n"};
}

}  // namespace clawperator::cli
