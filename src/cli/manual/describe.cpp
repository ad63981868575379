#include "cli/manual/describe.hpp"

#include <vector>

#include "cli/grammar/command_table.hpp"
#include "cli/manual/environment_table.hpp"
#include "cli/version.hpp"
#include "runtime/contract/action_manual.hpp"
#include "runtime/contract/error_codes.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::cli {
namespace {

std::vector<std::string> split(std::string_view list, char separator) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const auto end = list.find(separator);
    if (end != 0) parts.emplace_back(list.substr(0, end));
    list = end == list.npos ? std::string_view{} : list.substr(end + 1);
  }
  return parts;
}

template <class Range, class ToJson>
std::string array_of(const Range& range, ToJson to_json_text) {
  std::string list;
  for (const auto& element : range) list += (list.empty() ? "" : ",") + to_json_text(element);
  return "[" + list + "]";
}

std::string option_json(const Option& option) {
  JsonObject json;
  json.text("name", option.name)
      .strings("aliases", split(option.aliases, ' '))
      .number("values", static_cast<int>(wanted_values(option.arity)));
  if (option.arity != Arity::none) json.text("value", option.value_name);
  if (!option.choices.empty()) json.strings("choices", split(option.choices, ' '));
  return json.text("help", option.help).str();
}

std::string variable_json(const EnvironmentVariable& variable) {
  return JsonObject().text("name", variable.name).text("help", variable.help).str();
}

std::string error_json(const ErrorRow& row) {
  return JsonObject()
      .text("code", row.published)
      .number("exitCode", row.exit_code)
      .number("httpStatus", row.http_status)
      .text("meaning", row.meaning)
      .str();
}

std::string param_json(const ParamUse& use) {
  return JsonObject()
      .text("name", use.name)
      .text("kind", param_kind_name(use.name))
      .boolean("required", use.is_required)
      .text("meaning", use.meaning)
      .str();
}

std::string action_json(const ActionPage& page) {
  std::vector<std::string> aliases;
  for (const AliasRow& row : action_aliases()) {
    if (row.canonical == action_name(page.type)) aliases.emplace_back(row.alias);
  }
  return JsonObject()
      .text("type", action_name(page.type))
      .strings("aliases", aliases)
      .text("summary", page.summary)
      .json("params", array_of(page.params, param_json))
      .str();
}

}  // namespace

std::string command_json(const Command& command) {
  JsonObject json;
  json.text("name", command.name)
      .strings("synonyms", split(command.synonyms, ' '))
      .text("usage", command.usage)
      .text("summary", command.summary);
  if (!command.details.empty()) json.text("details", command.details);
  json.strings("examples", split(command.examples, '\n'))
      .boolean("needsDevice", command.reach == Reach::device)
      .json("options", array_of(command.options, option_json));
  if (command.kind == Kind::payload) {
    json.json("actions", array_of(action_manual(), action_json));
    const std::vector<std::string> fields(matcher_fields().begin(), matcher_fields().end());
    json.strings("matcherFields", fields);
  }
  if (!command.subcommands.empty()) {
    json.json("subcommands", array_of(command.subcommands, [](const Command* subcommand) {
                return command_json(*subcommand);
              }));
  }
  return json.str();
}

std::string program_json() {
  return JsonObject()
      .text("name", "clawperator")
      .text("version", kVersionText)
      .json("globals", array_of(global_options(), option_json))
      .json("commands",
            array_of(commands(), [](const Command* command) { return command_json(*command); }))
      .json("environment", array_of(environment_table(), variable_json))
      .json("errors", array_of(error_table(), error_json))
      .str();
}

}  // namespace clawperator::cli
