#include "cli/clients/server_entry.hpp"

#include "base/json_text.hpp"
#include "cli/clients/errc.hpp"

namespace clawperator::cli {

std::string_view name_of(EntryChange change) {
  static constexpr std::string_view kNames[] = {"none", "added", "updated"};
  return kNames[static_cast<std::size_t>(change)];
}

Result<EditedSettings> with_entry(const McpClient& client, std::string_view settings,
                                  const ServerEntry& entry) {
  return client.notation == Notation::toml ? with_toml_entry(client.servers, settings, entry)
                                           : with_json_entry(client, settings, entry);
}

Result<std::optional<std::string>> entry_program(const McpClient& client,
                                                 std::string_view settings) {
  return client.notation == Notation::toml ? toml_entry_program(client.servers, settings)
                                           : json_entry_program(client, settings);
}

std::string arguments_text(const ServerEntry& entry) {
  std::string text;
  for (const std::string& word : entry.arguments) {
    text += (text.empty() ? "[" : ", ") + quote_json(word);
  }
  return text + "]";
}

bool is_our_entry(std::string_view program, std::string_view first_argument) {
  return program.substr(program.rfind('/') + 1) == kEntryName && first_argument == "mcp";
}

std::unexpected<Error> entry_taken() {
  return fail(errc::client_entry_taken, "there is another server named " + std::string(kEntryName) +
                                            "; remove or rename it first");
}

}  // namespace clawperator::cli
