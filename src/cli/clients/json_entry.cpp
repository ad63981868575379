#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "cli/clients/errc.hpp"
#include "cli/clients/server_entry.hpp"
#include "cli/grammar/option.hpp"
#include "skills/agent/rules/json5.hpp"

namespace clawperator::cli {
namespace {

// A project has about a dozen members in the file, a user some thousand projects.
constexpr agent_skills::Json5Limits kLimits{.bytes = kMaxSettings, .members = 1'000'000};

std::vector<std::string> path_of(const McpClient& client) {
  std::vector<std::string> path;
  for_each_part(client.servers, [&](std::string_view name) { path.emplace_back(name); }, '.');
  path.emplace_back(kEntryName);
  return path;
}

std::string entry_text(const McpClient& client, const ServerEntry& entry) {
  return std::string("{") + (client.names_type ? R"("type": "stdio", )" : "") + R"("command": )" +
         quote_json(entry.program) + R"(, "args": )" + arguments_text(entry) + "}";
}

struct Settings {
  Json document{};
  bool is_strict = false;  // plain JSON, nothing of JSON5
};

Result<Settings> read_settings(std::string_view text) {
  Settings settings{.document = Json::object(), .is_strict = true};
  if (is_blank(text)) return settings;
  TRY(settings.document, with_code(errc::client_config_invalid,
                                   agent_skills::read_json5(text, &settings.is_strict, kLimits)));
  return settings;
}

// Null when there is none.
const Json* member_at(const Json& document, std::span<const std::string> path) {
  const Json* value = &document;
  for (const std::string& name : path) {
    if (value != nullptr) value = find_member(*value, name);
  }
  return value;
}

// client_entry_taken for the entry of another program.
Result<const std::string*> program_of(const Json& entry) {
  const std::string* program = string_member(entry, "command");
  const Json* arguments = find_member(entry, "args");
  const bool has_words = arguments != nullptr && arguments->is_array() && !arguments->empty();
  const std::string* first = has_words ? string_value(&arguments->front()) : nullptr;
  if (program == nullptr || first == nullptr || !is_our_entry(*program, *first)) {
    return entry_taken();
  }
  return program;
}

// A path, its new value, and the value's text.
struct Change {
  std::vector<std::string> path{};
  std::string text{};
};

std::vector<Change> changes_of(const McpClient& client, const Json* there,
                               const ServerEntry& entry) {
  const std::vector<std::string> path = path_of(client);
  if (there == nullptr) return {{path, entry_text(client, entry)}};
  std::vector<Change> changes;
  const auto set = [&](const char* name, const std::string& text, const Json& wanted) {
    const Json* value = find_member(*there, name);
    if (value != nullptr && *value == wanted) return;
    changes.push_back({path, text});
    changes.back().path.emplace_back(name);
  };
  set("command", quote_json(entry.program), Json(entry.program));
  if (entry.sets_arguments) set("args", arguments_text(entry), Json(entry.arguments));
  return changes;
}

// True if the new text has the old document's values with the changes, and is as strict as before.
bool means(const Settings& before, std::span<const Change> changes, std::string_view text) {
  Json wanted = before.document;
  for (const Change& change : changes) {
    Json* place = &wanted;
    for (const std::string& name : change.path) place = &(*place)[name];
    *place = Json::parse(change.text);
  }
  const auto after = read_settings(text);
  return after && after->document == wanted && after->is_strict == before.is_strict;
}

}  // namespace

Result<EditedSettings> with_json_entry(const McpClient& client, std::string_view settings,
                                       const ServerEntry& entry) {
  TRY(const Settings before, read_settings(settings));
  const Json* there = member_at(before.document, path_of(client));
  if (there != nullptr) TRY_VOID(program_of(*there));
  const std::vector<Change> changes = changes_of(client, there, entry);
  EditedSettings edited{.text = std::string(settings)};
  for (const Change& change : changes) {
    TRY(edited.text,
        with_code(errc::client_config_invalid,
                  agent_skills::with_member(edited.text, change.path, change.text, kLimits)));
    edited.change = there == nullptr ? EntryChange::added : EntryChange::updated;
  }
  if (!means(before, changes, edited.text)) {
    return fail(errc::client_config_invalid,
                "the entry cannot be added without other changes; add it by hand");
  }
  return edited;
}

Result<std::optional<std::string>> json_entry_program(const McpClient& client,
                                                      std::string_view settings) {
  TRY(const Settings read, read_settings(settings));
  const Json* there = member_at(read.document, path_of(client));
  if (there == nullptr) return std::nullopt;
  TRY(const std::string* program, program_of(*there));
  return *program;
}

}  // namespace clawperator::cli
