#include "base/system/spawn.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <sstream>

#include "base/file_handle.hpp"
#include "base/system/child_environment.hpp"
#include "base/system/environment.hpp"
#include "base/system/errc.hpp"

namespace base {

namespace fs = std::filesystem;

namespace {

constexpr auto kBlindPause = std::chrono::milliseconds(20);  // without a descriptor
constexpr int kReapMs = 1000;  // only a process stuck in the kernel outlives SIGKILL for longer
constexpr int kFirstFree = 3;  // the first descriptor a child does not inherit

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void connect(int descriptor, int as) {
    posix_spawn_file_actions_adddup2(&actions_, descriptor, as);
  }
  void finish(const fs::path& folder) {
    posix_spawn_file_actions_addclosefrom_np(&actions_, kFirstFree);
    if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

// Resets the signals like a shell: none blocked, none ignored.
class Attributes {
 public:
  explicit Attributes(SpawnRequest::Bond bond) {
    const bool session = bond == SpawnRequest::Bond::session;
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    const int bond_flag = session ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP;
    posix_spawnattr_setflags(&attributes_, static_cast<short>(bond_flag | POSIX_SPAWN_SETSIGMASK |
                                                              POSIX_SPAWN_SETSIGDEF));
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

std::vector<char*> pointers_to(std::vector<std::string>* texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts->size() + 1);
  for (std::string& text : *texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// A copy of `descriptor` (of /dev/null for -1) that no dup2 onto 0, 1 or 2 can overwrite.
FileHandle out_of_the_way(int descriptor) {
  if (descriptor >= 0) return FileHandle(::fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstFree));
  const FileHandle nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  return FileHandle(::fcntl(nothing.get(), F_DUPFD_CLOEXEC, kFirstFree));
}

// The sources of the child's descriptors 0, 1 and 2.
Result<std::vector<FileHandle>> connect_all(const SpawnRequest& request, FileActions* files) {
  std::vector<FileHandle> kept;
  for (const int wanted : {request.input, request.output, request.errors}) {
    const int as = static_cast<int>(kept.size());
    kept.push_back(out_of_the_way(wanted));
    if (!kept.back().is_open()) {
      return fail(errc::io, std::string("no descriptor for a program: ") + std::strerror(errno));
    }
    files->connect(kept.back().get(), as);
  }
  return kept;
}

// Readable once the process has ended. A direct system call: glibc 2.36 declares it only for C.
int descriptor_of(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

// Waits until the process may have ended.
asio::awaitable<void> end_of(pid_t pid) {
  const int process = descriptor_of(pid);
  if (process < 0) co_return co_await sleep_for(kBlindPause);
  asio::posix::stream_descriptor ended(co_await asio::this_coro::executor, process);
  co_await ended.async_wait(asio::posix::stream_descriptor::wait_read, kNoThrow);
}

}  // namespace

std::optional<fs::path> find_program(std::string_view name) {
  if (name.contains('/')) return is_program(name) ? std::optional<fs::path>(name) : std::nullopt;
  auto programs = name.empty() ? std::vector<fs::path>() : find_programs(name);
  return programs.empty() ? std::nullopt : std::optional(std::move(programs.front()));
}

std::vector<fs::path> find_programs(std::string_view name) {
  std::vector<fs::path> programs;
  const auto is_known = [&](const fs::path& program) {
    std::error_code gone;
    return std::ranges::any_of(
        programs, [&](const fs::path& other) { return fs::equivalent(program, other, gone); });
  };
  std::istringstream folders(environment_variable("PATH").value_or(""));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder) / name;
    if (!folder.empty() && is_program(program) && !is_known(program)) programs.push_back(program);
  }
  return programs;
}

Result<pid_t> spawn_program(const SpawnRequest& request) {
  const auto program = find_program(request.words.at(0));
  if (!program) {
    return fail(errc::host_dependency_missing, "there is no program " + request.words[0]);
  }
  std::error_code ignored;
  const fs::path path = fs::absolute(*program, ignored);  // `folder` must not change its meaning
  FileActions files;
  TRY(const auto kept, connect_all(request, &files));
  files.finish(request.folder);
  const Attributes attributes(request.bond);
  auto words = request.words;
  auto variables = child_environment(
      our_environment(), {.needed = request.needed_variables, .set = request.variables});
  // A parent may have ignored SIGCHLD, and we inherit that: then children could not be waited for.
  std::signal(SIGCHLD, SIG_DFL);
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, path.c_str(), files.get(), attributes.get(),
                                  pointers_to(&words).data(), pointers_to(&variables).data());
  if (error == 0) return pid;
  return fail(errc::host_dependency_missing, std::string(::strerrorname_np(error)) +
                                                 ": cannot run " + path.string() + ": " +
                                                 std::strerror(error));
}

std::optional<int> exit_status_of(pid_t pid) {
  int status = 0;
  const pid_t ended = ::waitpid(pid, &status, WNOHANG);
  if (ended == 0) return std::nullopt;
  if (ended != pid) return -1;  // not our child, or no longer
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

asio::awaitable<std::optional<int>> wait_for_exit(pid_t pid, std::chrono::milliseconds limit) {
  using namespace parallel;
  const auto give_up_at = Clock::now() + limit;
  for (;;) {
    if (const auto status = exit_status_of(pid)) co_return status;
    const auto left = give_up_at - Clock::now();
    if (left <= left.zero()) co_return std::nullopt;
    co_await (end_of(pid) || sleep_for(left));
  }
}

void kill_and_reap(pid_t pid) {
  ::kill(-pid, SIGKILL);
  const FileHandle process(descriptor_of(pid));
  pollfd ended{process.get(), POLLIN, 0};
  while (process.is_open() && ::poll(&ended, 1, kReapMs) < 0 && errno == EINTR) {
  }
  exit_status_of(pid);
}

}  // namespace base
