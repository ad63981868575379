// The composition root: command line in, one answer and an exit code out.

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <exception>

#include "cli/grammar/command_line.hpp"
#include "cli/manual/manual.hpp"
#include "cli/output.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "runtime/trace/trace.hpp"
#include "runtime/trace/trace_file.hpp"

namespace clawperator::cli {
namespace {

constexpr int kSignalExit = 128;

struct Printed {
  OutputMode mode;
  Stream stream;

  // With --output pretty stdout is for results; in JSON mode a program finds its one document
  // there.
  [[nodiscard]] Stream error_stream() const {
    return mode == OutputMode::pretty ? Stream::err : stream;
  }

  [[nodiscard]] int error(const Error& error) const {
    if (caught_signal() == 0) return print_error(error, mode, error_stream());
    // After a signal the result is CANCELLED, whatever error the interrupted work returned.
    const Error stopped{errc::cancelled, "stopped by a signal: " + error.message(),
                        error.members()};
    print_error(error.code() == errc::cancelled ? error : stopped, mode, error_stream());
    return kSignalExit + caught_signal();
  }
};

int print_text(std::string text) {
  return print_answer({.text = std::move(text)}, OutputMode::json);
}

// What the signal handler prints while no task handles signals (run_task.hpp): the program then
// reads stdin or parses files.
volatile std::sig_atomic_t signal_mode_is_pretty = 0;
volatile std::sig_atomic_t signal_stream = STDOUT_FILENO;

void answer_signal(int signal) {
  static constexpr std::string_view kJson =
      "{\"code\":\"CANCELLED\",\"message\":\"stopped by a signal\"}\n";
  static constexpr std::string_view kPretty = "CANCELLED: stopped by a signal\n";
  const std::string_view text = signal_mode_is_pretty != 0 ? kPretty : kJson;
  [[maybe_unused]] const auto written = ::write(signal_stream, text.data(), text.size());
  ::_exit(kSignalExit + signal);
}

// `clawperator adb` dies of the signal itself, as adb does.
void handle_signals(const Invocation& invocation, const Printed& printed) {
  if (invocation.command->kind == Kind::foreign) return;
  signal_mode_is_pretty = printed.mode == OutputMode::pretty ? 1 : 0;
  signal_stream = static_cast<int>(printed.error_stream());
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, answer_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

// The answer exists: a signal must not add a second one while it is printed.
void release_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

// If a standard stream is closed, the next file or socket would get its number. A placeholder that
// cannot be written to takes the number, so that a lost answer is noticed.
void hold_standard_streams() {
  int fd = ::open("/dev/null", O_RDONLY);
  while (fd >= 0 && fd <= STDERR_FILENO) fd = ::dup(fd);
  if (fd >= 0) ::close(fd);
}

// A link to this program may have another program's name: scripts that call adb, clawdhub or
// clawhub need no other change.
std::vector<std::string> command_for(std::string_view program) {
  const std::string_view name = program.substr(program.rfind('/') + 1);
  if (name == "adb") return {"adb"};
  if (name == "clawdhub") return {"hub"};
  if (name == "clawhub") return {"hub", "--names", "clawhub"};
  return {};
}

TraceOrigin origin_of(std::string name) {
  using namespace std::chrono;
  const auto now = system_clock::now().time_since_epoch();
  return {std::move(name), ::getpid(), duration_cast<microseconds>(now)};
}

// The trace of this process, if --trace is given.
class Tracing {
 public:
  Tracing(std::unique_ptr<TraceFile> file, std::string name)
      : file_(std::move(file)), trace_(file_.get(), origin_of(std::move(name))) {
    trace_tasks(&trace_);
  }
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;
  // Writes the rest; a trace that is not complete is a warning.
  ~Tracing() {
    trace_tasks(nullptr);
    if (const auto whole = file_->finish(); !whole) {
      print_warning("[clawperator] WARN: " + whole.error().message());
    }
  }

 private:
  std::unique_ptr<TraceFile> file_;
  Trace trace_;
};

// nullptr: nothing is traced. Fails with usage or file_write_failed before any work has begun.
Result<std::unique_ptr<Tracing>> start_tracing(const Invocation& invocation) {
  const std::string_view command = invocation.command->name;
  // These commands pass --trace on to the process that they start.
  const bool is_for_another = command == "daemon start" || command == "daemon restart";
  if (!invocation.globals.trace || is_for_another) return nullptr;
  const std::string path = expand_home(*invocation.globals.trace);
  if (path == "-") return fail(errc::usage, "--trace writes to a file; stdout is for the answer");
  TRY_VOID(check_path_length("--trace", path));
  TRY(auto file, TraceFile::open(path));
  return std::make_unique<Tracing>(
      std::move(file), "clawperator " + std::string(kVersionText) + " " + std::string(command));
}

int run(std::span<const std::string> argv) {
  auto [request, output, stdout_is_for_picture] = read_command_line(argv);
  Printed printed{output, stdout_is_for_picture ? Stream::err : Stream::out};
  if (!request) return printed.error(request.error());
  if (std::holds_alternative<PrintVersion>(*request)) return print_text(std::string(kVersionText));
  if (const auto* help = std::get_if<PrintHelp>(&*request)) {
    return print_text(help->topic ? command_help(*help->topic) : top_level_help());
  }
  auto& invocation = std::get<Invocation>(*request);
  invocation.globals.target.on_notice = [](std::string_view line) {
    print_warning("[clawperator] " + std::string(line));
  };
  printed.mode = invocation.globals.output;
  handle_signals(invocation, printed);
  auto tracing = start_tracing(invocation);
  if (!tracing) return printed.error(tracing.error());
  auto answer = invocation.command->run(invocation);
  tracing->reset();
  release_signals();
  if (!answer) return printed.error(answer.error());
  answer->document_to_stderr = printed.stream == Stream::err;
  const int code = print_answer(*std::move(answer), printed.mode);
  return code != 0 && caught_signal() != 0 ? kSignalExit + caught_signal() : code;
}

}  // namespace
}  // namespace clawperator::cli

int main(int argc, char** argv) {
  using namespace clawperator::cli;
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is then an error like a full disk
  hold_standard_streams();
  try {
    if (argc == 0) return run({});
    std::vector<std::string> words = command_for(argv[0]);
    words.insert(words.end(), argv + 1, argv + argc);
    return run(words);
  } catch (const std::exception& error) {
    return print_error({clawperator::errc::unknown, std::string("Error: ") + error.what()},
                       OutputMode::json, Stream::err);
  }
}
