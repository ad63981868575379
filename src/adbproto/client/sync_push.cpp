#include "adbproto/client/sync_push.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace adbproto {
namespace {

constexpr std::size_t kHeader = 8;
constexpr std::size_t kRecord = kHeader + kMaxSyncData;
constexpr std::size_t kRecordsPerBlock = 15;  // with their headers they fit into one WRTE of 1 MiB
constexpr std::size_t kBatchSize = 64 * 1024;
constexpr std::size_t kPlainSize = 256 * 1024;

// Records of DATA side by side, each filled up to kMaxSyncData before the next one is begun.
class DataBlock {
 public:
  [[nodiscard]] bool full() const { return record_ == kRecordsPerBlock; }
  [[nodiscard]] std::span<std::byte> room() {
    return std::span(bytes_).subspan(record_ * kRecord + kHeader + filled_, kMaxSyncData - filled_);
  }
  void add(std::size_t size) {
    filled_ += size;
    if (filled_ == kMaxSyncData) end_record();
  }
  // What is to be written; the block is empty afterwards, its bytes stay until the next add().
  ByteView take() {
    if (filled_ > 0) end_record();
    return ByteView(bytes_).first(std::exchange(record_, 0) * kRecord - std::exchange(short_, 0));
  }
  // Reads a whole block of a file with one call; the number of bytes, 0 at its end.
  Result<std::size_t> read_from(int file, const std::string& path) {
    std::array<iovec, kRecordsPerBlock> parts{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i] = {bytes_.data() + i * kRecord + kHeader, kMaxSyncData};
    }
    ssize_t got = 0;
    do {
      got = ::readv(file, parts.data(), static_cast<int>(parts.size()));
    } while (got < 0 && errno == EINTR);
    if (got < 0) return file_failure(Errc::file_unreadable, "failed to read '" + path + "'", errno);
    for (auto left = static_cast<std::size_t>(got); left > 0;) {
      const std::size_t size = std::min(left, kMaxSyncData);
      add(size);
      left -= size;
    }
    return static_cast<std::size_t>(got);
  }

 private:
  // Only the last record of a file is short, so records lie without gaps.
  void end_record() {
    std::byte* const at = bytes_.data() + record_ * kRecord;
    store_le(at, static_cast<std::uint32_t>(SyncId::data));
    store_le(at + 4, static_cast<std::uint32_t>(filled_));
    short_ = kMaxSyncData - filled_;
    ++record_;
    filled_ = 0;
  }

  Bytes bytes_ = Bytes(kRecordsPerBlock * kRecord);
  std::size_t record_ = 0;
  std::size_t filled_ = 0;  // of the record that is being filled
  std::size_t short_ = 0;   // bytes that the last ended record lacks
};

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
        co_return fail(Errc::refused, "failed to copy '" + file.local + "' to '" + file.remote +
                                          "': remote " + answer.text);
      }
      // An OKAY for what was not sent yet.
      if (channel().window().outstanding() == 0) {
        co_return fail(Errc::protocol, "device acknowledged a file before it was sent");
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
    CO_TRY(const Bytes content, read_small_file(file->local, file->size, kMaxSyncData - 1));
    co_return co_await send_small(file, content);
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
    CO_TRY(const FileHandle source, open_to_read(file->local));
    CO_TRY(const Bytes request, request_for(*file, compression_));
    append(batch_, request);
    expect_answer(file->size);
    CO_TRY_VOID(co_await flush());
    if (compression_ == Compression::none) {
      CO_TRY_VOID(co_await send_plain(file, source.get()));
    } else {
      CO_TRY_VOID(co_await send_compressed(file, source.get()));
    }
    append(batch_, encode_sync_done(static_cast<std::uint32_t>(file->mtime)));
    co_return ok();
  }

  Task<void> send_plain(const LocalFile* file, int source) {
    std::uint64_t done = 0;
    for (;;) {
      CO_TRY(const std::size_t size, block_.read_from(source, file->local));
      if (size == 0) co_return ok();
      CO_TRY_VOID(co_await channel().write(block_.take()));
      done += size;
      count(*file, size, done);
    }
  }

  Task<void> send_compressed(const LocalFile* file, int source) {
    const auto encoder = make_encoder(compression_);
    Bytes plain(kPlainSize);
    std::uint64_t done = 0;
    for (;;) {
      CO_TRY(const std::size_t size, read_plain(source, plain, file->local));
      const auto input = size == 0 ? Transcoder::Input::last : Transcoder::Input::more;
      CO_TRY_VOID(co_await encode(encoder.get(), ByteView(plain).first(size), input));
      done += size;
      count(*file, size, done);
      if (size == 0) break;
    }
    co_return co_await channel().write(block_.take());
  }

  static Result<std::size_t> read_plain(int source, std::span<std::byte> into,
                                        const std::string& path) {
    ssize_t got = 0;
    do {
      got = ::read(source, into.data(), into.size());
    } while (got < 0 && errno == EINTR);
    if (got < 0) return file_failure(Errc::file_unreadable, "failed to read '" + path + "'", errno);
    return static_cast<std::size_t>(got);
  }

  // All of `plain` into the block, which is written whenever it is full.
  Task<void> encode(Transcoder* encoder, ByteView plain, Transcoder::Input input) {
    for (;;) {
      const auto room = block_.room();
      CO_TRY(const auto step, encoder->step(plain, input, room));
      plain = plain.subspan(step.taken);
      block_.add(step.made);
      if (block_.full()) CO_TRY_VOID(co_await channel().write(block_.take()));
      const bool drained = plain.empty() && step.made < room.size();
      if (step.ended || (input == Transcoder::Input::more && drained)) co_return ok();
    }
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
  DataBlock block_;
};

}  // namespace

Task<void> push_files(TransferJob job, std::vector<LocalFile> files) {
  const auto push = std::make_unique<Push>(job, std::move(files));
  co_return co_await job.channel->run(push->send(), push->take_answers(), job.options.stall_limit);
}

}  // namespace adbproto
