#include "adbproto/client/install.hpp"

#include <exception>

#include "adbproto/client/package_service.hpp"
#include "adbproto/client/shell.hpp"
#include "adbproto/session/sync_transfer.hpp"
#include "adbproto/wire/services.hpp"
#include "adbproto/wire/shell_commands.hpp"

namespace adbproto {
namespace {

using OnInstall = std::function<void(const InstallProgress&)>;
using Words = std::vector<std::string>;

// `rm` of one file; a person waits for it after Ctrl-C.
constexpr auto kRemoveLimit = std::chrono::seconds(5);
// Equal to PackageLimits::verdict: a slow phone compiles a large app for minutes.
constexpr auto kShellLimit = std::chrono::minutes(5);

struct Job {
  Device* device = nullptr;
  std::vector<Apk> apks{};
  InstallOptions options{};
  InstallProgress progress{};
  OnInstall on_progress{};

  [[nodiscard]] PackageLimits limits() const {
    return {options.stall_limit, options.verdict_limit};
  }
  void count(std::size_t size) {
    progress.done += size;
    if (on_progress) on_progress(progress);
  }
};

// adb's form of a session's file names.
std::string in_double_quotes(const std::string& path) { return '"' + path + '"'; }

Words with_flags(std::string verb, const Words& flags, Words last) {
  Words words{std::move(verb)};
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), last.begin(), last.end());
  return words;
}

Task<std::string> call_service(Job* job, Words words, const Apk* apk) {
  co_return co_await call_package_service(job->device, std::move(words), apk, job->limits(),
                                          [job](std::size_t size) { job->count(size); });
}

Task<std::string> install_streamed(Job* job) {
  const Apk& apk = job->apks.front();
  CO_TRY(
      std::string verdict,
      co_await call_service(
          job, with_flags("install", job->options.flags, {"-S", std::to_string(apk.size)}), &apk));
  if (is_success(verdict)) co_return verdict;
  co_return fail(errc::refused, "failed to install " + apk.path + ": " + verdict);
}

Task<std::string> write_and_commit(Job* job, std::string session) {
  for (const Apk& apk : job->apks) {
    // The device assigns a.dm to a.apk by its name.
    const std::string name(base_name(apk.path));
    // g++-14 cannot compile such a list inside of co_await.
    Words words{"install-write", "-S", std::to_string(apk.size), session, name, "-"};
    CO_TRY(const std::string verdict, co_await call_service(job, std::move(words), &apk));
    if (is_success(verdict)) continue;
    co_return fail(errc::refused, "failed to write " + in_double_quotes(apk.path) + "\n" + verdict);
  }
  CO_TRY(std::string verdict, co_await call_service(job, {"install-commit", session}, nullptr));
  if (is_success(verdict)) co_return verdict;
  co_return fail(errc::refused, "failed to finalize session\n" + verdict);
}

enum class Farewell { after_failure, always };

// Removes the session from the device even after a cancellation, before the frame is destroyed.
template <class T>
Task<std::string> with_farewell(Task<std::string> work, Task<T> farewell, Farewell when) {
  Result<std::string> verdict = fail(errc::cancelled, "cancelled");
  std::exception_ptr thrown;
  try {
    verdict = co_await std::move(work);
  } catch (...) {
    thrown = std::current_exception();
  }
  if (verdict && when == Farewell::after_failure) co_return verdict;
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  co_await with_deadline(std::move(farewell), kRemoveLimit, "removing the session");
  if (thrown) std::rethrow_exception(thrown);
  co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
  co_return verdict;
}

Task<std::string> install_session(Job* job) {
  const Words size{"-S", std::to_string(job->progress.total)};
  CO_TRY(
      const std::string created,
      co_await call_service(job, with_flags("install-create", job->options.flags, size), nullptr));
  CO_TRY(const std::string session, parse_session_id(created));
  co_return co_await with_farewell(write_and_commit(job, session),
                                   call_service(job, {"install-abandon", session}, nullptr),
                                   Farewell::after_failure);
}

Task<void> push_apk(Job* job, std::string remote) {
  CO_TRY(const auto client, co_await SyncClient::open(job->device));
  TransferOptions options;
  options.stall_limit = job->options.stall_limit;
  options.compression = Compression::any;
  const OnProgress progress = [job](const TransferProgress& at) {
    job->progress.done = at.total_done;
    if (job->on_progress) job->on_progress(job->progress);
  };
  CO_TRY(const auto pushed,
         co_await client->push({job->apks.front().path}, remote, options, progress));
  if (job->options.on_pushed) job->options.on_pushed(pushed);
  co_return ok();
}

Task<std::string> push_and_install(Job* job, std::string remote) {
  CO_TRY_VOID(co_await push_apk(job, remote));
  CO_TRY(const auto done,
         co_await run_shell(job->device, install_command(job->options.flags, remote), kShellLimit));
  std::string verdict = done.out + done.err;
  while (verdict.ends_with('\n') || verdict.ends_with('\r')) verdict.pop_back();
  // Old devices print "\tpkg: PATH" first.
  if (verdict.find("Success") != verdict.npos) co_return verdict;
  co_return fail(errc::refused, verdict.empty() ? "device gave no verdict" : verdict);
}

Task<std::string> install_pushed(Job* job) {
  const std::string remote = "/data/local/tmp/" + std::string(base_name(job->apks.front().path));
  co_return co_await with_farewell(
      push_and_install(job, remote),
      run_shell(job->device, remove_file_command(remote), kRemoveLimit), Farewell::always);
}

}  // namespace

InstallWay choose_install_way(InstallWay wanted, const FeatureSet& features) {
  if (wanted != InstallWay::automatic) return wanted;
  return features.has("cmd") ? InstallWay::streamed : InstallWay::pushed;
}

Task<std::string> install(Device* device, std::vector<std::string> apks, InstallOptions options,
                          std::function<void(const InstallProgress&)> progress) {
  if (apks.empty()) co_return fail(errc::invalid_argument, "no package to install");
  Job job{.device = device, .options = std::move(options), .on_progress = std::move(progress)};
  if (apks.size() > 1) job.options.way = InstallWay::session;
  const InstallWay way = choose_install_way(job.options.way, device->features());
  for (const std::string& path : apks) {
    CO_TRY(Apk apk, open_apk(path, way == InstallWay::session ? in_double_quotes(path) : path));
    job.progress.total += apk.size;
    job.apks.push_back(std::move(apk));
  }
  if (way == InstallWay::session) co_return co_await install_session(&job);
  if (way == InstallWay::pushed) co_return co_await install_pushed(&job);
  co_return co_await install_streamed(&job);
}

}  // namespace adbproto
