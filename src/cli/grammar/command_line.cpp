#include "cli/grammar/command_line.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/suggest.hpp"
#include "base/url.hpp"
#include "cli/grammar/arguments.hpp"
#include "cli/grammar/cli11_parser.hpp"
#include "cli/grammar/command_table.hpp"
#include "cli/grammar/number.hpp"
#include "runtime/contract/secrets.hpp"

namespace clawperator::cli {
namespace {

using Words = std::vector<std::string>;
using WordSpan = std::span<const std::string>;

// The parts of a command line. Reading it never fails, so that an error is printed in the output
// mode that the rest of the line selects.
struct Line {
  Words names;  // words that may name the command: at most two
  Lookup found;
  std::vector<Given> own;  // the command's options
  Globals globals;
  Result<void> globals_fault;  // the first
  Words words;                 // the other words, unknown flags among them
  Words passed;                // unchanged: a script's, another program's, words after `--`
  std::string first;           // the word after the command's name
  std::string stray;           // the first unknown flag before the command
  OutputMode output = OutputMode::json;
  bool version = false;
  bool help = false;
};

std::span<const Option> options_of(const Lookup& found) {
  return found.command ? found.command->options : std::span<const Option>{};
}

// True for a word that begins with a dash, except for the values `-`, `--` and `-5`.
bool looks_like_flag(std::string_view word) {
  if (!word.starts_with('-') || word == "-" || word == "--") return false;
  return word.starts_with("--") || std::isnan(parse_number(word));
}

class LineReader {
 public:
  Line read(WordSpan argv) {
    const auto end = std::ranges::find(argv, "--");
    rest_.assign(argv.begin(), end);
    find_command();
    if (is(Kind::foreign)) {
      line_.passed = std::move(rest_);
      line_.passed.insert(line_.passed.end(), end, argv.end());
      return std::move(line_);
    }
    if (!rest_.empty()) line_.first = rest_.front();
    if (is(Kind::script)) find_script();
    Words left = parse(Until::end);
    std::ranges::move(left, std::back_inserter(has_script_ ? line_.passed : line_.words));
    // `clawperator --device` is reported as a mistyped command.
    if (line_.names.empty() && end != argv.end()) line_.names.emplace_back("--");
    if (line_.names.empty() && !argv.empty() && argv.back() == "--device")
      line_.names.push_back(argv.back());
    if (end != argv.end()) line_.passed.insert(line_.passed.end(), end + 1, argv.end());
    return std::move(line_);
  }

 private:
  [[nodiscard]] bool is(Kind kind) const {
    return line_.found.command && line_.found.command->kind == kind;
  }

  [[nodiscard]] bool is_named() const {
    const Command* command = line_.found.command;
    return line_.names.size() == 2 || (command && command->subcommands.empty());
  }

  void find_command() {
    while (!is_named()) {
      const auto word = next_word();
      if (!word) return;
      line_.names.push_back(*word);
      line_.found = look_up(line_.names);
      if (line_.found.command && line_.found.words < line_.names.size()) {
        line_.words.push_back(*word);  // it names no subcommand
      }
    }
    const Command* group = line_.found.group;
    if (!group || group->options.empty()) return;
    // `hub --all update`: an option that the group does not know may belong to the subcommand.
    rest_.insert(rest_.begin(), line_.words.begin(), line_.words.end());
    line_.words.clear();
  }

  void find_script() {
    const auto script = next_word();
    if (!script) return;
    line_.words.push_back(*script);
    has_script_ = true;
  }

  // The next word that is no flag; the options before it are read.
  std::optional<std::string> next_word() {
    // A real command line has fewer stops, and CLI11 reads the rest anew after each stop.
    constexpr int kMostStops = 64;
    for (int stops = 0; stops < kMostStops; ++stops) {
      rest_ = parse(Until::first_word);
      auto next = rest_.begin();
      for (; next != rest_.end() && is_unknown_flag(*next); ++next) {
        if (line_.names.empty() && line_.stray.empty()) line_.stray = spelling_of(*next);
        line_.words.push_back(*next);
      }
      std::optional<std::string> word;
      if (next != rest_.end() && !looks_like_flag(*next)) word = *next++;
      rest_.erase(rest_.begin(), next);
      if (word || rest_.empty()) return word;
      // An option: CLI11 stops at `---` and `-5x`, which are flags here.
    }
    std::ranges::move(rest_, std::back_inserter(line_.words));
    rest_.clear();
    return std::nullopt;
  }

