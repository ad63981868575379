#include "base/system/child_process.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <thread>

#include "base/file_handle.hpp"
#include "base/system/errc.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;
using namespace adbproto;

namespace {

ChildCommand script(const std::string& text) { return {.words = {"sh", "-c", text}}; }

bool is_alive(pid_t pid) {
  const std::string stat = file_text("/proc/" + std::to_string(pid) + "/stat");
  return !stat.empty() && !stat.contains(") Z ");
}

template <class Condition>
bool comes_true(Condition condition) {
  const auto give_up_at = std::chrono::steady_clock::now() + 1min;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > give_up_at) return false;
    std::this_thread::sleep_for(5ms);  // Real time: the kernel ends other processes when it likes.
  }
  return true;
}

// Real time: a child writes.
asio::awaitable<void> written(std::filesystem::path file) {
  while (!file_text(file).ends_with('\n')) co_await sleep_for(5ms);
}

// Cancels the command as soon as it has written its process id.
Task<bool> cancelled_once_there(ChildCommand command, std::filesystem::path pid) {
  using namespace base::parallel;
  co_await (run_child(std::move(command)) || written(std::move(pid)));
  co_return true;
}

}  // namespace

TEST_CASE("child process: output, errors and exit status are separate", "[loopback]") {
  const auto output = run_task(run_child(script("echo out; echo err >&2; exit 7")));
  REQUIRE(output);
  CHECK(output->out == "out\n");
  CHECK(output->err == "err\n");
  CHECK(output->exit_status == 7);
}

TEST_CASE("child process: the end by a signal is 128 and its number", "[loopback]") {
  const auto output = run_task(run_child(script("kill -9 $$")));
  REQUIRE(output);
  CHECK(output->exit_status == 128 + 9);
}

TEST_CASE("child process: input arrives whole, and need not be read", "[loopback]") {
  auto counting = script("wc -c");
  counting.input = std::string(300000, 'y');
  const auto counted = run_task(run_child(counting));
  REQUIRE(counted);
  CHECK(std::stoi(counted->out) == 300000);
  ::signal(SIGPIPE, SIG_IGN);  // as the program does
  auto deaf = script("exit 0");
  deaf.input = counting.input;
  const auto unread = run_task(run_child(deaf));
  REQUIRE(unread);
  CHECK(unread->exit_status == 0);
}

TEST_CASE("child process: without input it reads the end at once", "[loopback]") {
  const auto output = run_task(run_child(script("cat; echo done")));
  REQUIRE(output);
  CHECK(output->out == "done\n");
}

TEST_CASE("child process: only 0, 1 and 2 are inherited, in a group of its own", "[loopback]") {
  const FileHandle leaky(::open("/dev/null", O_RDONLY));  // no O_CLOEXEC
  REQUIRE(leaky.is_open());
  const auto output = run_task(
      run_child(script("for n in /proc/self/fd/*; do echo ${n##*/}; done | sort -n | tail -1;"
                       "set -- $(cat /proc/$$/stat); [ $5 = $$ ] && echo own group")));
  REQUIRE(output);
  CHECK(std::stoi(output->out) < leaky.get() + 10);
  CHECK_THAT(output->out, Catch::Contains("own group"));
  const auto listed = run_task(
      run_child(script("[ -e /proc/$$/fd/" + std::to_string(leaky.get()) + " ] || echo closed")));
  REQUIRE(listed);
  CHECK(listed->out == "closed\n");
}

TEST_CASE("child process: folder and variables are the child's", "[loopback]") {
  const TempFolder folder;
  const Variable ours("CLAWPERATOR_TEST_WORD", "ours");
  auto command = script("pwd; echo $CLAWPERATOR_TEST_WORD");
  command.folder = folder.path();
  command.variables = {"CLAWPERATOR_TEST_WORD=theirs"};
  const auto output = run_task(run_child(command));
  REQUIRE(output);
  CHECK(output->out == folder.path().string() + "\ntheirs\n");
}

