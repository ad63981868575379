#include "simdroid/userland/shell.hpp"

#include <asio/post.hpp>

#include "adbproto/wire/errc.hpp"
#include "simdroid/memory_stream.hpp"
#include "simdroid/userland/pattern.hpp"
#include "simdroid/userland/word_expander.hpp"

namespace simdroid {
namespace {

constexpr int kBrokenPipe = 141;
constexpr int kCannotRun = 126;
constexpr int kNotFound = 127;
constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxSubstitution = 4 * 1024 * 1024;
constexpr std::string_view kShellName = "/system/bin/sh: ";

struct SavedVariable {
  std::string name;
  std::optional<std::string> value;
  bool exported = false;
};

// Ends a pipe when the stage that owns this end is over, however it ends.
class ClosingEnd {
 public:
  explicit ClosingEnd(StreamPtr stream) : stream_(std::move(stream)) {}
  ~ClosingEnd() { stream_->close(); }
  ClosingEnd(const ClosingEnd&) = delete;
  ClosingEnd& operator=(const ClosingEnd&) = delete;

 private:
  StreamPtr stream_;
};

}  // namespace

bool is_complete(std::string_view script) {
  const auto list = parse_script(script);
  return list || list.error().code() != errc::closed;
}

Shell::Shell(Phone* phone)
    : phone_(phone),
      variables_{{"ANDROID_DATA", "/data"},
                 {"ANDROID_ROOT", "/system"},
                 {"HOME", "/"},
                 {"HOSTNAME", phone->options.identity.device},
                 {"LOGNAME", "shell"},
                 {"PATH", "/product/bin:/apex/com.android.runtime/bin:/system/bin:/vendor/bin"},
                 {"SHELL", "/bin/sh"},
                 {"TMPDIR", "/data/local/tmp"},
                 {"USER", "shell"}} {
  for (const auto& [name, value] : variables_) exported_.insert(name);
}

void Shell::become_program() {
  std::erase_if(variables_, [&](const auto& each) { return !exported_.contains(each.first); });
  functions_.clear();
  function_depth_ = 0;
  jump(Jump::none, 0);
}

std::optional<std::string> Shell::find_variable(std::string_view name) const {
  if (name == "PWD") return directory_;
  if (name == "IFS") return " \t\n";
  if (name == "KSH_VERSION") return std::string(android_release(phone_->sdk()).shell);
  if (name == "EPOCHREALTIME") {
    const auto micros = std::chrono::floor<std::chrono::microseconds>(phone_->clock.now());
    const std::string digits = std::to_string(micros.time_since_epoch().count());
    constexpr std::size_t kFraction = 6;
    return digits.substr(0, digits.size() - kFraction) + "." +
           digits.substr(digits.size() - kFraction);
  }
  const auto at = variables_.find(name);
  if (at == variables_.end()) return std::nullopt;
  return at->second;
}

std::string Shell::variable(std::string_view name) const {
  return find_variable(name).value_or("");
}

void Shell::set_variable(std::string_view name, std::string value) {
  constexpr std::size_t kMaxVariables = 1000;
  if (variables_.size() < kMaxVariables) variables_[std::string(name)] = std::move(value);
}

void Shell::unset_variable(std::string_view name) {
  if (const auto at = variables_.find(name); at != variables_.end()) variables_.erase(at);
}

Task<int> Shell::report(const Error* error, Io io) {
  if (error->code() == errc::closed || error->code() == errc::link_lost) co_return kBrokenPipe;
  const std::string text = std::string(kShellName) + error->message() + "\n";
  co_await io.err->write_all(as_bytes(text));
  co_return 1;
}

Task<int> Shell::run_text(std::string text, Io io) {
  const auto list = parse_script(text);
  if (!list) {
    const std::string message = std::string(kShellName) + list.error().message() + "\n";
    co_await io.err->write_all(as_bytes(message));
    co_return last_status_ = 1;
  }
  co_return co_await run_list(&*list, io);
}

Task<int> Shell::run_input(std::shared_ptr<PushbackInput> input, Io io) {
  io.in = input;
  std::string pending;
  while (!exited()) {
    CO_TRY(const auto line, co_await input->read_line());
    if (!line && pending.empty()) break;
    pending += line.value_or("");
    if (pending.size() > PushbackInput::kMaxLine) co_return fail(errc::limit, "script is too long");
    if (line && !is_complete(pending)) continue;
    phone_->received.add("line", pending);
    CO_TRY(last_status_, co_await run_text(std::exchange(pending, {}), io));
  }
  co_return last_status_;
}

Task<int> Shell::run_arguments(std::vector<std::string> args, Io io) {
  co_return co_await run_program(std::move(args), std::move(io));
}

Task<int> Shell::run_list(const ListNode* list, Io io) {
  for (const AndOrNode& item : list->items) {
    if (jump_ != Jump::none) break;
    CO_TRY(last_status_, co_await run_and_or(&item, io));
  }
  co_return last_status_;
}

Task<int> Shell::run_and_or(const AndOrNode* chain, Io io) {
  for (const AndOrNode::Link& link : chain->links) {
    if (jump_ != Jump::none) break;
    if (link.joint == Joint::on_success && last_status_ != 0) continue;
    if (link.joint == Joint::on_failure && last_status_ == 0) continue;
    CO_TRY(last_status_, co_await run_pipeline(&link.pipeline, io));
  }
  co_return last_status_;
}

Task<int> Shell::run_pipeline(const PipelineNode* pipeline, Io io) {
  auto work = pipeline->commands.size() == 1 ? run_command(&pipeline->commands.front(), io)
                                             : run_stages(pipeline, 0, io);
  auto status = co_await std::move(work);
  if (!status) {
    const bool ends = status.error().code() == errc::invalid_argument;
    status = co_await report(&status.error(), io);
    if (ends) jump(Jump::abandon, 1);  // an expansion that makes no sense
  }
  if (status && pipeline->negated) co_return *status == 0 ? 1 : 0;
  co_return status;
}

// Every stage is a subshell of its own; the last one's status counts.
Task<int> Shell::run_stages(const PipelineNode* pipeline, std::size_t from, Io io) {
  Shell stage = *this;
  const CommandNode* command = &pipeline->commands[from];
  if (from + 1 == pipeline->commands.size()) co_return co_await stage.run_command(command, io);
  auto ends = make_memory_pair(phone_->executor);
  const StreamPtr reader = std::move(ends.first);
  const StreamPtr writer = std::move(ends.second);
  const auto left = [](Shell* shell, const CommandNode* what, Io streams) -> Task<int> {
    const ClosingEnd closing(streams.out);
    co_return co_await shell->run_command(what, streams);
  };
  const auto right = [](Shell* shell, const PipelineNode* what, std::size_t next,
                        Io streams) -> Task<int> {
    const ClosingEnd closing(streams.in);
    co_return co_await shell->run_stages(what, next, streams);
  };
  using namespace base::parallel;
  auto [ignored, status] = co_await (
      left(&stage, command, Io{io.in, writer, io.err}) &&
      right(this, pipeline, from + 1, Io{std::make_shared<PushbackInput>(reader), io.out, io.err}));
  if (!ignored) {
    CO_TRY(const int unused, co_await report(&ignored.error(), io));
    static_cast<void>(unused);
  }
  co_return status;
}

Task<int> Shell::run_command(const CommandNode* command, Io io) {
  if (const auto prepared = co_await redirect(&command->redirects, &io); !prepared) {
    co_return co_await report(&prepared.error(), io);
  }
  if (const auto* simple = std::get_if<SimpleNode>(&command->what)) {
    co_return co_await run_simple(simple, io);
  }
  if (const auto* branch = std::get_if<IfNode>(&command->what))
    co_return co_await run_if(branch, io);
  if (const auto* loop = std::get_if<LoopNode>(&command->what))
    co_return co_await run_loop(loop, io);
  if (const auto* each = std::get_if<ForNode>(&command->what)) co_return co_await run_for(each, io);
  if (const auto* choice = std::get_if<CaseNode>(&command->what))
    co_return co_await run_case(choice, io);
  if (const auto* function = std::get_if<FunctionNode>(&command->what)) {
    functions_[function->name] = function->body;
    co_return 0;
  }
  co_return co_await run_group(&std::get<GroupNode>(command->what), io);
}

Task<void> Shell::redirect(const std::vector<Redirect>* redirects, Io* io) {
  for (const Redirect& redirect : *redirects) {
    WordExpander expander(this, *io);
    CO_TRY(const std::string target, co_await expander.single(&redirect.target));
    StreamPtr* stream = redirect.fd == 0 ? &io->in : redirect.fd == 2 ? &io->err : &io->out;
    if (redirect.fd > 2) co_return fail(errc::io, target + ": bad file descriptor");
    if (redirect.kind == Redirect::Kind::duplicate) {
      if (target != "-" && target != "0" && target != "1" && target != "2") {
        co_return fail(errc::io, target + ": bad file descriptor");
      }
      *stream = target == "-"   ? null_stream()
                : target == "0" ? io->in
                : target == "1" ? io->out
                                : io->err;
      continue;
    }
    CO_TRY_VOID(co_await open_file(&redirect, absolute_path(directory_, target), stream));
  }
  co_return ok();
}

Task<void> Shell::open_file(const Redirect* redirect, std::string path, StreamPtr* stream) {
  FileSystem& files = phone_->files;
  if (path == "/dev/null") {
    *stream = null_stream();
    co_return ok();
  }
  if (redirect->kind == Redirect::Kind::read) {
    const auto content = files.read(path);
    if (!content) {
      co_return fail(errc::io, "can't open " + path + ": " + error_text(content.error()));
    }
    *stream = std::make_shared<PushbackInput>(text_source(std::string(*content)));
    co_return ok();
  }
  const bool keep = redirect->kind == Redirect::Kind::append && files.read(path).has_value();
  if (!keep) {
    if (const auto made = files.create(path, 0666); !made) {
      co_return fail(errc::io, "can't create " + path + ": " + error_text(made.error()));
    }
  }
  *stream = file_sink(&files, path);
  co_return ok();
}

Task<int> Shell::run_simple(const SimpleNode* command, Io io) {
  WordExpander expander(this, io);
  std::vector<std::string> args;
  for (const Word& word : command->words) {
    CO_TRY(auto fields, co_await expander.fields(&word));
    for (std::string& field : fields) args.push_back(std::move(field));
  }
  if (args.empty()) last_status_ = 0;
  std::vector<SavedVariable> saved;
  for (const Assignment& assignment : command->assignments) {
    if (assignment.name == "IFS") {
      co_return fail(errc::invalid_argument, "IFS cannot be changed in the simulated shell");
    }
    CO_TRY(std::string value, co_await expander.single(&assignment.value));
    saved.push_back(
        {assignment.name, find_variable(assignment.name), is_exported(assignment.name)});
    set_variable(assignment.name, std::move(value));
    if (!args.empty()) export_variable(assignment.name);
  }
  if (args.empty()) co_return last_status_;
  auto status = co_await run_program(std::move(args), io);
  // A variable that is set in front of a command is set for that command only.
  for (const SavedVariable& each : saved) {
    if (each.value) {
      set_variable(each.name, *each.value);
    } else {
      unset_variable(each.name);
    }
    if (!each.exported) exported_.erase(each.name);
  }
  co_return status;
}

Task<int> Shell::run_program(std::vector<std::string> args, Io io) {
  if (args.empty()) co_return 0;
  Process process{phone_, std::move(args), std::move(io), this};
  const std::string& name = process.args.front();
  if (const auto function = functions_.find(name); function != functions_.end()) {
    co_return co_await run_function(function->second, process.args, process.io);
  }
  if (name.empty()) {
    co_return co_await give_up(&process, std::string(kShellName) + ": can't execute\n", kCannotRun);
  }
  if (const CommandEntry* builtin = find_builtin(name)) co_return co_await builtin->run(&process);
  const CommandEntry* command = find_command(name, phone_->faults);
  if (command == nullptr) {
    co_return co_await give_up(&process, std::string(kShellName) + name + ": not found\n",
                               kNotFound);
  }
  phone_->counters.add("command." + std::string(command->name));
  if (command->startup != nullptr) {
    co_await phone_->spend(phone_->costs.*command->startup);
    const Faults& faults = phone_->faults;
    if (faults.active(Fault::linker_warns)) {
      CO_TRY_VOID(co_await complain(&process,
                                    "WARNING: linker: " + faults.text(Fault::linker_warns) + "\n"));
    }
  }
  co_return co_await command->run(&process);
}

Task<int> Shell::run_if(const IfNode* command, Io io) {
  for (const IfNode::Branch& branch : command->branches) {
    CO_TRY(const int status, co_await run_list(&branch.condition, io));
    if (jump_ != Jump::none) co_return last_status_;
    if (status == 0) co_return co_await run_list(&branch.body, io);
  }
  last_status_ = 0;
  co_return co_await run_list(&command->otherwise, io);
}

// True when the loop is over; clears a break or continue of this loop.
bool Shell::end_of_loop() {
  if (jump_ == Jump::none) return false;
  const bool over = jump_ != Jump::next_round;
  if (jump_ == Jump::break_loop || jump_ == Jump::next_round) jump_ = Jump::none;
  return over;
}

Task<int> Shell::run_loop(const LoopNode* command, Io io) {
  int result = 0;
  while (true) {
    // A loop must not keep the phone from doing anything else.
    co_await asio::post(phone_->executor, asio::use_awaitable);
    CO_TRY(const int status, co_await run_list(&command->condition, io));
    if (end_of_loop() || status != 0) break;
    CO_TRY(result, co_await run_list(&command->body, io));
    if (end_of_loop()) break;
  }
  co_return jump_ == Jump::none ? result : last_status_;
}

Task<int> Shell::run_for(const ForNode* command, Io io) {
  WordExpander expander(this, io);
  std::vector<std::string> values;
  for (const Word& word : command->words) {
    CO_TRY(auto fields, co_await expander.fields(&word));
    for (std::string& field : fields) values.push_back(std::move(field));
  }
  last_status_ = 0;
  for (std::string& value : values) {
    set_variable(command->variable, std::move(value));
    CO_TRY(const int status, co_await run_list(&command->body, io));
    static_cast<void>(status);
    if (end_of_loop()) break;
  }
  co_return last_status_;
}

Task<int> Shell::run_case(const CaseNode* command, Io io) {
  WordExpander expander(this, io);
  CO_TRY(const std::string subject, co_await expander.single(&command->subject));
  for (const CaseNode::Branch& branch : command->branches) {
    for (const Word& word : branch.patterns) {
      CO_TRY(const std::string pattern, co_await expander.pattern(&word));
      if (!matches_pattern(pattern, subject)) continue;
      last_status_ = 0;
      co_return co_await run_list(&branch.body, io);
    }
  }
  co_return 0;
}

Task<int> Shell::run_function(std::shared_ptr<CommandNode> body, std::vector<std::string> args,
                              Io io) {
  if (function_depth_ >= kMaxDepth) co_return fail(errc::limit, "functions are nested too deeply");
  args.erase(args.begin());
  const auto outer = std::exchange(positional_, std::move(args));
  ++function_depth_;
  auto status = co_await run_command(body.get(), io);
  --function_depth_;
  positional_ = outer;
  if (jump_ == Jump::leave_function) {
    jump_ = Jump::none;
    co_return last_status_;
  }
  co_return status;
}

Task<int> Shell::run_group(const GroupNode* command, Io io) {
  if (!command->subshell) co_return co_await run_list(&command->body, io);
  if (depth_ >= kMaxDepth) co_return fail(errc::limit, "subshells are nested too deeply");
  Shell child = *this;
  ++child.depth_;
  co_return co_await child.run_list(&command->body, io);
}

Task<std::string> Shell::substitute(std::string script, Io io) {
  if (depth_ >= kMaxDepth) co_return fail(errc::limit, "subshells are nested too deeply");
  const auto capture = std::make_shared<Capture>(kMaxSubstitution);
  Shell child = *this;
  ++child.depth_;
  CO_TRY(last_status_, co_await child.run_text(std::move(script), Io{io.in, capture, io.err}));
  std::string text = capture->take();
  while (text.ends_with('\n')) text.pop_back();
  co_return text;
}

}  // namespace simdroid
