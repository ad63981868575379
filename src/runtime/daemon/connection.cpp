#include "runtime/daemon/connection.hpp"

namespace clawperator::daemon {
namespace {

// A command may be writing into a slow file system, or into a pipe whose reader pauses for 30 s.
constexpr auto kSaveLimit = std::chrono::seconds(60);

}  // namespace

Task<Frame> read_frame(ByteStream* stream, FrameReader* frames) {
  std::array<std::byte, 65536> chunk;
  for (;;) {
    CO_TRY(auto frame, frames->next());
    if (frame) co_return *std::move(frame);
    CO_TRY(const std::size_t size, co_await stream->read_some(chunk));
    frames->feed(ByteView(chunk).first(size));
  }
}

void Connection::give_up() {
  broken_ = true;
  stream_->close();
  changed_.notify_all();
}

void Connection::send(FrameKind kind, std::string_view payload) {
  if (broken_) return;
  begun_ = begun_ || kind == FrameKind::begun;
  unsent_.push_back(encode_frame(kind, payload));
  unsent_bytes_ += unsent_.back().size();
  memory_.count(unsent_bytes_);
  const bool is_outcome = kind == FrameKind::picture || kind == FrameKind::result;
  if (unsent_bytes_ > kMaxUnsent && !is_outcome && unsent_.size() > 1) return give_up();
  changed_.notify_all();
}

Task<void> Connection::flush() {
  while (!unsent_.empty() && !broken_) co_await changed_.wait();
  if (broken_) co_return fail(errc::closed, "the command has disconnected");
  co_return ok();
}

asio::awaitable<void> Connection::write() {
  while (!broken_) {
    if (unsent_.empty()) {
      if (finishing_) co_return;
      co_await changed_.wait();
      continue;
    }
    const auto written = co_await stream_->write_all(as_bytes(unsent_.front()));
    if (!written) co_return give_up();
    unsent_bytes_ -= unsent_.front().size();
    memory_.count(unsent_bytes_);
    unsent_.pop_front();
    changed_.notify_all();
  }
}

void Connection::finish() {
  finishing_ = true;
  changed_.notify_all();
}

asio::awaitable<void> Connection::read_until_cancel() {
  for (;;) {
    auto frame = co_await read_frame(stream_, frames_);
    if (!frame || frame->kind != FrameKind::saved) co_return;
    saved_ = std::move(frame->payload);
    changed_.notify_all();
  }
}

namespace {

Task<void> await_reply(std::optional<std::string>* reply, adbproto::Signal* changed) {
  while (!*reply) co_await changed->wait();
  co_return ok();
}

}  // namespace

// One after the other: a run saves its pictures in turn.
Task<void> Connection::save(std::filesystem::path path, std::string_view bytes) {
  saved_.reset();
  std::string file = path.string();
  file.push_back('\0');
  send(FrameKind::save, file.append(bytes));
  CO_TRY_VOID(co_await with_deadline(await_reply(&saved_, &changed_), kSaveLimit,
                                     "writing " + path.string()));
  if (!saved_->empty()) co_return fail(errc::io, *saved_);
  co_return ok();
}

}  // namespace clawperator::daemon
