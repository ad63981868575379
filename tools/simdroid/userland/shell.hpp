#pragma once
// Runs scripts: one Shell per `sh`, subshell, or service that names a command.
//
//   text --parse_script--> tree --expand--> argv, streams --> builtin or command --> exit status
//
// A broken pipe ends a command with 141 and the script goes on, as SIGPIPE would have it. When
// the service's stream closes, the coroutine that runs the shell is cancelled.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "simdroid/userland/process.hpp"
#include "simdroid/userland/shell_syntax.hpp"

namespace simdroid {

class Shell {
 public:
  explicit Shell(Phone* phone);

  // The whole text; syntax errors are printed and give 1.
  Task<int> run_text(std::string text, Io io);
  // A script that arrives line by line; commands are run as soon as they are complete.
  Task<int> run_input(std::shared_ptr<PushbackInput> input, Io io);
  // One command by its arguments, without any parsing.
  Task<int> run_arguments(std::vector<std::string> args, Io io);

  [[nodiscard]] Phone* phone() const { return phone_; }
  [[nodiscard]] const std::string& directory() const { return directory_; }
  void set_directory(std::string path) { directory_ = std::move(path); }
  [[nodiscard]] std::string variable(std::string_view name) const;
  [[nodiscard]] std::optional<std::string> find_variable(std::string_view name) const;
  void set_variable(std::string_view name, std::string value);
  void unset_variable(std::string_view name);
  // The environment of programs.
  void export_variable(std::string_view name) { exported_.emplace(name); }
  [[nodiscard]] bool is_exported(std::string_view name) const { return exported_.contains(name); }
  // A program has none of the other variables, and no functions.
  void become_program();
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& variables() const {
    return variables_;
  }
  [[nodiscard]] const std::vector<std::string>& positional() const { return positional_; }
  void set_positional(std::vector<std::string> args) { positional_ = std::move(args); }
  void set_name(std::string name) { name_ = std::move(name); }
  [[nodiscard]] int last_status() const { return last_status_; }
  [[nodiscard]] int pid() const { return pid_; }
  void set_pid(int pid) { pid_ = pid; }
  [[nodiscard]] bool in_function() const { return function_depth_ > 0; }
  // The script has called `exit`, or had to be abandoned.
  [[nodiscard]] bool exited() const { return jump_ == Jump::exit || jump_ == Jump::abandon; }
  // On a terminal the next line is read all the same.
  void forget_abandoned() {
    if (jump_ == Jump::abandon) jump_ = Jump::none;
  }

  // The jumps of the builtins exit, exec, return, break and continue.
  enum class Jump { none, exit, abandon, leave_function, break_loop, next_round };
  void jump(Jump kind, int status) {
    jump_ = kind;
    last_status_ = status;
  }

  // The output of a script without its trailing newlines: $(script).
  Task<std::string> substitute(std::string script, Io io);

 private:
  friend class WordExpander;

  Task<int> run_list(const ListNode* list, Io io);
  Task<int> run_and_or(const AndOrNode* chain, Io io);
  Task<int> run_pipeline(const PipelineNode* pipeline, Io io);
  Task<int> run_stages(const PipelineNode* pipeline, std::size_t from, Io io);
  Task<int> run_command(const CommandNode* command, Io io);
  Task<int> run_simple(const SimpleNode* command, Io io);
  Task<int> run_if(const IfNode* command, Io io);
  Task<int> run_loop(const LoopNode* command, Io io);
  Task<int> run_for(const ForNode* command, Io io);
  Task<int> run_case(const CaseNode* command, Io io);
  Task<int> run_function(std::shared_ptr<CommandNode> body, std::vector<std::string> args, Io io);
  Task<int> run_group(const GroupNode* command, Io io);
  Task<int> run_program(std::vector<std::string> args, Io io);
  Task<void> redirect(const std::vector<Redirect>* redirects, Io* io);
  Task<void> open_file(const Redirect* redirect, std::string path, StreamPtr* stream);
  Task<int> report(const Error* error, Io io);
  bool end_of_loop();

  Phone* phone_;
  std::map<std::string, std::string, std::less<>> variables_;
  std::set<std::string, std::less<>> exported_;
  std::map<std::string, std::shared_ptr<CommandNode>, std::less<>> functions_;
  int function_depth_ = 0;
  std::vector<std::string> positional_;
  std::string directory_ = "/";
  std::string name_ = "sh";
  int pid_ = 0;
  int last_status_ = 0;
  int depth_ = 0;
  Jump jump_ = Jump::none;
};

// False: more lines may complete it.
bool is_complete(std::string_view script);

// The builtins that change their shell: cd, export, exit, exec, set, read, command, ...
const CommandEntry* find_builtin(std::string_view name);

}  // namespace simdroid
