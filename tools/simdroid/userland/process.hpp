#pragma once
// A running command as its code sees it: arguments, standard streams, the phone.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simdroid/device/phone.hpp"
#include "simdroid/userland/io.hpp"

namespace simdroid {

class Shell;

struct Process {
  Phone* phone = nullptr;
  std::vector<std::string> args;  // args[0] is the name
  Io io;
  Shell* shell = nullptr;  // its parent: variables and working directory

  [[nodiscard]] std::size_t count() const { return args.size(); }
  // "" beyond the end.
  [[nodiscard]] const std::string& arg(std::size_t index) const;
  [[nodiscard]] std::vector<std::string> args_from(std::size_t index) const;
  // Resolved against the shell's working directory.
  [[nodiscard]] std::string path(std::string_view name) const;
};

// Failures mean that the reader is gone: the command ends.
Task<void> print(Process* process, std::string text);
Task<void> complain(Process* process, std::string text);
// complain() and the exit status to return.
Task<int> give_up(Process* process, std::string text, int status = 1);

struct Options {
  std::string letters;
  std::vector<std::string> names;

  [[nodiscard]] bool has(char letter) const { return letters.contains(letter); }
};
// errc::io for a letter that is not among `known`, which the shell prints.
Result<Options> parse_options(const Process& process, std::string_view known);
// "head: -z: not known to the simulated phone"
std::unexpected<Error> not_known(const Process& process, std::string_view what);

// The exit status; an error is a broken pipe (the shell makes 141 of it).
using CommandCode = Task<int> (*)(Process*);

struct CommandEntry {
  std::string_view name;
  CommandCode run;
  // The time for its start; null: part of the shell.
  Cost Latencies::* startup = &Latencies::shell_start;
};

// Null: no such command, or one that the maker left out. `name` may be a path below /system/bin and
// the like.
const CommandEntry* find_command(std::string_view name, const Faults& faults);

}  // namespace simdroid
