#include "adbproto/client/sync_push.hpp"

#include <array>

#include "adbproto/client/data_blocks.hpp"
#include "adbproto/link/blocking.hpp"

namespace adbproto {
namespace {

constexpr std::size_t kBatchSize = 64 * 1024;
// What is larger and shrinks is compressed beside the loop. What is copied stays on one thread:
// handing blocks over costs more processor time than reading them.
constexpr std::uint64_t kWorthAThread = 1 << 20;

class Push {
 public:
  Push(const TransferJob& job, std::vector<LocalFile> files)
      : job_(job),
        files_(std::move(files)),
        v2_(job.features->has("sendrecv_v2")),
        compression_(choose_compression(job.options.compression, *job.features)) {
    for (const LocalFile& file : files_) total_ += file.size;
  }

  Task<void> send() {
    for (const LocalFile& file : files_) {
      if (!channel().window().may_send()) {
        CO_TRY_VOID(co_await flush());
        CO_TRY_VOID(co_await channel().wait_for_room());
      }
      report(file, 0);
      CO_TRY_VOID(co_await send_file(&file));
    }
    co_return co_await flush();
  }

  Task<void> take_answers() {
    for (const LocalFile& file : files_) {
      CO_TRY(const SyncResponse answer, co_await channel().next());
      if (answer.kind == SyncResponse::Kind::fail) {
        co_return fail(errc::refused, "failed to copy '" + file.local + "' to '" + file.remote +
                                          "': remote " + answer.text);
      }
      // An OKAY for what was not sent yet.
      if (channel().window().outstanding() == 0) {
        co_return fail(errc::protocol, "device acknowledged a file before it was sent");
      }
      channel().answered();
      ++job_.done->files;
    }
    co_return ok();
  }

 private:
  SyncChannel& channel() { return *job_.channel; }

  Task<void> send_file(const LocalFile* file) {
    if (kind_of(file->mode) == FileKind::link) {
      CO_TRY(std::string target, read_link_target(file->local));
      target.push_back('\0');
      co_return co_await send_small(file, as_bytes(target));
    }
    if (file->size >= kMaxSyncData) co_return co_await send_large(file);
    CO_TRY(const auto content, read_small_file(file->local, file->size, kMaxSyncData - 1));
    if (!content) co_return co_await send_large(file);
    co_return co_await send_small(file, *content);
  }

  // Small files are not compressed: nothing to gain.
  Task<void> send_small(const LocalFile* file, ByteView content) {
    CO_TRY(const Bytes request, request_for(*file, Compression::none));
    append(batch_, request);
    if (!content.empty()) append(batch_, encode_sync_data(content));
    append(batch_, encode_sync_done(static_cast<std::uint32_t>(file->mtime)));
    expect_answer(content.size());
    count(*file, content.size(), content.size());
    if (batch_.size() >= kBatchSize) co_return co_await flush();
    co_return ok();
  }

  Task<void> send_large(const LocalFile* file) {
    CO_TRY(auto source, open_to_read(file->local));
    CO_TRY(const Bytes request, request_for(*file, compression_));
    append(batch_, request);
    expect_answer(file->size);
    CO_TRY_VOID(co_await flush());
    BlockSource blocks(std::move(source), file->local, compression_);
    CO_TRY(const auto first, blocks.fill(&block(0)));
    const bool beside = file->size > kWorthAThread && shrinks(first);
    CO_TRY_VOID(
        co_await (beside ? send_beside(file, &blocks, first) : send_in_turn(file, &blocks, first)));
    append(batch_, encode_sync_done(static_cast<std::uint32_t>(file->mtime)));
    co_return ok();
  }

  static bool shrinks(const BlockSource::Filled& filled) {
    return filled.records.size() < filled.plain - filled.plain / 16;
  }

  // `filled` is the first block.
  Task<void> send_in_turn(const LocalFile* file, BlockSource* source, BlockSource::Filled filled) {
    for (std::uint64_t done = 0;;) {
      CO_TRY_VOID(co_await channel().write(filled.records));
      count(*file, filled.plain, done += filled.plain);
      if (filled.last) co_return ok();
      CO_TRY(filled, source->fill(&block(0)));
    }
  }

  // The next block is filled while the one before it is being sent.
  Task<void> send_beside(const LocalFile* file, BlockSource* source, BlockSource::Filled filled) {
    using namespace adbproto::parallel;
    std::uint64_t done = 0;
    for (std::size_t next = 1; !filled.last; next = 1 - next) {
      auto [sent, then] = co_await (channel().write(filled.records) && fill(source, &block(next)));
      CO_TRY_VOID(std::move(sent));
      count(*file, filled.plain, done += filled.plain);
      CO_TRY(filled, std::move(then));
    }
    CO_TRY_VOID(co_await channel().write(filled.records));
    count(*file, filled.plain, done + filled.plain);
    co_return ok();
  }

  static Task<BlockSource::Filled> fill(BlockSource* source, DataBlock* block) {
    co_return co_await run_blocking([=] { return source->fill(block); });
  }

  // Made when the first large file comes.
  DataBlock& block(std::size_t index) {
    auto& made = blocks_[index];
    if (!made) made = std::make_unique<DataBlock>();
    return *made;
  }

  Result<Bytes> request_for(const LocalFile& file, Compression compression) const {
    if (!v2_) return encode_sync_send(file.remote, file.mode);
    std::uint32_t flags = compression_flag(compression);
    if (job_.options.dry_run == DryRun::yes) flags |= sync_flag::kDryRun;
    return encode_sync_send_v2(file.remote, file.mode, flags);
  }

  void expect_answer(std::uint64_t bytes) {
    channel().expect(SyncAnswerTo::send);
    channel().sent(bytes);
  }

  Task<void> flush() {
    const Bytes batch = std::exchange(batch_, {});
    if (batch.empty()) co_return ok();
    co_return co_await channel().write(batch);
  }

  void count(const LocalFile& file, std::size_t size, std::uint64_t file_done) {
    job_.done->bytes += size;
    report(file, file_done);
  }
  void report(const LocalFile& file, std::uint64_t file_done) const {
    if (*job_.progress)
      (*job_.progress)({file.remote, file_done, file.size, job_.done->bytes, total_});
  }

  TransferJob job_;
  std::vector<LocalFile> files_;
  bool v2_;
  Compression compression_;
  std::uint64_t total_ = 0;
  Bytes batch_;
  std::array<std::unique_ptr<DataBlock>, 2> blocks_;
};

}  // namespace

Task<void> push_files(TransferJob job, std::vector<LocalFile> files) {
  const auto push = std::make_unique<Push>(job, std::move(files));
  co_return co_await job.channel->run(push->send(), push->take_answers(), job.options.stall_limit);
}

}  // namespace adbproto
