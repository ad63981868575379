#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.hpp"
#include "runtime/contract/js_string.hpp"
#include "simdroid/userland/printf_format.hpp"
#include "simdroid/userland/shell.hpp"
#include "simdroid/userland/word_expander.hpp"

namespace simdroid {
namespace {

constexpr std::string_view kShellName = "/system/bin/sh: ";

int to_status(const std::string& text, int otherwise) {
  int value = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value & 0xff;
}

std::vector<std::string> tail(const std::vector<std::string>& args, std::size_t from) {
  return {args.begin() + static_cast<std::ptrdiff_t>(std::min(from, args.size())), args.end()};
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
        std::string(kShellName) + "cd: " + process->arg(1) + ": " + error_text(error) + "\n", 2);
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
    if (word.starts_with('-')) continue;
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

Task<int> run_set(Process* process) {
  std::size_t from = 1;
  for (; process->arg(from).starts_with('-') && process->arg(from) != "--"; ++from) {
    if (process->arg(from).find_first_of("eu") == std::string::npos) continue;
    process->shell->jump(Shell::Jump::exit, 1);
    co_return co_await give_up(process, std::string(kShellName) + "set: " + process->arg(from) +
                                            ": not known to the simulated shell\n");
  }
  if (process->arg(from) == "--") ++from;
  if (from < process->count()) process->shell->set_positional(tail(process->args, from));
  co_return 0;
}

Task<int> run_shift(Process* process) {
  const int count = process->count() > 1 ? to_status(process->arg(1), 1) : 1;
  const auto& given = process->shell->positional();
  if (static_cast<std::size_t>(count) > given.size()) {
    process->shell->jump(Shell::Jump::exit, 1);
    co_return co_await give_up(process, std::string(kShellName) + "shift: nothing to shift\n");
  }
  process->shell->set_positional(tail(given, static_cast<std::size_t>(count)));
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

// trap SCRIPT EXIT; signals do not come here.
Task<int> run_trap(Process* process) {
  for (std::size_t i = 2; i < process->count(); ++i) {
    if (process->arg(i) != "EXIT" && process->arg(i) != "0") continue;
    process->shell->set_exit_trap(process->arg(1) == "-" ? "" : process->arg(1));
  }
  co_return 0;
}

// let EXPRESSION...
Task<int> run_let(Process* process) {
  std::int64_t value = 0;
  for (std::size_t i = 1; i < process->count(); ++i) {
    CO_TRY(value, evaluate_arithmetic(process->arg(i), process->shell));
  }
  co_return value == 0 ? 1 : 0;
}

Task<int> run_break(Process* process) {
  process->shell->jump(Shell::Jump::break_loop, 0);
  co_return 0;
}

Task<int> run_continue(Process* process) {
  process->shell->jump(Shell::Jump::next_round, 0);
  co_return 0;
}

// The program takes the shell's place: when it ends, so does the shell.
Task<int> run_exec(Process* process) {
  if (process->count() == 1) co_return 0;
  CO_TRY(const int status,
         co_await process->shell->run_arguments(tail(process->args, 1), process->io));
  process->shell->jump(Shell::Jump::exit, status);
  co_return status;
}

Task<int> run_eval(Process* process) {
  std::string text;
  for (std::size_t i = 1; i < process->count(); ++i) text += process->arg(i) + " ";
  co_return co_await process->shell->run_text(text, process->io);
}

Task<int> run_source(Process* process) {
  const auto content = process->phone->files.read(process->path(process->arg(1)));
  if (!content) {
    co_return co_await give_up(process, std::string(kShellName) + ".: " + process->arg(1) + ": " +
                                            error_text(content.error()) + "\n");
  }
  co_return co_await process->shell->run_text(std::string(*content), process->io);
}

// A backslash keeps the next character from separating, and joins lines; not with -r.
struct ReadLine {
  std::string text;
  std::vector<bool> kept;  // per character: it was behind a backslash
  bool ended = false;      // by a newline
  bool any = false;
};

Task<ReadLine> take_line(std::shared_ptr<PushbackInput> input, bool raw) {
  ReadLine result;
  bool joins = true;
  while (joins) {
    joins = false;
    CO_TRY(auto line, co_await input->read_line());
    if (!line) break;
    result.any = true;
    result.ended = line->ends_with('\n');
    if (result.ended) line->pop_back();
    for (std::size_t i = 0; i < line->size(); ++i) {
      const bool escapes = !raw && (*line)[i] == '\\';
      if (escapes && i + 1 == line->size()) {
        joins = result.ended;
        break;
      }
      if (escapes) ++i;
      result.text += (*line)[i];
      result.kept.push_back(escapes);
    }
  }
  co_return result;
}

// The fields of a line: blanks of IFS around and between them are one separator, any other
// character of IFS is one each. The last name takes the rest.
class FieldReader {
 public:
  FieldReader(ReadLine line, std::string separators)
      : line_(std::move(line)), separators_(std::move(separators)) {
    skip_blanks();
  }

  std::string next() {
    const std::size_t start = at_;
    while (at_ < line_.text.size() && !separates(at_)) ++at_;
    const std::string field = line_.text.substr(start, at_ - start);
    skip_blanks();
    if (at_ < line_.text.size() && separates(at_)) ++at_;
    skip_blanks();
    return field;
  }

  std::string rest() {
    std::size_t end = line_.text.size();
    while (end > at_ && separates(end - 1) && is_blank(end - 1)) --end;
    return line_.text.substr(at_, end - at_);
  }

 private:
  [[nodiscard]] bool separates(std::size_t at) const {
    return !line_.kept[at] && separators_.contains(line_.text[at]);
  }
  [[nodiscard]] bool is_blank(std::size_t at) const {
    return std::string_view(" \t\n").contains(line_.text[at]);
  }
  void skip_blanks() {
    while (at_ < line_.text.size() && separates(at_) && is_blank(at_)) ++at_;
  }

  ReadLine line_;
  std::string separators_;
  std::size_t at_ = 0;
};

Task<int> run_read(Process* process) {
  std::size_t from = 1;
  bool raw = false;
  for (; process->arg(from).starts_with('-'); ++from) raw |= process->arg(from).contains('r');
  const auto input = std::dynamic_pointer_cast<PushbackInput>(process->io.in);
  const auto reader = input ? input : std::make_shared<PushbackInput>(process->io.in);
  CO_TRY(ReadLine line, co_await take_line(reader, raw));
  const int status = line.any && line.ended ? 0 : 1;
  FieldReader fields(std::move(line), process->shell->variable("IFS"));
  for (std::size_t i = from; i < process->count(); ++i) {
    const bool last = i + 1 == process->count();
    process->shell->set_variable(process->arg(i), last ? fields.rest() : fields.next());
  }
  co_return status;
}

// command [-v] name ..., type name
Task<int> run_command(Process* process) {
  const bool lookup = process->arg(1) == "-v" || process->arg(0) == "type";
  if (!lookup)
    co_return co_await process->shell->run_arguments(tail(process->args, 1), process->io);
  const std::string& name = process->arg(process->arg(1) == "-v" ? 2 : 1);
  const bool type = process->arg(0) == "type";
  if (find_builtin(name) != nullptr) {
    CO_TRY_VOID(co_await print(process, name + (type ? " is a shell builtin\n" : "\n")));
    co_return 0;
  }
  if (const CommandEntry* entry = find_command(name)) {
    const std::string path = "/system/bin/" + std::string(entry->name);
    CO_TRY_VOID(co_await print(process, type ? name + " is " + path + "\n" : path + "\n"));
    co_return 0;
  }
  if (type) CO_TRY_VOID(co_await complain(process, name + " not found\n"));
  co_return 1;
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
  std::vector<std::string> args = tail(process->args, 1);
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

constexpr std::array<CommandEntry, 28> kBuiltins{{
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
    {"eval", run_eval},
    {".", run_source},
    {"source", run_source},
    {"read", run_read},
    {"command", run_command},
    {"type", run_command},
    {"echo", run_echo},
    {"let", run_let},
    {"test", run_test},
    {"[", run_test},
    {"umask", run_true},
    {"trap", run_trap},
    {"wait", run_true},
    {"local", run_export},
}};

}  // namespace

const CommandEntry* find_builtin(std::string_view name) {
  const auto at = std::ranges::find(kBuiltins, name, &CommandEntry::name);
  return at == kBuiltins.end() ? nullptr : &*at;
}

}  // namespace simdroid
