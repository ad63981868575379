#include <algorithm>
#include <optional>

#include "base/error_members.hpp"
#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "cli/clients/errc.hpp"
#include "cli/clients/server_entry.hpp"
#include "cli/clients/toml_outline.hpp"

namespace clawperator::cli {
namespace {

using TomlKey = std::vector<std::string>;

// [mcp_servers.clawperator]
struct EntryTable {
  bool is_there = false;
  std::optional<TomlStatement> command{};
  std::optional<TomlStatement> args{};
};

bool begins_with(const TomlKey& key, const TomlKey& start) {
  return key.size() >= start.size() && std::equal(start.begin(), start.end(), key.begin());
}

std::unexpected<Error> not_understood(const TomlKey& table) {
  return fail(errc::client_config_invalid, table.front() +
                                               " is written in a form that is not supported; "
                                               "run with --print-config and add the entry by hand");
}

// The statements beside the entry's own that are allowed: a table below the entry, the table of all
// servers, another server's tables and values.
bool is_understood(const TomlStatement& statement, const TomlKey& table) {
  const TomlKey servers(table.begin(), table.end() - 1);
  if (!begins_with(statement.key, servers)) return true;
  if (statement.kind == TomlKind::value) {
    // Refused: mcp_servers = {...}, mcp_servers.x = ..., and the entry itself inside [mcp_servers]
    return statement.table_depth >= servers.size() &&
           (statement.table_depth > servers.size() || !begins_with(statement.key, table));
  }
  return statement.kind == TomlKind::table || statement.key.size() > table.size() ||
         (statement.key.size() == table.size() && statement.key != table);
}

Result<EntryTable> find_entry(std::string_view settings, const TomlKey& table) {
  TRY(const auto statements, with_code(errc::client_config_invalid, outline_toml(settings)));
  EntryTable entry;
  bool has_parts = false;  // such as [mcp_servers.clawperator.env]
  for (const TomlStatement& statement : statements) {
    if (!is_understood(statement, table)) return not_understood(table);
    if (!begins_with(statement.key, table)) continue;
    const bool is_value = statement.kind == TomlKind::value;
    const bool is_own = is_value && statement.table_depth == table.size();
    has_parts |= is_value ? !is_own : statement.key != table;
    if (is_own && statement.key.size() == table.size() + 1) {
      if (statement.key.back() == "command") entry.command = statement;
      if (statement.key.back() == "args") entry.args = statement;
    }
    if (statement.kind != TomlKind::table || statement.key != table) continue;
    if (std::exchange(entry.is_there, true)) return not_understood(table);
  }
  if (has_parts && !entry.is_there) return not_understood(table);
  return entry;
}

std::string_view value_in(std::string_view settings, const TomlStatement& statement) {
  return settings.substr(statement.value_begin, statement.value_end - statement.value_begin);
}

struct OwnWords {
  std::string program{};
  std::vector<std::string> arguments{};
};

// client_entry_taken for the entry of another program.
Result<OwnWords> words_of(std::string_view settings, const EntryTable& entry) {
  if (!entry.command || !entry.args) return entry_taken();
  auto program = toml_string(value_in(settings, *entry.command));
  auto arguments = toml_strings(value_in(settings, *entry.args));
  if (!program || !arguments || arguments->empty() || !is_our_entry(*program, arguments->front())) {
    return entry_taken();
  }
  return OwnWords{*std::move(program), *std::move(arguments)};
}

std::string appended(std::string_view settings, std::string_view header, const ServerEntry& entry) {
  std::string text(settings);
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  if (!is_blank(settings)) text += '\n';
  return text + "[" + std::string(header) + "." + std::string(kEntryName) +
         "]\ncommand = " + quote_json(entry.program) + "\nargs = " + arguments_text(entry) + "\n";
}

TomlKey table_of(std::string_view servers) {
  return {std::string(servers), std::string(kEntryName)};
}

// Replaces the later value first, so that the earlier one's offset stays valid.
std::string updated(std::string_view settings, const EntryTable& there, const OwnWords& words,
                    const ServerEntry& entry) {
  std::vector<std::pair<TomlStatement, std::string>> changes;
  if (words.program != entry.program) {
    changes.emplace_back(*there.command, quote_json(entry.program));
  }
  if (entry.sets_arguments && words.arguments != entry.arguments) {
    changes.emplace_back(*there.args, arguments_text(entry));
  }
  std::ranges::sort(changes, std::greater(),
                    [](const auto& change) { return change.first.value_begin; });
  std::string text(settings);
  for (const auto& [place, value] : changes) {
    text.replace(place.value_begin, place.value_end - place.value_begin, value);
  }
  return text;
}

}  // namespace

Result<EditedSettings> with_toml_entry(std::string_view table, std::string_view settings,
                                       const ServerEntry& entry) {
  TRY(const EntryTable there, find_entry(settings, table_of(table)));
  EditedSettings edited{.change = EntryChange::added};
  if (there.is_there) {
    TRY(const OwnWords words, words_of(settings, there));
    edited.text = updated(settings, there, words, entry);
    edited.change = edited.text == settings ? EntryChange::none : EntryChange::updated;
  } else {
    edited.text = appended(settings, table, entry);
  }
  const auto program = toml_entry_program(table, edited.text);
  if (!program || *program != entry.program) {
    return fail(errc::client_config_invalid,
                "the entry cannot be added without other changes; add it by hand");
  }
  return edited;
}

Result<std::optional<std::string>> toml_entry_program(std::string_view table,
                                                      std::string_view settings) {
  TRY(const EntryTable there, find_entry(settings, table_of(table)));
  if (!there.is_there) return std::nullopt;
  TRY(OwnWords words, words_of(settings, there));
  return std::move(words.program);
}

}  // namespace clawperator::cli
