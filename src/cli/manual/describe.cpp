#include "cli/manual/all_errors.hpp"
#include "cli/manual/manual.hpp"

#include "base/json_text.hpp"
#include "cli/environment_table.hpp"
#include "cli/grammar/command_table.hpp"
#include "cli/version.hpp"
#include "runtime/contract/action_row.hpp"

namespace clawperator::cli {
namespace {

std::vector<std::string> words_of(std::string_view list, char separator) {
  std::vector<std::string> parts;
  for_each_part(
      list,
      [&](std::string_view part) {
        if (!part.empty()) parts.emplace_back(part);
      },
      separator);
  return parts;
}

std::string option_json(const Option& option) {
  JsonObject json;
  json.text("name", option.name)
      .strings("aliases", words_of(option.aliases, ' '))
      .number("values", static_cast<int>(wanted_values(option.arity)));
  if (option.arity != Arity::none) json.text("value", option.value_name);
  if (!option.choices.empty()) json.strings("choices", words_of(option.choices, ' '));
  return json.text("help", option.help).str();
}

std::string variable_json(const EnvironmentVariable& variable) {
  return JsonObject().text("name", variable.name).text("help", variable.help).str();
}

std::string error_json(const ErrorCode* row) {
  return JsonObject()
      .text("code", row->published)
      .number("exitCode", row->exit_code)
      .number("httpStatus", row->http_status)
      .text("meaning", row->meaning)
      .str();
}

std::string param_json(const ParamUse& use) {
  return JsonObject()
      .text("name", use.name())
      .text("kind", kind_name(kParams.at(use.row).kind))
      .boolean("required", use.need != Need::none)
      .text("meaning", use.meaning)
      .str();
}

std::string action_json(const ActionRow* action) {
  return JsonObject()
      .text("type", action->name)
      .strings("aliases", words_of(action->aliases, ' '))
      .text("summary", action->summary)
      .json("params", list_json(action->documented(), param_json))
      .str();
}

}  // namespace

std::string command_json(const Command& command) {
  JsonObject json;
  json.text("name", command.name)
      .strings("synonyms", words_of(command.synonyms, ' '))
      .text("usage", command.usage)
      .text("summary", command.summary);
  if (!command.details.empty()) json.text("details", command.details);
  json.strings("examples", words_of(command.examples, '\n'))
      .boolean("needsDevice", command.reach == Reach::device)
      .json("options", list_json(command.options, option_json));
  if (command.kind == Kind::payload) {
    json.json("actions", list_json(action_rows(), action_json));
    std::vector<std::string> fields;
    for (const MatcherField& field : matcher_fields()) fields.emplace_back(field.name);
    json.strings("matcherFields", fields);
  }
  if (!command.subcommands.empty()) {
    json.json("subcommands", list_json(command.subcommands, [](const Command* subcommand) {
                return command_json(*subcommand);
              }));
  }
  return json.str();
}

std::string program_json() {
  return JsonObject()
      .text("name", "clawperator")
      .text("version", kVersionText)
      .json("globals", list_json(global_options(), option_json))
      .json("commands",
            list_json(commands(), [](const Command* command) { return command_json(*command); }))
      .json("environment", list_json(environment_table(), variable_json))
      .json("errors", list_json(all_errors(), error_json))
      .str();
}

}  // namespace clawperator::cli
