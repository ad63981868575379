#include "adbproto/client/sync_pull.hpp"

namespace adbproto {
namespace {

constexpr std::size_t kPlainSize = 256 * 1024;

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

  // Requests are small: a window of them goes out in one write.
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
    report(*item, done);
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
      report(*item, done);
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

  void report(const PullItem& item, std::uint64_t file_done) const {
    if (*job_.progress)
      (*job_.progress)({item.remote, file_done, item.size, job_.done->bytes, total_});
  }

  TransferJob job_;
  std::vector<PullItem> items_;
  PullSink* sink_;
  bool v2_;
  Compression compression_;
  std::uint64_t total_ = 0;
  std::unique_ptr<Transcoder> decoder_;
  bool decoded_ = false;  // the frame has ended
  Bytes plain_ = Bytes(kPlainSize);
};

}  // namespace

Task<void> pull_files(TransferJob job, std::vector<PullItem> items, PullSink* sink) {
  const auto pull = std::make_unique<Pull>(job, std::move(items), sink);
  co_return co_await job.channel->run(pull->send(), pull->receive(), job.options.stall_limit);
}

}  // namespace adbproto
