#include "adbproto/client/channel_stream.hpp"

#include <algorithm>

#include "adbproto/link/until.hpp"
#include "adbproto/wire/errc.hpp"

namespace adbproto {

Task<void> ChannelStream::wait_opened() {
  const ChannelPtr channel = channel_;
  const auto is_answered = [&] { return channel->opened || channel->refused || channel->ended; };
  if (!co_await wait_until(&channel->changed, is_answered)) {
    co_return fail(errc::cancelled, "cancelled");
  }
  // Opened, answered and ended within one read is an opened stream.
  if (channel->refused) co_return fail(errc::refused, "device refused the service");
  if (!channel->opened) co_return std::unexpected(end_error());
  co_return ok();
}

Task<std::size_t> ChannelStream::read_some(std::span<std::byte> into) {
  const ChannelPtr channel = channel_;
  const auto has_more = [&] { return !channel->inbox.empty() || channel->ended; };
  if (!co_await wait_until(&channel->changed, has_more)) {
    co_return fail(errc::cancelled, "cancelled");
  }
  if (channel->inbox.empty()) co_return std::unexpected(end_error());
  const std::size_t size = channel->inbox.take(into);
  StreamActions actions;
  core_->table->consumed(id_, size, actions);
  core_->apply(actions);
  co_return size;
}

asio::awaitable<void> ChannelStream::wait_writable() {
  const ChannelPtr channel = channel_;
  while (!channel->ended && !core_->may_write(id_)) {
    if (core_->table->may_write(id_)) {
      co_await core_->outbox_drained.wait();
    } else {
      co_await channel->changed.wait();
    }
  }
}

Task<void> ChannelStream::write_all(ByteView bytes) {
  const ChannelPtr channel = channel_;
  while (!bytes.empty()) {
    if (!core_->may_write(id_)) co_await wait_writable();
    if (channel->ended) co_return std::unexpected(end_error());
    const std::size_t most = core_->shaken.agreement.max_payload;
    const ByteView part = bytes.first(std::min(bytes.size(), most));
    StreamActions actions;
    core_->table->write(id_, core_->outbox.copy(part), actions);
    core_->apply(actions);
    bytes = bytes.subspan(part.size());
  }
  co_return ok();
}

void ChannelStream::close() {
  if (core_->channels.erase(id_) == 0) return;
  channel_->ended = true;
  channel_->inbox.clear();
  channel_->changed.notify_all();
  StreamActions actions;
  core_->table->close(id_, actions);
  core_->apply(actions);
}

Error ChannelStream::end_error() const {
  if (channel_->lost) return {errc::link_lost, core_->end_reason->message()};
  return {errc::closed, "end of stream"};
}

ByteStreamPtr OfferedStream::accept() {
  auto stream = std::make_unique<ChannelStream>(core_, id_, core_->add_channel(id_));
  answer(&StreamTable::accept);
  return stream;
}

void OfferedStream::refuse() { answer(&StreamTable::refuse); }

void OfferedStream::answer(void (StreamTable::*verb)(LocalId, StreamActions&)) {
  if (std::exchange(answered_, true)) return;
  StreamActions actions;
  ((*core_->table).*verb)(id_, actions);
  core_->apply(actions);
}

}  // namespace adbproto
