#include "adbproto/client/sync_channel.hpp"

#include <algorithm>
#include <asio/post.hpp>

namespace adbproto {
namespace {

constexpr std::size_t kReplySize = 256 * 1024;
constexpr std::size_t kProgressSize = 1 << 20;  // what counts as progress
constexpr int kChecksPerLimit = 8;  // so a stall is noticed at most an eighth of the limit late

bool is_end_of_stream(const Error& error) {
  return error.code() == errc::closed || error.code() == errc::io;
}

constexpr auto kAnswerLimit = std::chrono::seconds(30);  // without a byte
constexpr std::size_t kQuestionsAtOnce = 64;
constexpr std::uint32_t kNoEntry = 2;
// Room for some 250,000 names; a hostile phone may list names without an end.
constexpr std::size_t kMaxListing = 32 << 20;

// v1: the target of a link if "link/" was no directory. Its size is not known.
SyncStat through_link(const SyncStat& target, SyncStat own) {
  if (kind_of(target.mode) == FileKind::directory) return target;
  own.mode = 0100644;
  own.size = 0;
  return own;
}

}  // namespace

SyncChannel::SyncChannel(ByteStreamPtr stream, asio::any_io_executor executor, Link link)
    : stream_(std::move(stream)), link_(link), buffer_(kReplySize), room_(executor) {}

Task<std::unique_ptr<SyncChannel>> SyncChannel::open(Device* device) {
  CO_TRY(auto stream, co_await device->open("sync:"));
  const Link link = device->route() == "server" ? Link::through_server : Link::direct;
  co_return std::make_unique<SyncChannel>(std::move(stream), co_await asio::this_coro::executor,
                                          link);
}

Task<void> SyncChannel::write(ByteView bytes) {
  while (!bytes.empty()) {
    const ByteView piece = bytes.first(std::min(bytes.size(), kProgressSize));
    auto written = co_await stream_->write_all(piece);
    if (!written) co_return std::unexpected(*(write_error_ = std::move(written).error()));
    moved_ += piece.size();
    bytes = bytes.subspan(piece.size());
  }
  co_await breathe();  // a direct link's writer starts while our caller prepares the next bytes
  co_return ok();
}

asio::awaitable<void> SyncChannel::breathe() {
  const auto executor = co_await asio::this_coro::executor;
  co_await asio::post(executor, asio::use_awaitable);
}

Task<SyncResponse> SyncChannel::next() {
  for (;;) {
    CO_TRY(auto response, reader_.next());
    if (response) co_return *std::move(response);
    CO_TRY(const std::size_t size, co_await stream_->read_some(buffer_));
    // The acknowledgement is sent before the data is processed; with a server, the server sends it.
    if (link_ == Link::direct) co_await breathe();
    moved_ += size;
    reader_.feed(ByteView(buffer_).first(size));
  }
}

void SyncChannel::answered() {
  window_.answered();
  room_.notify_all();
}

Task<void> SyncChannel::wait_for_room() {
  while (!window_.is_half_empty()) {
    if (error_) co_return std::unexpected(*error_);
    co_await room_.wait();
  }
  co_return ok();
}

void SyncChannel::give_up(Error why) {
  if (error_) return;
  error_ = std::move(why);
  close();
}

void SyncChannel::close() {
  stream_->close();
  room_.notify_all();
}

asio::awaitable<void> SyncChannel::guard(Task<void> task, Side side) {
  const auto done = co_await std::move(task);
  if (done) co_return;
  // The device may have sent the reason before it closed; the receiver reads it.
  if (side == Side::send && write_error_ && is_end_of_stream(done.error())) co_return;
  give_up(done.error());
}

asio::awaitable<void> SyncChannel::watch(std::chrono::milliseconds stall_limit) {
  std::uint64_t seen = moved_;
  Clock::time_point since = Clock::now();
  for (;;) {
    co_await sleep_for(
        std::max<Clock::duration>(stall_limit / kChecksPerLimit, std::chrono::milliseconds(1)));
    if (seen != moved_) {
      seen = moved_;
      since = Clock::now();
    }
    const auto allowed = stall_limit + std::chrono::seconds(window_.drain_seconds());
    if (Clock::now() - since >= allowed) break;
  }
  const auto stood = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - since);
  give_up(
      Error(errc::deadline_exceeded, "no data moved for " + std::to_string(stood.count()) + " ms"));
}

Task<void> SyncChannel::run(Task<void> send, Task<void> receive,
                            std::chrono::milliseconds stall_limit) {
  using namespace base::parallel;
  is_running_ = true;
  co_await ((guard(std::move(send), Side::send) && guard(std::move(receive), Side::receive)) ||
            watch(stall_limit));
  is_running_ = false;
  if (error_) co_return std::unexpected(*error_);
  if (write_error_) co_return std::unexpected(*write_error_);
  co_return ok();
}

Task<SyncChannel*> SyncRequests::channel() {
  if (!channel_ || channel_->is_broken()) {
    CO_TRY(channel_, co_await SyncChannel::open(device_));
  }
  co_return channel_.get();
}

SyncId SyncRequests::list_id() const { return has("ls_v2") ? SyncId::list_v2 : SyncId::list; }
SyncAnswerTo SyncRequests::list_answer() const {
  return has("ls_v2") ? SyncAnswerTo::list_v2 : SyncAnswerTo::list;
}
SyncAnswerTo SyncRequests::stat_answer() const {
  return has("stat_v2") ? SyncAnswerTo::stat_v2 : SyncAnswerTo::stat;
}