  [[nodiscard]] bool is_unknown_flag(const std::string& word) const {
    return looks_like_flag(word) && !find(spelling_of(word));
  }

  Words parse(Until until) {
    return parse_words(
        std::move(rest_), until, [this](std::string_view spelling) { return find(spelling); },
        [this](Given given) { take(std::move(given)); });
  }

  [[nodiscard]] const Option* find(std::string_view spelling) const {
    if (const Option* own = find_option(options_of(line_.found), spelling)) return own;
    const Option* global = find_option(global_options(), spelling);
    return global && has_script_ && !is_one_of(global->name, kScriptGlobals) ? nullptr : global;
  }

  void take(Given given) {
    const bool is_own = find_option(options_of(line_.found), given.spelling) == given.option;
    const std::string_view value = given.values.empty() ? "" : std::string_view(given.values[0]);
    const Option* global =
        is_own ? meant_globally(*given.option, given.spelling, value) : given.option;
    if (!global) return line_.own.push_back(std::move(given));
    given.option = global;
    if (global->name == "--output") line_.output = output_mode(value);
    if (given.values.empty()) {
      if (global->name == "--json") line_.output = OutputMode::json;
      if (global->name == "--version") line_.version = true;
      if (global->name == "--help") line_.help = true;
    }
    if (line_.globals_fault) line_.globals_fault = read_global(line_.globals, given);
  }

