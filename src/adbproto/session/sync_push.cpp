#include "adbproto/session/sync_push.hpp"

#include "adbproto/wire/sync.hpp"

namespace adbproto {
namespace {

constexpr std::size_t kWriteSize = 64 * 1024;

}  // namespace

Result<void> PushRequests::begin(std::uint32_t flags) {
  const PushItem& item = items_[sent_];
  TRY(const Bytes request, dialect_.v2 ? encode_sync_send_v2(item.remote, item.mode, flags)
                                       : encode_sync_send(item.remote, item.mode));
  append(batch_, request);
  ++sent_;
  return ok();
}

Result<void> PushRequests::send_whole(ByteView content) {
  const PushItem& item = items_[sent_];
  TRY_VOID(begin(dialect_.flags));
  if (!content.empty()) append(batch_, encode_sync_data(content));
  append(batch_, encode_sync_done(static_cast<std::uint32_t>(item.mtime)));
  return ok();
}

Result<void> PushRequests::begin_large() { return begin(dialect_.flags | dialect_.large_flags); }

void PushRequests::end_large(const PushItem& item) {
  append(batch_, encode_sync_done(static_cast<std::uint32_t>(item.mtime)));
}

bool PushRequests::is_worth_a_write() const { return batch_.size() >= kWriteSize; }

Bytes PushRequests::take() { return std::exchange(batch_, {}); }

Result<void> PushRequests::on_answer(const SyncResponse& answer) {
  if (answer.kind == SyncResponse::Kind::fail) {
    const PushItem& item = items_[answered_];
    return fail(errc::refused, "failed to copy '" + item.local + "' to '" + item.remote +
                                   "': remote " + answer.text);
  }
  if (answered_ == sent_) {
    return fail(errc::protocol, "the device acknowledged a file before it was sent");
  }
  ++answered_;
  return ok();
}

}  // namespace adbproto
