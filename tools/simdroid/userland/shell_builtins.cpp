#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.hpp"
#include "simdroid/userland/printf_format.hpp"
#include "simdroid/userland/shell.hpp"

namespace simdroid {
namespace {

constexpr std::string_view kBuiltinsShell = "/system/bin/sh: ";

int to_status(const std::string& text, int otherwise) {
  int value = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value & 0xff;
}

// For a feature that this shell lacks; it ends the script, which would go wrong without.
Task<int> not_known(Process* process, std::string what) {
  process->shell->jump(Shell::Jump::abandon, 1);
  co_return co_await give_up(process, std::string(kBuiltinsShell) + process->arg(0) + ": " + what +
                                          ": not known to the simulated shell\n");
}

Task<int> run_true(Process*) { co_return 0; }
Task<int> run_false(Process*) { co_return 1; }

Task<int> run_cd(Process* process) {
  const std::string target =
      process->count() > 1 ? process->path(process->arg(1)) : process->shell->variable("HOME");
  const auto stat = process->phone->files.stat(target, FollowLinks::yes);
  if (!stat || !stat->is(kDirectory)) {
    const auto error = stat ? std::errc::not_a_directory : stat.error();
    co_return co_await give_up(
        process,
        std::string(kBuiltinsShell) + "cd: " + process->arg(1) + ": " + error_text(error) + "\n",
        2);
  }
  process->shell->set_directory(target);
  co_return 0;
}

Task<int> run_pwd(Process* process) {
  CO_TRY_VOID(co_await print(process, process->shell->directory() + "\n"));
  co_return 0;
}

Task<int> run_export(Process* process) {
  if (process->count() == 1) {
    std::string text;
    for (const auto& [name, value] : process->shell->variables()) {
      if (!process->shell->is_exported(name)) continue;
      text += "export " + name + "=" + value + "\n";
    }
    CO_TRY_VOID(co_await print(process, text));
  }
  for (std::size_t i = 1; i < process->count(); ++i) {
    const std::string& word = process->arg(i);
    const std::size_t equals = word.find('=');
    if (word.starts_with('-') || word.starts_with("IFS=")) {
      co_return co_await not_known(process, word);
    }
    process->shell->export_variable(word.substr(0, equals));
    if (equals == std::string::npos) continue;
    process->shell->set_variable(word.substr(0, equals), word.substr(equals + 1));
  }
  co_return 0;
}

Task<int> run_unset(Process* process) {
  for (std::size_t i = 1; i < process->count(); ++i)
    process->shell->unset_variable(process->arg(i));
  co_return 0;
}

// set [--] ARG...
Task<int> run_set(Process* process) {
  const std::size_t from = process->arg(1) == "--" ? 2 : 1;
  if (from == 1 && process->arg(1).starts_with('-')) {
    co_return co_await not_known(process, process->arg(1));
  }
  if (process->count() > 1) process->shell->set_positional(process->args_from(from));
  co_return 0;
}

Task<int> run_shift(Process* process) {
  const int count = process->count() > 1 ? to_status(process->arg(1), 1) : 1;
  const auto& given = process->shell->positional();
  if (static_cast<std::size_t>(count) > given.size()) {
    process->shell->jump(Shell::Jump::abandon, 1);
    co_return co_await give_up(process, std::string(kBuiltinsShell) + "shift: nothing to shift\n");
  }
  process->shell->set_positional({given.begin() + count, given.end()});
  co_return 0;
}

Task<int> run_exit(Process* process) {
  const int status =
      process->count() > 1 ? to_status(process->arg(1), 2) : process->shell->last_status();
  process->shell->jump(Shell::Jump::exit, status);
  co_return status;
}

Task<int> run_return(Process* process) {
  if (!process->shell->in_function()) co_return co_await run_exit(process);
  const int status =
      process->count() > 1 ? to_status(process->arg(1), 2) : process->shell->last_status();
  process->shell->jump(Shell::Jump::leave_function, status);
  co_return status;
}

// trap '' SIGNAL..., trap - SIGNAL...: signals do not come here.
Task<int> run_trap(Process* process) {
  const std::string& script = process->arg(1);
  if (!script.empty() && script != "-") co_return co_await not_known(process, script);
  co_return 0;
}

Task<int> run_break(Process* process) {
  if (process->count() > 1) co_return co_await not_known(process, process->arg(1));
  process->shell->jump(Shell::Jump::break_loop, 0);
  co_return 0;
}

Task<int> run_continue(Process* process) {
  if (process->count() > 1) co_return co_await not_known(process, process->arg(1));
  process->shell->jump(Shell::Jump::next_round, 0);
  co_return 0;
}

// The program takes the shell's place: when it ends, so does the shell.
Task<int> run_exec(Process* process) {
  if (process->count() == 1) co_return co_await not_known(process, "no program");
  CO_TRY(const int status,
         co_await process->shell->run_arguments(process->args_from(1), process->io));
  process->shell->jump(Shell::Jump::exit, status);
  co_return status;
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
  return base::trimmed_end(text, " \t\n");
}

// read [-r] NAME...: the fields between blanks; the last name takes the rest.
Task<int> run_read(Process* process) {
  const bool raw = process->arg(1) == "-r";
  const std::size_t from = raw ? 2 : 1;
  if (process->count() == from || process->arg(from).starts_with('-')) {
    co_return co_await not_known(process, process->arg(from));
  }
  const auto input = std::dynamic_pointer_cast<PushbackInput>(process->io.in);
  const auto reader = input ? input : std::make_shared<PushbackInput>(process->io.in);
  CO_TRY(const auto line, co_await reader->read_line());
  if (!raw && line && line->contains('\\')) co_return co_await not_known(process, "\\ without -r");
  std::string_view rest = line ? without_blanks(*line) : std::string_view();
  for (std::size_t i = from; i < process->count(); ++i) {
    const bool last = i + 1 == process->count();
    const std::size_t size = last ? rest.size() : std::min(rest.find_first_of(" \t"), rest.size());
    process->shell->set_variable(process->arg(i), std::string(rest.substr(0, size)));
    rest = without_blanks(rest.substr(size));
  }
  co_return line && line->ends_with('\n') ? 0 : 1;
}

// command [-v] NAME...
Task<int> run_command(Process* process) {
  if (process->arg(1) != "-v")
    co_return co_await process->shell->run_arguments(process->args_from(1), process->io);
  const std::string& name = process->arg(2);
  const CommandEntry* entry = find_command(name, process->phone->faults);
  if (find_builtin(name) != nullptr) {
    CO_TRY_VOID(co_await print(process, name + "\n"));
  } else if (entry != nullptr) {
    CO_TRY_VOID(co_await print(process, "/system/bin/" + std::string(entry->name) + "\n"));
  } else {
    co_return 1;
  }
  co_return 0;
}

// As mksh's: backslash escapes are understood unless -E.
Task<int> run_echo(Process* process) {
  bool newline = true;
  bool escapes = true;
  std::size_t from = 1;
  for (; from < process->count(); ++from) {
    const std::string& option = process->arg(from);
    if (option.size() < 2 || option[0] != '-' ||
        option.find_first_not_of("neE", 1) != std::string::npos)
      break;
    for (const char c : option) {
      if (c == 'n') newline = false;
      if (c == 'e') escapes = true;
      if (c == 'E') escapes = false;
    }
  }
  std::string text;
  for (std::size_t i = from; i < process->count(); ++i) {
    text.append(i > from ? " " : "").append(process->arg(i));
  }
  const std::size_t stop = escapes ? text.find("\\c") : std::string::npos;
  if (stop != std::string::npos) {
    text.erase(stop, 2);
    newline = false;
  }
  if (escapes) text = expand_escapes(text);
  if (newline) text += '\n';
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

Task<int> run_test(Process* process) {
  std::vector<std::string> args = process->args_from(1);
  if (process->arg(0) == "[") {
    if (args.empty() || args.back() != "]")
      co_return co_await give_up(process, "sh: [: missing ]\n", 2);
    args.pop_back();
  }
  const auto truth = evaluate_test(args, *process);
  if (!truth) {
    co_return co_await give_up(process, "sh: test: " + truth.error().message() + "\n", 2);
  }
  co_return *truth ? 0 : 1;
}

constexpr std::array<CommandEntry, 21> kBuiltins{{
    {":", run_true},
    {"true", run_true},
    {"false", run_false},
    {"cd", run_cd},
    {"pwd", run_pwd},
    {"export", run_export},
    {"unset", run_unset},
    {"set", run_set},
    {"shift", run_shift},
    {"exit", run_exit},
    {"return", run_return},
    {"break", run_break},
    {"continue", run_continue},
    {"exec", run_exec},
    {"read", run_read},
    {"command", run_command},
    {"echo", run_echo},
    {"test", run_test},
    {"[", run_test},
    {"trap", run_trap},
    {"wait", run_true},
}};

}  // namespace

const CommandEntry* find_builtin(std::string_view name) {
  const auto at = std::ranges::find(kBuiltins, name, &CommandEntry::name);
  return at == kBuiltins.end() ? nullptr : &*at;
}

}  // namespace simdroid