  Line line_;
  Words rest_;  // not read yet
  bool has_script_ = false;
};

std::optional<std::string_view> nearest_flag(std::span<const Option> options,
                                             std::string_view flag) {
  std::vector<std::string_view> known;
  for (const auto table : {options, global_options()}) {
    for (const Option& option : table) {
      known.push_back(option.name);
      for_each_part(option.aliases, [&](std::string_view alias) { known.push_back(alias); });
    }
  }
  const auto dashed = std::ranges::find(known, "-" + std::string(flag));
  return dashed != known.end() ? *dashed : suggest_flag(flag, known);
}

// Names a similar flag, or the subcommand of the group that has it.
std::unexpected<Error> unrecognized_flag(const Lookup& found, std::string_view flag) {
  std::string message = "unrecognized flag '" + clipped(flag) + "'";
  if (const auto near = nearest_flag(options_of(found), flag)) {
    message += ". Did you mean '" + std::string(*near) + "'?";
  }
  if (found.group) {
    const auto has_it = [&](const Command* other) { return find_option(other->options, flag); };
    const auto sibling = std::ranges::find_if(found.group->subcommands, has_it);
    if (sibling != found.group->subcommands.end()) {
      message += ". '" + std::string((*sibling)->name) + "' has it";
    }
  }
  return fail(errc::usage, std::move(message));
}

// A suggestion for a word that is too many.
std::string meant_by(const Command& command, const std::string& word) {
  if (const auto near = nearest_flag(command.options, "--" + word)) {
    return " Did you mean '" + std::string(*near) + "'?";
  }
  if (command.most_words == 0 && find_option(command.options, "--text")) {
    return " Did you mean --text '" + clipped(word) + "'?";
  }
  return {};
}

Result<void> check_word_count(const Command& command, const Words& words) {
  if (words.size() <= command.most_words) return {};
  const std::string& extra = words[command.most_words];
  return fail(errc::usage, "unexpected argument '" + clipped(shown_url(extra)) + "'." +
                               meant_by(command, extra) + " Usage: clawperator " +
                               std::string(command.name) + (command.usage.empty() ? "" : " ") +
                               std::string(command.usage));
}

// `exec --plan.json`: the first word, and the only remaining one.
bool is_file_name(const Line& line) {
  return line.found.command->kind == Kind::payload && line.words.size() == 1 &&
         line.words[0] == line.first && line.first.starts_with("--") &&
         !nearest_flag(options_of(line.found), spelling_of(line.first));
}

// Flags with two dashes are refused first. A flag with one dash may stand in the place of a value:
// then the error is about the value.
Result<void> take_flags_out(Line& line) {
  Words& words = line.words;
  if (is_file_name(line)) return {};
  const auto flag_with = [&](std::string_view dashes) {
    return std::ranges::find_if(words, [&](const std::string& word) {
      return word.starts_with(dashes) && looks_like_flag(word);
    });
  };
  auto unknown = flag_with("--");
  const bool lacks_value = std::ranges::any_of(line.own, &Given::missing_value);
  if (unknown == words.end() && !lacks_value) unknown = flag_with("-");
  if (unknown != words.end()) return unrecognized_flag(line.found, spelling_of(*unknown));
  std::erase_if(words, looks_like_flag);
  return {};
}

// The error of a group lists its subcommands, whatever flags the line has.
std::unexpected<Error> group_answer(const Command& group, Words words) {
  std::erase_if(words, [](const std::string& word) { return word.starts_with('-'); });
  return group_usage(group, words);
}

Result<Arguments> arguments_for(Line line) {
  TRY_VOID(take_flags_out(line));
  TRY_VOID(check_given(line.own));
  std::ranges::move(line.passed, std::back_inserter(line.words));
  TRY_VOID(check_word_count(*line.found.command, line.words));
  return Arguments(std::move(line.own), std::move(line.words));
}

Result<Request> judge(Line line) {
  if (line.version) return PrintVersion{};
  TRY_VOID(line.globals_fault);
  if (line.help) return PrintHelp{help_topic(line.names)};
  if (!line.stray.empty()) return unrecognized_flag({}, line.stray);
  TRY(const Lookup found, find_command(line.names));
  if (!found.command->subcommands.empty()) {
    std::ranges::move(line.passed, std::back_inserter(line.words));
    return group_answer(*found.command, std::move(line.words));
  }
  Invocation invocation;
  invocation.command = found.command;
  invocation.globals = std::move(line.globals);
  TRY(invocation.arguments, arguments_for(std::move(line)));
  invocation.stamp = act::Stamp::now();
  return invocation;
}

bool gives_picture(const Line& line) {
  const Command* command = line.found.command;
  return command && command->kind == Kind::picture &&
         std::ranges::any_of(line.own, [](const Given& given) {
           return given.option->name == "--path" && given.values == Words{"-"};
         });
}

// The command has --secret, or is mistyped, and the line contains it before `--`.
bool may_type_secret(const Line& line, std::span<const std::string> argv) {
  const auto given = std::ranges::find_if(
      argv, [](const std::string& word) { return word == "--secret" || word == "--"; });
  return given != argv.end() && *given == "--secret" &&
         (!line.found.command || find_option(options_of(line.found), "--secret"));
}

// A wrong word may be a part of the secret text.
Error unquoted(const Error& error) {
  constexpr std::string_view kValue = ", not ";
  const std::string& message = error.message();
  auto cut = message.find('\'');
  if (const auto value = message.find(kValue); value < cut) cut = value + kValue.size();
  if (cut == std::string::npos) return error;
  return {error.code(), message.substr(0, cut) + std::string(kMask)};
}

}  // namespace

CommandLine read_command_line(std::span<const std::string> argv) {
  if (argv.empty()) return {PrintHelp{}, OutputMode::json, false};
  // As the first word --version has priority over the rest, so the rest is not read.
  if (argv.front() == "--version") return {PrintVersion{}, OutputMode::json, false};
  Line line = LineReader().read(argv);
  const OutputMode output = line.output;
  const bool stdout_is_for_picture = gives_picture(line);
  const bool types_secret = may_type_secret(line, argv);
  auto request = judge(std::move(line));
  if (!request && types_secret) request = std::unexpected(unquoted(request.error()));
  return {std::move(request), output, stdout_is_for_picture};
}

Result<Globals> globals_of(std::span<const std::string> argv) {
  Line line = LineReader().read(argv);
  TRY_VOID(line.globals_fault);
  return std::move(line.globals);
}

}  // namespace clawperator::cli
