#pragma once
// A command as data: the rows for help, completion and the parser, and the function that runs it.
// Every commands/<name>.cpp defines constants of this type; command_table.cpp lists them.

#include "base/error.hpp"
#include "cli/grammar/arguments.hpp"
#include "cli/grammar/globals.hpp"
#include "cli/grammar/option.hpp"
#include "runtime/act/stamp.hpp"
#include "runtime/contract/secrets.hpp"

namespace clawperator::cli {

struct Command;

// One run of the program: the command and its arguments.
struct Invocation {
  const Command* command = nullptr;
  Globals globals;
  Arguments arguments;
  act::Stamp stamp;   // makes command ids
  Secrets secrets{};  // the texts that it has typed
};

// The output of a command: a JSON document (`text` is then its rendering for people, if plain
// indentation is not good enough), a text, or nothing. A picture may accompany the JSON.
struct Answer {
  std::string json{};
  std::string text{};
  std::vector<std::byte> picture{};
  int exit_code = 0;
  bool document_to_stderr = false;  // stdout is for the picture, even if there is none
};

enum class Reach { host, device };  // device: it needs a device and takes its options

// How a command's words are read.
enum class Kind {
  plain,
  foreign,  // the words after its name belong to another program
  payload,  // its word may be a file named like a flag: `exec --plan.json`
  picture,  // `--path -` writes its picture to stdout
  script,   // options after its first word that are unknown here belong to a script
};

struct Command {
  std::string_view name{};
  std::string_view synonyms{};  // separated by spaces
  std::string_view usage{};     // the text after the name
  std::string_view summary{};   // one line
  std::string_view details{};   // further help text
  std::string_view examples{};  // lines, without `clawperator`
  Reach reach = Reach::device;
  std::span<const Option> options{};
  Result<Answer> (*run)(const Invocation&) = nullptr;
  // The subcommands of a group: `emulator list`, ... A subcommand's name has both words, its
  // synonyms are second words only. A group itself never runs (group_usage).
  std::span<const Command* const> subcommands{};
  // The greatest number of positional words; one more is USAGE.
  std::size_t most_words = 0;
  Kind kind = Kind::plain;
};

// Command::most_words of a command that passes its words on.
inline constexpr std::size_t kAnyWords = static_cast<std::size_t>(-1);

// An ordinary command that needs no device.
constexpr Command host_command(std::string_view name, std::string_view usage,
                               std::string_view summary, std::string_view details,
                               std::string_view examples, std::span<const Option> options,
                               Result<Answer> (*run)(const Invocation&),
                               std::size_t most_words = 0) {
  return {name,        {},      usage, summary, details,    examples,
          Reach::host, options, run,   {},      most_words, Kind::plain};
}

}  // namespace clawperator::cli