TEST_CASE("child process: a program that is not there is a dependency that is missing",
          "[loopback]") {
  const char* const name = GENERATE("/nowhere/sdkmanager", "no-such-program-9", "/etc/passwd");
  const auto output = run_task(run_child({.words = {name}}));
  REQUIRE_FALSE(output);
  CHECK(output.error().code() == errc::host_dependency_missing);
  CHECK_THAT(output.error().message(), Catch::Contains(name));
}

TEST_CASE("child process: endless output is read and dropped beyond the bound", "[loopback]") {
  const auto output = run_task(run_child(script("head -c 6000000 /dev/zero; echo end >&2")));
  REQUIRE(output);
  CHECK(output->out.size() == kMaxChildOutput);
  CHECK(output->err == "end\n");
}

TEST_CASE("child process: at its limit the whole group ends", "[loopback]") {
  const TempFolder folder;
  auto command = script("sleep 100 & echo $! > pid; wait");
  command.folder = folder.path();
  command.limit = 300ms;
  const auto output = run_task(run_child(command));
  REQUIRE_FALSE(output);
  CHECK(output.error().code() == errc::deadline_exceeded);
  const pid_t grandchild = std::stoi(file_text(folder.path() / "pid"));
  CHECK(comes_true([&] { return !is_alive(grandchild); }));
}

TEST_CASE("child process: one that ignores SIGTERM is killed 2 s later", "[loopback]") {
  const TempFolder folder;
  auto command = script("trap '' TERM; echo $$ > pid; while :; do sleep 1; done");
  command.folder = folder.path();
  command.limit = 300ms;
  const auto output = run_task(run_child(command));
  REQUIRE_FALSE(output);
  const pid_t pid = std::stoi(file_text(folder.path() / "pid"));
  CHECK(comes_true([&] { return !is_alive(pid); }));
}

TEST_CASE("child process: cancelled, it is ended before the task is", "[loopback]") {
  const TempFolder folder;
  auto command = script("echo $$ > pid; exec sleep 100");
  command.folder = folder.path();
  REQUIRE(run_task(cancelled_once_there(command, folder.path() / "pid")));
  CHECK_FALSE(is_alive(std::stoi(file_text(folder.path() / "pid"))));
}

TEST_CASE("child process: cancelled, it gets the signal that is to end it", "[loopback]") {
  const TempFolder folder;
  auto command =
      script("trap 'echo INT > signal; exit 0' INT; echo $$ > pid; while :; do sleep 0.01; done");
  command.folder = folder.path();
  command.farewell = [] { return SIGINT; };
  REQUIRE(run_task(cancelled_once_there(command, folder.path() / "pid")));
  CHECK(file_text(folder.path() / "signal") == "INT\n");
}

TEST_CASE("child process: a listener hears each stream, and nothing is kept", "[loopback]") {
  std::string out;
  std::string err;
  auto command = script("echo out; echo err >&2; exec head -c 5000000 /dev/zero");
  command.on_output = [&](ChildStream stream, std::string_view said) {
    (stream == ChildStream::out ? out : err) += said;
  };
  const auto output = run_task(run_child(command));
  REQUIRE(output);
  CHECK(output->out.empty());
  CHECK(output->err.empty());
  CHECK(err == "err\n");
  CHECK(out.starts_with("out\n"));
  CHECK(out.size() == 5000004);
}

TEST_CASE("child process: a variable without a value is taken away", "[loopback]") {
  const Variable ours("CHILD_PROCESS_TEST", "ours");
  auto command = script("echo ${CHILD_PROCESS_TEST-gone} ${CHILD_PROCESS_TEST_TOO-gone}");
  command.needed_variables = "CHILD_PROCESS_TEST";
  const auto inherited = run_task(run_child(command));
  REQUIRE(inherited);
  CHECK(inherited->out == "ours gone\n");
  command.variables = {"CHILD_PROCESS_TEST", "CHILD_PROCESS_TEST_TOO=theirs"};
  const auto output = run_task(run_child(command));
  REQUIRE(output);
  CHECK(output->out == "gone theirs\n");
}

