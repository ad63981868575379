#include "cli/manual/completion.hpp"

#include <algorithm>

#include "cli/adb/adb_command.hpp"
#include "cli/grammar/command_line.hpp"
#include "cli/grammar/command_table.hpp"
#include "cli/grammar/globals.hpp"
#include "cli/run_task.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/host/emulator/avd.hpp"
#include "runtime/host/verbs/apps.hpp"

namespace clawperator::cli {
namespace {

struct Placeholder {
  std::string_view text, source;
};

constexpr Placeholder kPlaceholders[] = {
    {"<serial>", "@serials"},
    {"<package>", "@packages"},
    {"<package-or-uri>", "@packages"},
    {"<file>", "@files"},
    {"<json-or-file>", "@files"},
    {"<file|folder>", "@files"},
    {"<folder>", "@folders"},
    {"<role>", "button textfield text switch checkbox image listitem toolbar tab"},
};

// "<down|up|left|right>" lists its values; "<n>" or "<host:port>" is free text.
std::string words_of(std::string_view placeholder) {
  std::string words(placeholder.substr(1, placeholder.size() - 2));
  if (words.find('|') == words.npos || words.find(':') != words.npos) return {};
  std::ranges::replace(words, '|', ' ');
  return words;
}

std::string source_of(std::string_view placeholder) {
  const auto known = std::ranges::find(kPlaceholders, placeholder, &Placeholder::text);
  return std::string(known == std::end(kPlaceholders) ? "" : known->source);
}

// Of a family (wait-for-) its most frequent member.
std::string names_of_adb() {
  std::string names;
  for (const AdbCommand& command : adb_commands()) {
    if (command.usage.empty()) continue;
    names += (names.empty() ? "" : " ") + std::string(command.name);
    if (command.name.ends_with('-')) names += "device";
  }
  return names;
}

std::string value_flags() {
  std::vector<std::string_view> flags;
  const auto add = [&](const Option& option) {
    const Option* global = find_option(global_options(), option.name);
    if (option.arity == Arity::none || (global && global->arity == Arity::none)) return;
    flags.push_back(option.name);
    for_each_part(option.aliases, [&](std::string_view alias) { flags.push_back(alias); });
  };
  std::ranges::for_each(global_options(), add);
  for (const Command* command : commands_and_subcommands()) {
    if (command->subcommands.empty()) std::ranges::for_each(command->options, add);
  }
  std::ranges::sort(flags);
  const auto repeated = std::ranges::unique(flags);
  flags.erase(repeated.begin(), repeated.end());
  std::string pattern;
  for (const std::string_view flag : flags)
    pattern += (pattern.empty() ? "" : "|") + std::string(flag);
  return pattern;
}

using Names = std::vector<std::string>;

// A person waits after Tab: after a second, no names are better than a hang.
constexpr auto kCandidateLimit = std::chrono::milliseconds(900);
constexpr std::size_t kLongestCandidate = 255;

TargetOptions quiet_target(std::span<const std::string> words) {
  const auto globals = globals_of(words);
  TargetOptions target = globals ? globals->target : TargetOptions{};
  target.start_server = false;
  target.authorization_limit = std::chrono::seconds(0);
  return target;
}

Task<Names> serials(TargetOptions target) {
  CO_TRY(const auto rows, co_await list_devices(std::move(target)));
  Names names;
  for (const DeviceRow& row : rows) names.push_back(row.serial);
  co_return names;
}

Task<Names> packages(TargetOptions target) {
  CO_TRY(const auto device, co_await resolve_device(std::move(target)));
  co_return co_await list_packages(device.get(), PackageKind::all);
}

// Phones and networks choose these names, and the special characters of all shells are not known.
// Only names of characters that are plain in every shell pass.
bool is_plain_word(std::string_view name) {
  constexpr std::string_view kAlphanumeric =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const auto is_plain = [&](char c) {
    return kAlphanumeric.contains(c) || std::string_view("._:/@%+=,-").contains(c);
  };
  return name.size() <= kLongestCandidate && !name.empty() &&
         (kAlphanumeric.contains(name[0]) || name[0] == '_') && std::ranges::all_of(name, is_plain);
}

Names names_within_limit(Task<Names> query) {
  auto names = run_task(with_deadline(std::move(query), kCandidateLimit, "completion"));
  return names ? *std::move(names) : Names{};
}

Names avds() {
  Names names;
  for (const Avd& avd : list_avds(avd_folder(), this_host())) names.push_back(avd.name);
  return names;
}

}  // namespace

std::string last_name(const Command& command) { return std::string(second_word(command)); }

std::string with_value_flags(std::string_view text) {
  constexpr std::string_view kMark = "@VALUE_FLAGS@";
  std::string whole(text);
  return whole.replace(whole.find(kMark), kMark.size(), value_flags());
}

std::string value_source(const Option& option) {
  return option.choices.empty() ? source_of(option.value_name) : std::string(option.choices);
}

std::string positional_source(const Command& command) {
  if (command.kind == Kind::foreign) return names_of_adb();
  std::string_view usage = command.usage;
  if (usage.starts_with('[')) usage.remove_prefix(1);
  const auto end = usage.find('>');
  if (!usage.starts_with('<') || end == usage.npos) return {};
  const std::string_view placeholder = usage.substr(0, end + 1);
  if (placeholder == "<name>" && command.name.starts_with("emulator ")) return "@avds";
  if (placeholder == "<command>") return names_of(commands(), " ");
  const std::string known = source_of(placeholder);
  return known.empty() ? words_of(placeholder) : known;
}

std::string case_pattern(const Command& command) {
  std::string pattern(second_word(command));
  for_each_part(command.synonyms,
                [&](std::string_view synonym) { pattern += "|" + std::string(synonym); });
  return pattern;
}

std::string option_names(std::span<const Option> options) {
  std::string names;
  for (const Option& option : options) {
    names += (names.empty() ? "" : " ") + std::string(option.name);
  }
  return names;
}

std::string candidate_lines(std::vector<std::string> names) {
  std::erase_if(names, [](const std::string& name) { return !is_plain_word(name); });
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  std::string text;
  for (const std::string& name : names) text += name + "\n";
  return text;
}

std::string candidates(std::string_view kind, std::span<const std::string> words) {
  if (kind == "serials") return candidate_lines(names_within_limit(serials(quiet_target(words))));
  if (kind == "packages") return candidate_lines(names_within_limit(packages(quiet_target(words))));
  return candidate_lines(avds());
}

}  // namespace clawperator::cli