Task<SyncStat> SyncRequests::lstat(std::string path) {
  const SyncId id = has("stat_v2") ? SyncId::lstat_v2 : SyncId::stat;
  co_return co_await query_stat(id, std::move(path));
}

Task<SyncStat> SyncRequests::stat(std::string path) {
  if (has("stat_v2")) co_return co_await query_stat(SyncId::stat_v2, std::move(path));
  CO_TRY(const SyncStat own, co_await query_stat(SyncId::stat, path));
  if (kind_of(own.mode) != FileKind::link) co_return own;
  CO_TRY(const SyncStat target, co_await query_stat(SyncId::stat, path + "/"));
  co_return through_link(target, own);
}

Task<SyncStat> SyncRequests::query_stat(SyncId id, std::string path) {
  CO_TRY(auto* const open, co_await channel());
  SyncStat stat;
  CO_TRY_VOID(co_await open->run(send_request(id, stat_answer(), std::move(path)), take_stat(&stat),
                                 kAnswerLimit));
  co_return stat;
}

Task<std::vector<SyncStat>> SyncRequests::lstats(std::vector<std::string> paths) {
  CO_TRY(auto* const open, co_await channel());
  std::vector<SyncStat> stats;
  CO_TRY_VOID(
      co_await open->run(send_lstats(&paths), take_stats(&stats, paths.size()), kAnswerLimit));
  co_return stats;
}

Task<std::vector<SyncEntry>> SyncRequests::list(std::string path) {
  CO_TRY(auto* const open, co_await channel());
  std::vector<SyncEntry> entries;
  std::size_t held = 0;
  const OnEntry keep = [&](SyncEntry entry) -> Result<void> {
    held += sizeof(SyncEntry) + entry.name.size();
    if (held > kMaxListing) return fail(errc::limit, "folder is too large");
    entries.push_back(std::move(entry));
    return ok();
  };
  CO_TRY_VOID(co_await open->run(send_request(list_id(), list_answer(), std::move(path)),
                                 take_list(keep), kAnswerLimit));
  co_return entries;
}

Task<void> SyncRequests::complete(PullPlan* plan) {
  for (;;) {
    const auto questions = plan->questions(kQuestionsAtOnce);
    if (questions.empty()) co_return ok();
    CO_TRY(auto* const open, co_await channel());
    CO_TRY_VOID(co_await open->run(send_all(&questions), take_all(&questions, plan), kAnswerLimit));
  }
}

Task<void> SyncRequests::send_request(SyncId id, SyncAnswerTo answer, std::string path) {
  CO_TRY(const Bytes request, encode_sync_request(id, path));
  channel_->expect(answer);
  co_return co_await channel_->write(request);
}

Task<void> SyncRequests::send_lstats(const std::vector<std::string>* paths) {
  Bytes batch;
  for (const std::string& path : *paths) {
    if (!channel_->window().may_send()) {
      CO_TRY_VOID(co_await channel_->write(std::exchange(batch, {})));
      CO_TRY_VOID(co_await channel_->wait_for_room());
    }
    CO_TRY(const Bytes request,
           encode_sync_request(has("stat_v2") ? SyncId::lstat_v2 : SyncId::stat, path));
    append(batch, request);
    channel_->expect(stat_answer());
    channel_->sent(request.size());
  }
  co_return co_await channel_->write(batch);
}

Task<void> SyncRequests::send_all(const std::vector<Question>* questions) {
  Bytes batch;
  const bool v2 = has("stat_v2");
  for (const Question& question : *questions) {
    const bool list = question.kind == Question::Kind::list;
    const SyncId id = list ? list_id() : v2 ? SyncId::stat_v2 : SyncId::stat;
    const std::string path = list || v2 ? question.remote : question.remote + "/";
    CO_TRY(const Bytes request, encode_sync_request(id, path));
    append(batch, request);
    channel_->expect(list ? list_answer() : stat_answer());
  }
  co_return co_await channel_->write(batch);
}

Task<void> SyncRequests::take_stat(SyncStat* into) {
  CO_TRY(const SyncResponse answer, co_await channel_->next());
  if (answer.kind == SyncResponse::Kind::fail) co_return fail(errc::refused, answer.text);
  *into = answer.stat;
  if (!has("stat_v2") && into->mode == 0) into->error = kNoEntry;
  co_return ok();
}

Task<void> SyncRequests::take_stats(std::vector<SyncStat>* into, std::size_t count) {
  while (into->size() < count) {
    CO_TRY_VOID(co_await take_stat(&into->emplace_back()));
    channel_->answered();
  }
  co_return ok();
}

Task<void> SyncRequests::take_list(OnEntry on_entry) {
  for (;;) {
    CO_TRY(SyncResponse answer, co_await channel_->next());
    if (answer.kind == SyncResponse::Kind::fail) co_return fail(errc::refused, answer.text);
    if (answer.last()) co_return ok();
    CO_TRY_VOID(on_entry({answer.stat, std::move(answer.text)}));
  }
}

Task<void> SyncRequests::take_all(const std::vector<Question>* questions, PullPlan* plan) {
  for (const Question& question : *questions) {
    if (question.kind == Question::Kind::stat) {
      SyncStat stat;
      CO_TRY_VOID(co_await take_stat(&stat));
      CO_TRY_VOID(plan->on_stat(has("stat_v2") ? stat : through_link(stat, {})));
      continue;
    }
    CO_TRY_VOID(co_await take_list([plan](const SyncEntry& each) { return plan->on_entry(each); }));
    plan->on_list_end();
  }
  co_return ok();
}

}  // namespace adbproto