TEST_CASE("child process: the rest of its group is ended on request", "[loopback]") {
  const TempFolder folder;
  auto command = script("sleep 100 & echo $! > pid");
  command.folder = folder.path();
  command.leftovers = ChildCommand::Leftovers::ended;
  const auto output = run_task(run_child(command));
  REQUIRE(output);
  CHECK(output->exit_status == 0);
  CHECK(comes_true([&] { return !is_alive(std::stoi(file_text(folder.path() / "pid"))); }));
}

TEST_CASE("child process: one whose loop goes away leaves no zombie", "[loopback]") {
  const TempFolder folder;
  auto command = script("echo $$ > pid; exec sleep 100");
  command.folder = folder.path();
  const auto pid_file = folder.path() / "pid";
  {
    asio::io_context context;
    asio::co_spawn(context, run_child(command), asio::detached);
    REQUIRE(comes_true([&] {
      context.poll();
      return file_text(pid_file).ends_with('\n');
    }));
  }
  CHECK(::kill(std::stoi(file_text(pid_file)), 0) != 0);
  CHECK(errno == ESRCH);
}

TEST_CASE("child process: the end of it is heard of at once, not looked for", "[loopback]") {
  const auto command = script("read word");
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  FileHandle reads(ends[0]);
  FileHandle writes(ends[1]);
  const auto pid = spawn_program({.words = command.words, .input = reads.get()});
  REQUIRE(pid);
  asio::io_context context;
  std::optional<int> status;
  asio::co_spawn(
      context,
      [](pid_t child, std::optional<int>* into) -> asio::awaitable<void> {
        *into = co_await wait_for_exit(child, 1h);
      }(*pid, &status),
      asio::detached);
  context.run_for(50ms);
  CHECK_FALSE(status);
  CHECK(context.poll() == 0);  // nothing that looks again and again
  writes.reset();
  context.run();
  CHECK(status == 1);
}

TEST_CASE("child process: without descriptors left it is an error", "[loopback]") {
  std::vector<FileHandle> taken;
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit few{64, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  for (;;) {
    FileHandle one(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!one.is_open()) break;
    taken.push_back(std::move(one));
  }
  taken.pop_back();
  const auto started = spawn_program({.words = {"true"}});
  taken.clear();
  ::setrlimit(RLIMIT_NOFILE, &before);
  REQUIRE_FALSE(started);
  CHECK(started.error().code() == errc::io);
  CHECK_THAT(started.error().message(), Catch::Contains("no descriptor"));
}

TEST_CASE("child process: a grandchild that keeps the pipes does not keep us", "[loopback]") {
  const auto output = run_task(run_child(script("sleep 100 & echo $!")));
  REQUIRE(output);
  CHECK(output->exit_status == 0);
  const pid_t grandchild = std::stoi(output->out);
  CHECK(is_alive(grandchild));
  ::kill(grandchild, SIGKILL);
}

TEST_CASE("child process: a silent one is waited for", "[loopback]") {
  const auto output = run_task(run_child(script("exec >&- 2>&-; sleep 0.2; exit 3")));
  REQUIRE(output);
  CHECK(output->exit_status == 3);
}

TEST_CASE("child process: detached, it writes to its log in a session of its own", "[loopback]") {
  const TempFolder folder;
  const auto log = folder.path() / "logs/new/out.log";
  const auto pid = start_detached(
      script("set -- $(cat /proc/$$/stat); [ $6 = $$ ] && echo own session; echo err >&2; cat"),
      log);
  REQUIRE(pid);
  CHECK(comes_true([&] { return has_ended(*pid); }));
  CHECK(file_text(log) == "own session\nerr\n");
}

TEST_CASE("child process: detached, its absence and an unwritable log are errors", "[loopback]") {
  const TempFolder folder;
  const auto absent = start_detached({.words = {"/nowhere/emulator"}}, folder.path() / "log");
  REQUIRE_FALSE(absent);
  CHECK(absent.error().code() == errc::host_dependency_missing);
  const auto unwritable = start_detached(script("true"), "/proc/none/log");
  REQUIRE_FALSE(unwritable);
  CHECK(unwritable.error().code() == errc::io);
}
