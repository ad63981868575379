#include "base/system/child_process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <asio/buffer.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/write.hpp>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/file_handle.hpp"

namespace base {

using asio::posix::stream_descriptor;
using std::chrono::milliseconds;

namespace {

constexpr auto kFarewell = milliseconds(2000);  // between SIGTERM and SIGKILL
// For the last output of a grandchild with our pipe; the caller must not wait for its end.
constexpr auto kLastOutputLimit = milliseconds(300);
constexpr auto kReapLimit = milliseconds(1000);  // after SIGKILL
// The end of a process group has no event; 10 ms are not noticeable.
constexpr auto kPollPause = milliseconds(10);

struct Pipe {
  FileHandle read_end;
  FileHandle write_end;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return fail(errc::io, std::string("no pipe: ") + std::strerror(errno));
  }
  return Pipe{FileHandle(ends[0]), FileHandle(ends[1])};
}

// One running child; it is killed when this is destroyed.
struct Child {
  Child(pid_t id, const asio::any_io_executor& executor, Pipe* in, Pipe* out, Pipe* err)
      : pid(id),
        input(executor, in->write_end.release()),
        output(executor, out->read_end.release()),
        errors(executor, err->read_end.release()) {}
  ~Child() {
    if (!ended) kill_and_reap(pid);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid;
  bool ended = false;
  ChildOutput collected{};  // with its exit status, when it has ended
  stream_descriptor input;
  stream_descriptor output;
  stream_descriptor errors;
};

Result<std::unique_ptr<Child>> start(const ChildCommand& command,
                                     const asio::any_io_executor& executor) {
  TRY(Pipe in, make_pipe());
  TRY(Pipe out, make_pipe());
  TRY(Pipe err, make_pipe());
  SpawnRequest request{.words = command.words,
                       .folder = command.folder,
                       .needed_variables = command.needed_variables,
                       .variables = command.variables,
                       .input = command.input.empty() ? -1 : in.read_end.get(),
                       .output = out.write_end.get(),
                       .errors = err.write_end.get()};
  TRY(const pid_t pid, spawn_program(request));
  return std::make_unique<Child>(pid, executor, &in, &out, &err);
}

// A child may ignore a part of its input.
asio::awaitable<void> feed(stream_descriptor* input, const std::string* text) {
  co_await asio::async_write(*input, asio::buffer(*text), kNoThrow);
  asio::error_code ignored;
  input->close(ignored);
}

// The destination of one stream of the child.
struct OutputSink {
  ChildStream stream;
  const ChildCommand* command;
  std::string* kept;

  void take(std::string_view text) const {
    if (command->on_output) return command->on_output(stream, text);
    kept->append(text.substr(0, kMaxChildOutput - kept->size()));
  }
};

asio::awaitable<void> drain(stream_descriptor* from, OutputSink sink) {
  std::array<char, 65536> chunk;
  for (;;) {
    const auto [error, size] = co_await from->async_read_some(asio::buffer(chunk), kNoThrow);
    if (error) co_return;
    sink.take({chunk.data(), size});
  }
}

asio::awaitable<void> wait_until_over(Child* child) {
  const auto status = co_await wait_for_exit(child->pid, std::chrono::hours(24));
  child->ended = true;
  child->collected.exit_status = status.value_or(-1);
}

// A grandchild may keep our pipes open; we do not wait for it.
asio::awaitable<void> exit_and_last_output(Child* child) {
  co_await wait_until_over(child);
  co_await sleep_for(kLastOutputLimit);
}

asio::awaitable<void> exchange(Child* child, const ChildCommand* command) {
  using namespace parallel;
  const OutputSink out{ChildStream::out, command, &child->collected.out};
  const OutputSink err{ChildStream::err, command, &child->collected.err};
  co_await (feed(&child->input, &command->input) && drain(&child->output, out) &&
            drain(&child->errors, err));
}

Task<void> converse(Child* child, const ChildCommand* command) {
  using namespace parallel;
  co_await (exchange(child, command) || exit_and_last_output(child));
  // A silent child has not ended: it may close its output and continue.
  if (!child->ended) co_await wait_until_over(child);
  co_return ok();
}

bool group_is_empty(pid_t group) { return ::kill(-group, 0) != 0 && errno == ESRCH; }

// The groups that are being ended. If a signal ends this process meanwhile, its handler kills them
// first, because no other process would.
std::array<std::atomic<pid_t>, 32> ending_groups;

void end_groups_and_die(int signal) {
  for (const auto& group : ending_groups) {
    if (const pid_t pid = group.load(); pid > 0) ::kill(-pid, SIGKILL);
  }
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

class EndingGroup {
 public:
  explicit EndingGroup(pid_t pid) {
    for (auto& place : ending_groups) {
      pid_t none = 0;
      if (!place.compare_exchange_strong(none, pid)) continue;
      place_ = &place;
      return;
    }
  }
  ~EndingGroup() {
    if (place_ != nullptr) *place_ = 0;
  }
  EndingGroup(const EndingGroup&) = delete;
  EndingGroup& operator=(const EndingGroup&) = delete;

  // An existing handler stays.
  static void listen() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction now{};
      ::sigaction(signal, nullptr, &now);
      if (now.sa_handler == SIG_DFL) std::signal(signal, end_groups_and_die);
    }
  }

 private:
  std::atomic<pid_t>* place_ = nullptr;
};

asio::awaitable<void> end_group(Child* child, int farewell) {
  const EndingGroup noted(child->pid);
  ::kill(-child->pid, farewell);
  const auto give_up_at = Clock::now() + kFarewell;
  while (Clock::now() < give_up_at) {
    EndingGroup::listen();
    child->ended = child->ended || exit_status_of(child->pid).has_value();
    if (child->ended && group_is_empty(child->pid)) co_return;
    co_await sleep_for(kPollPause);
  }
  ::kill(-child->pid, SIGKILL);
  if (!child->ended) child->ended = (co_await wait_for_exit(child->pid, kReapLimit)).has_value();
}

}  // namespace

Task<ChildOutput> run_child(ChildCommand command) {
  CO_TRY(const auto child, start(command, co_await asio::this_coro::executor));
  const std::string name = std::filesystem::path(command.words[0]).filename().string();
  auto done = co_await with_deadline(converse(child.get(), &command), command.limit, name);
  // A grandchild may still hold our pipes, but the child itself ended in time.
  if (!done && done.error().code() == errc::deadline_exceeded && child->ended) done = ok();
  const bool leaves_no_group = command.leftovers == ChildCommand::Leftovers::stay ||
                               (child->ended && group_is_empty(child->pid));
  if (done && leaves_no_group) co_return std::move(child->collected);
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  const bool cancelled = !done && done.error().code() == errc::cancelled;
  co_await end_group(child.get(), cancelled ? command.farewell() : SIGTERM);
  if (!done) co_return std::unexpected(std::move(done).error());
  co_return std::move(child->collected);
}

Result<pid_t> start_detached(const ChildCommand& command, const std::filesystem::path& log_file) {
  std::error_code ignored;
  std::filesystem::create_directories(log_file.parent_path(), ignored);
  const FileHandle log(
      ::open(log_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!log.is_open()) {
    return fail(errc::io, "cannot write " + log_file.string() + ": " + std::strerror(errno));
  }
  return spawn_program({.words = command.words,
                        .folder = command.folder,
                        .needed_variables = command.needed_variables,
                        .variables = command.variables,
                        .output = log.get(),
                        .errors = log.get(),
                        .bond = SpawnRequest::Bond::session});
}

bool has_ended(pid_t pid) { return exit_status_of(pid).has_value(); }

}  // namespace base
