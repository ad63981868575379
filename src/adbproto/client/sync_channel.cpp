#include "adbproto/client/sync_channel.hpp"

#include <algorithm>
#include <asio/post.hpp>

namespace adbproto {
namespace {

constexpr std::size_t kReplySize = 256 * 1024;
constexpr std::size_t kProgressSize = 1 << 20;  // what counts as progress
constexpr int kLooksPerLimit = 8;

bool is_end_of_stream(const Error& error) {
  return error.code() == errc::closed || error.code() == errc::io;
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
  co_await breathe();  // a direct link's writer begins while our caller prepares what comes next
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
    // The acknowledgement goes before what is done with the data; through a server it is not ours.
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
  // The device may have said why before it closed: the receiver will hear it.
  if (side == Side::send && write_error_ && is_end_of_stream(done.error())) co_return;
  give_up(done.error());
}

asio::awaitable<void> SyncChannel::watch(std::chrono::milliseconds stall_limit) {
  std::uint64_t seen = moved_;
  Clock::time_point since = Clock::now();
  for (;;) {
    co_await sleep_for(
        std::max<Clock::duration>(stall_limit / kLooksPerLimit, std::chrono::milliseconds(1)));
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
  using namespace adbproto::parallel;
  is_running_ = true;
  co_await ((guard(std::move(send), Side::send) && guard(std::move(receive), Side::receive)) ||
            watch(stall_limit));
  is_running_ = false;
  if (error_) co_return std::unexpected(*error_);
  if (write_error_) co_return std::unexpected(*write_error_);
  co_return ok();
}

}  // namespace adbproto
