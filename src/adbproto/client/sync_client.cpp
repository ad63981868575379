#include "adbproto/client/sync_client.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "adbproto/client/shell.hpp"
#include "adbproto/client/sync_channel.hpp"
#include "adbproto/client/transfer.hpp"
#include "adbproto/wire/services.hpp"
#include "adbproto/wire/shell_commands.hpp"
#include "base/text.hpp"

namespace adbproto {
namespace {

constexpr auto kPutLimit = std::chrono::seconds(30);  // without a byte of progress
// As kPutLimit: a phone under load takes seconds to start a shell.
constexpr auto kMkdirLimit = std::chrono::seconds(30);
constexpr std::uint32_t kNoSuchFile = 2;
constexpr std::uint32_t kNotADirectory = 20;
// Half of an adb server's limit for a service (64 KiB): quotes and the last path fit.
constexpr std::size_t kMaxCommand = 32768;

std::unexpected<Error> not_a_directory(const std::string& target) {
  return fail(errc::refused, "target " + in_quotes(target) + " is not a directory");
}

enum class Target { missing, directory, other };

class Client final : public SyncClient {
 public:
  explicit Client(Device* device) : device_(device), requests_(device) {}

  Task<void> connect() {
    CO_TRY([[maybe_unused]] const auto* open, co_await requests_.channel());
    co_return ok();
  }

  Task<SyncStat> lstat(std::string path) override {
    co_return co_await requests_.lstat(std::move(path));
  }
  Task<SyncStat> stat(std::string path) override {
    co_return co_await requests_.stat(std::move(path));
  }

  Task<std::vector<SyncEntry>> list(std::string path, DotEntries dots) override {
    if (dots == DotEntries::yes) co_return co_await requests_.list(std::move(path));
    CO_TRY(const SyncStat found, co_await stat(path));
    if (kind_of(found.mode) != FileKind::directory) {
      const auto why = sync_error_text(found.error != 0 ? found.error : kNotADirectory);
      co_return fail(errc::refused, "cannot list " + in_quotes(path) + ": " + std::string(why));
    }
    CO_TRY(auto entries, co_await requests_.list(std::move(path)));
    std::erase_if(entries,
                  [](const SyncEntry& each) { return each.name == "." || each.name == ".."; });
    co_return entries;
  }

  Task<TransferResult> push(std::vector<std::string> local, std::string remote,
                            TransferOptions options, OnProgress progress) override {
    CO_TRY(const Target target, co_await remote_target(&remote, local.size()));
    co_return co_await each_source(std::move(local), std::move(remote), target, std::move(options),
                                   std::move(progress), &Client::push_source);
  }

  Task<TransferResult> pull(std::vector<std::string> remote, std::string local,
                            TransferOptions options, OnProgress progress) override {
    CO_TRY(const Target target, local_target(local, remote.size()));
    co_return co_await each_source(std::move(remote), std::move(local), target, std::move(options),
                                   std::move(progress), &Client::pull_source);
  }

  Task<void> put(std::string remote, std::uint32_t mode, Bytes content) override {
    CO_TRY(auto* const channel, co_await requests_.channel());
    co_return co_await channel->run(send_put(channel, remote, mode, &content),
                                    take_put(channel, remote), kPutLimit);
  }

  Task<Bytes> get(std::string remote, std::size_t limit) override {
    MemorySink sink(limit);
    CO_TRY_VOID(co_await get_into(std::move(remote), &sink));
    co_return std::move(sink.content);
  }

  Task<void> get_into(std::string remote, PullSink* sink) override {
    TransferResult result;
    const OnProgress progress;
    CO_TRY(const TransferJob ready, co_await with_channel(job({}, &progress, &result)));
    std::vector<PullItem> items(1);
    items.front().remote = std::move(remote);
    co_return co_await pull_files(ready, std::move(items), sink);
  }

 private:
  [[nodiscard]] bool has(std::string_view feature) const { return requests_.has(feature); }

  TransferJob job(const TransferOptions& options, const OnProgress* progress,
                  TransferResult* result) const {
    return {nullptr, &device_->features(), options, progress, result};
  }
  // Each job gets a channel at its start: an earlier failure may have broken the last one.
  Task<TransferJob> with_channel(TransferJob job) {
    CO_TRY(job.channel, co_await requests_.channel());
    co_return job;
  }

  using MoveSource = Task<void> (Client::*)(SourceOutcome*, std::string, Target, TransferJob);

