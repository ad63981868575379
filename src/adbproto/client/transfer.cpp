#include "adbproto/client/transfer.hpp"

#include <fcntl.h>

#include <cerrno>

#include "adbproto/client/data_blocks.hpp"
#include "adbproto/client/local_files.hpp"
#include "base/async/blocking.hpp"
#include "base/async/output_descriptor.hpp"
#include "base/text.hpp"

namespace adbproto {
namespace {

constexpr std::size_t kDecodedSize = 256 * 1024;
// A larger file that shrinks is compressed on another thread. Uncompressed files stay on one
// thread: handing blocks over costs more processor time than reading them.
constexpr std::uint64_t kWorthAThread = 1 << 20;

void report_on(const TransferJob& job, const auto& item, std::uint64_t done, std::uint64_t total) {
  if (*job.progress) (*job.progress)({item.remote, done, item.size, job.done->bytes, total});
}

class Push {
 public:
  Push(const TransferJob& job, std::vector<PushItem> files)
      : job_(job),
        compression_(choose_compression(job.options.compression, *job.features)),
        requests_(std::move(files),
                  {.v2 = job.features->has("sendrecv_v2"),
                   .flags = job.options.dry_run == DryRun::yes ? sync_flag::kDryRun : 0,
                   .large_flags = compression_flag(compression_)}) {
    for (const PushItem& file : requests_.items()) total_ += file.size;
  }

  Task<void> send() {
    while (const PushItem* file = requests_.next()) {
      if (!channel().window().may_send()) {
        CO_TRY_VOID(co_await flush());
        CO_TRY_VOID(co_await channel().wait_for_room());
      }
      report(*file, 0);
      CO_TRY_VOID(co_await send_file(file));
    }
    co_return co_await flush();
  }

  Task<void> take_answers() {
    while (!requests_.is_answered()) {
      CO_TRY(const SyncResponse answer, co_await channel().next());
      CO_TRY_VOID(requests_.on_answer(answer));
      channel().answered();
      ++job_.done->files;
    }
    co_return ok();
  }

 private:
  SyncChannel& channel() { return *job_.channel; }

