#pragma once
// A command as data: what help, completion and the parser need, and the function that runs it.
// Every commands/<name>.cpp defines constants of this type; command_table.cpp lists them.

#include "base/error.hpp"
#include "cli/grammar/arguments.hpp"
#include "cli/grammar/globals.hpp"
#include "cli/grammar/option.hpp"
#include "runtime/act/stamp.hpp"
#include "runtime/contract/secrets.hpp"

namespace clawperator::cli {

struct Command;

// One run of the program: the command and everything it was given.
struct Invocation {
  const Command* command = nullptr;
  Globals globals;
  Arguments arguments;
  act::Stamp stamp;   // makes command ids
  Secrets secrets{};  // what it has typed
};

// What a command prints: a JSON document (`text` is then its rendering for people, where plain
// indentation is not good enough), a text, or nothing; a picture may go with the JSON.
struct Answer {
  std::string json{};
  std::string text{};
  std::vector<std::byte> picture{};
  int exit_code = 0;
  bool document_to_stderr = false;  // stdout is for the picture, even if there is none
};

enum class Reach { host, device };  // does it need a device (and so its options)?

// What is special about reading a command's words.
enum class Kind {
  plain,
  foreign,  // what follows its name are another program's words
  payload,  // its word may be a file whose name looks like a flag: `exec --plan.json`
  picture,  // `--path -` gives stdout to its picture
  script,  // behind its first word, what is neither its own nor one of kScriptGlobals is a script's
};

struct Command {
  std::string_view name{};
  std::string_view synonyms{};  // separated by spaces
  std::string_view usage{};     // what follows the name
  std::string_view summary{};   // one line
  std::string_view details{};   // further help text
  std::string_view examples{};  // lines, without `clawperator`
  Reach reach = Reach::device;
  std::span<const Option> options{};
  Result<Answer> (*run)(const Invocation&) = nullptr;
  // Of `emulator`: `emulator list`, ... A subcommand's name holds both words, its synonyms are
  // single second words. Such a command itself is never run (group_usage).
  std::span<const Command* const> subcommands{};
  // How many words it takes that are no options; one more is USAGE.
  std::size_t most_words = 0;
  Kind kind = Kind::plain;
};

// Command::most_words of a command that passes its words on.
inline constexpr std::size_t kAnyWords = static_cast<std::size_t>(-1);

// A command with nothing special about it that needs no device.
constexpr Command host_command(std::string_view name, std::string_view usage,
                               std::string_view summary, std::string_view details,
                               std::string_view examples, std::span<const Option> options,
                               Result<Answer> (*run)(const Invocation&),
                               std::size_t most_words = 0) {
  return {name,        {},      usage, summary, details,    examples,
          Reach::host, options, run,   {},      most_words, Kind::plain};
}

}  // namespace clawperator::cli