  Task<TransferResult> each_source(std::vector<std::string> sources, std::string to, Target target,
                                   TransferOptions options, OnProgress progress, MoveSource move) {
    TransferResult all;
    const auto began = Clock::now();
    for (const std::string& source : sources) {
      SourceOutcome outcome{.source = source};
      const auto source_began = Clock::now();
      const auto moved =
          co_await ((*this).*move)(&outcome, to, target, job(options, &progress, &outcome.result));
      outcome.result.took = base::micros_since(source_began);
      if (!moved) outcome.error = moved.error();
      if (options.on_source) {
        options.on_source(outcome);
      } else {
        CO_TRY_VOID(whole(outcome));
      }
      add(outcome.result, all);
    }
    all.took = base::micros_since(began);
    co_return all;
  }

  static Result<void> whole(const SourceOutcome& outcome) {
    if (outcome.error) return std::unexpected(*outcome.error);
    if (!outcome.result.unread.empty()) return std::unexpected(outcome.result.unread.front());
    return ok();
  }
  static void add(const TransferResult& one, TransferResult& all) {
    all.files += one.files;
    all.skipped += one.skipped;
    all.bytes += one.bytes;
    all.warnings.insert(all.warnings.end(), one.warnings.begin(), one.warnings.end());
    all.unread.insert(all.unread.end(), one.unread.begin(), one.unread.end());
  }

  Task<void> send_put(SyncChannel* channel, std::string remote, std::uint32_t mode,
                      const Bytes* content) {
    CO_TRY(Bytes bytes, encode_sync_send(remote, mode | 0100000));
    for (ByteView left = *content; !left.empty();) {
      const ByteView piece = left.first(std::min(left.size(), kMaxSyncData));
      append(bytes, encode_sync_data(piece));
      left = left.subspan(piece.size());
    }
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
    append(bytes, encode_sync_done(static_cast<std::uint32_t>(seconds)));
    channel->expect(SyncAnswerTo::send);
    co_return co_await channel->write(bytes);
  }
  Task<void> take_put(SyncChannel* channel, std::string remote) {
    CO_TRY(const SyncResponse answer, co_await channel->next());
    if (answer.kind != SyncResponse::Kind::fail) co_return ok();
    co_return fail(errc::refused,
                   "failed to write " + in_quotes(remote) + ": remote " + answer.text);
  }

  // --- push

  Task<Target> remote_target(const std::string* remote, std::size_t sources) {
    if (remote->empty()) co_return fail(errc::invalid_argument, "remote path is empty");
    CO_TRY(const SyncStat found, co_await stat(*remote));
    if (found.error != 0 && found.error != kNoSuchFile) {
      co_return fail(errc::refused, "stat failed when trying to push to " + *remote + ": " +
                                        std::string(sync_error_text(found.error)));
    }
    if (kind_of(found.mode) == FileKind::directory) co_return Target::directory;
    if (sources > 1) co_return not_a_directory(*remote);
    const bool exists = found.error == 0;
    if (exists && remote->ends_with('/')) {
      co_return fail(errc::refused, "failed to access " + in_quotes(*remote) + ": Not a directory");
    }
    co_return exists ? Target::other : Target::missing;
  }

  Task<void> push_source(SourceOutcome* outcome, std::string remote, Target target,
                         TransferJob job) {
    std::string source = outcome->source;
    struct stat status{};
    if (::stat(source.c_str(), &status) != 0) {
      co_return file_failure(errc::file_unreadable, "cannot stat " + in_quotes(source), errno);
    }
    const FileKind kind = kind_of(status.st_mode);
    if (kind == FileKind::directory) {
      if (target == Target::other) co_return not_a_directory(remote);
      if (target == Target::directory) remote = join_path(remote, base_name(source));
      outcome->kind = SourceOutcome::Kind::tree;
      co_return co_await push_tree(std::move(source), std::move(remote), job);
    }
    if (kind != FileKind::regular) {
      job.done->warnings.push_back(special_file_warning(source, status.st_mode));
      co_return ok();
    }
    if (target == Target::directory) remote = join_path(remote, base_name(source));
    std::vector<PushItem> files;
    files.push_back({std::move(source), std::move(remote),
                     static_cast<std::uint64_t>(status.st_size), status.st_mtime, status.st_mode});
    co_return co_await push_list(job, std::move(files));
  }

  Task<void> push_tree(std::string source, std::string remote, TransferJob job) {
    CO_TRY(LocalTree tree, read_local_tree(source + "/", remote));
    job.done->skipped += tree.skipped;
    job.done->unread = std::move(tree.unread);
    append_warnings(job, tree.warnings);
    if (!has("fixed_push_mkdir") && has("shell_v2")) {
      tree.folders.insert(tree.folders.begin(), remote);
      CO_TRY_VOID(co_await make_folders(std::move(tree.folders)));
    }
    co_return co_await push_list(job, std::move(tree.files));
  }