  Task<void> send_file(const PushItem* file) {
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

  Task<void> send_small(const PushItem* file, ByteView content) {
    CO_TRY_VOID(requests_.send_whole(content));
    expect_answer(content.size());
    count(*file, content.size(), content.size());
    if (requests_.is_worth_a_write()) co_return co_await flush();
    co_return ok();
  }

  Task<void> send_large(const PushItem* file) {
    CO_TRY(auto source, open_to_read(file->local));
    CO_TRY_VOID(requests_.begin_large());
    expect_answer(file->size);
    CO_TRY_VOID(co_await flush());
    BlockSource blocks(std::move(source), file->local, compression_);
    CO_TRY(const auto first, blocks.fill(&block(0)));
    const bool beside = file->size > kWorthAThread && shrinks(first);
    CO_TRY_VOID(
        co_await (beside ? send_beside(file, &blocks, first) : send_in_turn(file, &blocks, first)));
    requests_.end_large(*file);
    co_return ok();
  }

  static bool shrinks(const BlockSource::Filled& filled) {
    return filled.records.size() < filled.plain - filled.plain / 16;
  }

  // `filled` is the first block.
  Task<void> send_in_turn(const PushItem* file, BlockSource* source, BlockSource::Filled filled) {
    for (std::uint64_t done = 0;;) {
      CO_TRY_VOID(co_await channel().write(filled.records));
      count(*file, filled.plain, done += filled.plain);
      if (filled.last) co_return ok();
      CO_TRY(filled, source->fill(&block(0)));
    }
  }

  // Fills the next block while the previous one is sent.
  Task<void> send_beside(const PushItem* file, BlockSource* source, BlockSource::Filled filled) {
    using namespace base::parallel;
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

  // Created for the first large file.
  DataBlock& block(std::size_t index) {
    auto& made = blocks_[index];
    if (!made) made = std::make_unique<DataBlock>();
    return *made;
  }

  void expect_answer(std::uint64_t bytes) {
    channel().expect(SyncAnswerTo::send);
    channel().sent(bytes);
  }

  Task<void> flush() {
    const Bytes batch = requests_.take();
    if (batch.empty()) co_return ok();
    co_return co_await channel().write(batch);
  }

  void count(const PushItem& file, std::size_t size, std::uint64_t file_done) {
    job_.done->bytes += size;
    report(file, file_done);
  }
  void report(const PushItem& file, std::uint64_t file_done) const {
    report_on(job_, file, file_done, total_);
  }

  TransferJob job_;
  Compression compression_;
  PushRequests requests_;
  std::uint64_t total_ = 0;
  std::array<std::unique_ptr<DataBlock>, 2> blocks_;
};

class Pull {
 public:
  Pull(const TransferJob& job, std::vector<PullItem> items, PullSink* sink)
      : job_(job),
        items_(std::move(items)),
        sink_(sink),
        v2_(job.features->has("sendrecv_v2")),
        compression_(choose_compression(job.options.compression, *job.features)) {
    for (const PullItem& item : items_) total_ += item.size;
  }

  // Requests are small: a window of them is sent in one write.
  Task<void> send() {
    Bytes batch;
    for (const PullItem& item : items_) {
      if (!channel().window().may_send()) {
        CO_TRY_VOID(co_await channel().write(batch));
        batch.clear();
        CO_TRY_VOID(co_await channel().wait_for_room());
      }
      CO_TRY(const Bytes request, request_for(item));
      append(batch, request);
      channel().expect(SyncAnswerTo::recv);
      channel().sent(request.size());
    }
    co_return co_await channel().write(batch);
  }

  Task<void> receive() {
    for (const PullItem& item : items_) {
      CO_TRY_VOID(co_await receive_file(&item));
      channel().answered();
      ++job_.done->files;
    }
    co_return ok();
  }

 private:
  SyncChannel& channel() { return *job_.channel; }

  Task<void> receive_file(const PullItem* item) {
    if (compression_ != Compression::none) decoder_ = make_decoder(compression_);
    decoded_ = false;
    std::uint64_t done = 0;
    report_on(job_, *item, done, total_);
    bool begun = false;
    for (;;) {
      CO_TRY(const SyncResponse answer, co_await channel().next());
      if (answer.kind == SyncResponse::Kind::fail) {
        co_return fail(errc::refused, "failed to copy '" + item->remote + "' to '" +
                                          sink_->name_of(*item) + "': remote " + answer.text);
      }
      if (!std::exchange(begun, true)) CO_TRY_VOID(co_await sink_->begin(item));
      if (answer.kind == SyncResponse::Kind::done) break;
      CO_TRY(const std::uint64_t size, co_await take(answer.data));
      if (decoder_) co_await SyncChannel::breathe();
      done += size;
      job_.done->bytes += size;
      report_on(job_, *item, done, total_);
    }
    if (compression_ != Compression::none && !decoded_) {
      co_return fail(errc::protocol, "compressed data of '" + item->remote + "' ends too early");
    }
    co_return sink_->end(*item);
  }

  // The number of plain bytes.
  Task<std::uint64_t> take(ByteView data) {
    if (compression_ == Compression::none) {
      CO_TRY_VOID(co_await sink_->write(data));
      co_return data.size();
    }
    std::uint64_t plain_size = 0;
    for (;;) {
      CO_TRY(const auto step, decoder_->step(data, Transcoder::Input::more, plain_));
      data = data.subspan(step.taken);
      plain_size += step.made;
      decoded_ = step.ended;
      CO_TRY_VOID(co_await sink_->write(ByteView(plain_).first(step.made)));
      const bool stuck = step.taken == 0 && step.made == 0;
      if (data.empty() && (step.ended || step.made < plain_.size())) co_return plain_size;
      if (stuck) co_return fail(errc::protocol, "corrupt compressed data");
    }
  }

  [[nodiscard]] Result<Bytes> request_for(const PullItem& item) const {
    if (!v2_) return encode_sync_request(SyncId::recv, item.remote);
    return encode_sync_recv_v2(item.remote, compression_flag(compression_));
  }

  TransferJob job_;
  std::vector<PullItem> items_;
  PullSink* sink_;
  bool v2_;
  Compression compression_;
  std::uint64_t total_ = 0;
  std::unique_ptr<Transcoder> decoder_;
  bool decoded_ = false;  // the frame has ended
  Bytes plain_ = Bytes(kDecodedSize);
};

// The reader of a FIFO arrives without an event; 50 ms are not noticeable.
constexpr auto kReaderCheckPause = std::chrono::milliseconds(50);

}  // namespace

Task<void> push_files(TransferJob job, std::vector<PushItem> files) {
  const auto push = std::make_unique<Push>(job, std::move(files));
  co_return co_await job.channel->run(push->send(), push->take_answers(), job.options.stall_limit);
}

Task<void> pull_files(TransferJob job, std::vector<PullItem> items, PullSink* sink) {
  const auto pull = std::make_unique<Pull>(job, std::move(items), sink);
  co_return co_await job.channel->run(pull->send(), pull->receive(), job.options.stall_limit);
}

Task<void> FileSink::begin(const PullItem* item) {
  for (;;) {
    auto made = create(*item);
    if (made) {
      file_.emplace(*std::move(made));
      co_return ok();
    }
    if (made.error().code() != errc::closed) co_return std::unexpected(made.error());
    co_await sleep_for(kReaderCheckPause);
  }
}

Task<void> FileSink::write(ByteView bytes) {
  while (!bytes.empty()) {
    CO_TRY(const std::size_t size, file_->write(bytes));
    bytes = bytes.subspan(size);
    if (!bytes.empty()) co_await await_writable(file_->descriptor());
  }
  co_return ok();
}

Result<FolderPtr> open_folder_of(const std::string& path) {
  if (path.empty()) {
    return fail(errc::file_write_failed, "cannot create '': No such file or directory");
  }
  const std::size_t slash = path.rfind('/');
  if (slash + 1 == path.size()) {
    return fail(errc::file_write_failed, "cannot create " + in_quotes(path) + ": Is a directory");
  }
  const std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
  auto opened =
      std::make_shared<FileHandle>(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened->is_open()) return opened;
  return file_failure(errc::file_write_failed, "cannot create file/directory " + in_quotes(path),
                      errno);
}

}  // namespace adbproto