  Task<void> push_list(TransferJob job, std::vector<PushItem> files) {
    for (const PushItem& file : files) {
      if (file.remote.size() > kMaxSyncPath)
        co_return fail(errc::limit, "path is too long: " + file.remote);
    }
    if (job.options.only_newer == OnlyNewer::yes) {
      CO_TRY(files, co_await without_current(std::move(files), job.done));
    }
    if (job.options.dry_run == DryRun::yes && !has("sendrecv_v2_dry_run_send")) {
      co_return fail(errc::unsupported, "dry-run not supported by the device");
    }
    if (files.empty()) co_return ok();
    CO_TRY(job, co_await with_channel(job));
    co_return co_await push_files(job, std::move(files));
  }

  // A device without `fixed_push_mkdir` (before October 2018) does not make a file's folders
  // itself.
  Task<void> make_folders(std::vector<std::string> folders) {
    std::vector<std::string> some;
    std::size_t size = 0;
    for (std::size_t i = 0; i < folders.size(); ++i) {
      size += folders[i].size();
      some.push_back(std::move(folders[i]));
      if (size < kMaxCommand && i + 1 < folders.size()) continue;
      // The push itself shows whether the folders exist.
      CO_TRY([[maybe_unused]] const auto made,
             co_await run_shell(device_, make_folders_command(some), kMkdirLimit));
      some.clear();
      size = 0;
    }
    co_return ok();
  }

  // --sync: files with the same size and time on the device are left out.
  Task<std::vector<PushItem>> without_current(std::vector<PushItem> files, TransferResult* done) {
    std::vector<std::string> remote;
    remote.reserve(files.size());
    for (const PushItem& file : files) remote.push_back(file.remote);
    CO_TRY(const auto stats, co_await requests_.lstats(std::move(remote)));
    auto stat = stats.begin();
    done->skipped += std::erase_if(files, [&](const PushItem& file) {
      const SyncStat& there = *stat++;
      return there.mode != 0 && there.mtime == file.mtime && there.size == file.size;
    });
    co_return files;
  }

  // --- pull

  static Result<Target> local_target(const std::string& local, std::size_t sources) {
    struct stat status{};
    if (::stat(local.c_str(), &status) != 0) {
      if (sources == 1 && errno == ENOENT) return Target::missing;
      return file_failure(errc::file_write_failed, "failed to access " + in_quotes(local), errno);
    }
    if (kind_of(status.st_mode) == FileKind::directory) return Target::directory;
    if (sources > 1) return not_a_directory(local);
    return Target::other;
  }

  Task<void> pull_source(SourceOutcome* outcome, std::string local, Target target,
                         TransferJob job) {
    std::string source = outcome->source;
    CO_TRY(const SyncStat found, co_await stat(source));
    if (found.error != 0) {
      co_return fail(errc::refused, "failed to stat remote object " + in_quotes(source) + ": " +
                                        std::string(sync_error_text(found.error)));
    }
    CO_TRY(const std::string name, local_name_of(source));
    const FileKind kind = kind_of(found.mode);
    if (kind == FileKind::directory && target == Target::other) co_return not_a_directory(local);
    if (target == Target::directory) local = join_path(local, name);
    if (kind == FileKind::directory) {
      outcome->kind = SourceOutcome::Kind::tree;
      co_return co_await pull_tree(std::move(source), std::move(local), &found, job);
    }
    if (kind != FileKind::regular && kind != FileKind::device) {
      job.done->warnings.push_back(special_file_warning(source, found.mode));
      co_return ok();
    }
    CO_TRY(auto folder, open_folder_of(local));
    NamedSink sink(std::move(folder), job.options.keep_times);
    std::vector<PullItem> items;
    items.push_back({std::move(source), std::move(local), found.size, found.mtime, found.mode});
    CO_TRY(job, co_await with_channel(job));
    co_return co_await pull_files(job, std::move(items), &sink);
  }

  Task<void> pull_tree(std::string source, std::string local, const SyncStat* found,
                       TransferJob job) {
    CO_TRY(auto target, PullTarget::open(std::move(local)));
    PullPlan plan(std::move(source), *found);
    CO_TRY_VOID(co_await requests_.complete(&plan));
    append_warnings(job, plan.warnings());
    job.done->skipped += plan.skipped();
    TreeSink sink(std::move(target), job.options.keep_times);
    for (const std::string& folder : plan.folders()) CO_TRY_VOID(sink.target().make_folder(folder));
    if (plan.files().empty()) co_return ok();
    CO_TRY(job, co_await with_channel(job));
    co_return co_await pull_files(job, plan.files(), &sink);
  }

  static void append_warnings(const TransferJob& job, const std::vector<std::string>& warnings) {
    job.done->warnings.insert(job.done->warnings.end(), warnings.begin(), warnings.end());
  }

  Device* device_;
  SyncRequests requests_;
};

}  // namespace

Task<std::unique_ptr<SyncClient>> SyncClient::open(Device* device) {
  auto client = std::make_unique<Client>(device);
  CO_TRY_VOID(co_await client->connect());
  co_return client;
}

}  // namespace adbproto
