#include "simdroid/ffs/function.hpp"

#include <fcntl.h>
#include <linux/usb/functionfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <optional>
#include <span>

#include "adbproto/wire/packet.hpp"
#include "base/async/scope.hpp"
#include "base/async/signal.hpp"
#include "base/byte_queue.hpp"
#include "simdroid/ffs/descriptors.hpp"
#include "simdroid/ffs/kernel_aio.hpp"
#include "simdroid/ffs/transfers.hpp"

namespace simdroid {
namespace {

constexpr std::size_t kMaxUnread = 256 * 1024;

Result<int> open_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return fail(errc::io, path + ": " + std::strerror(errno));
  return file;
}

Result<void> write_block(int file, const Bytes& block) {
  if (::write(file, block.data(), block.size()) == static_cast<ssize_t>(block.size())) return ok();
  return fail(errc::io, std::string("FunctionFS refuses the descriptors: ") + std::strerror(errno));
}

// The phone's data of one host: filled by Parts, drained by the link.
struct Conversation {
  explicit Conversation(const asio::any_io_executor& executor) : changed(executor) {}
  void end() {
    over = true;
    changed.notify_all();
  }
  adbproto::ByteQueue bytes;
  bool over = false;
  Signal changed;
};
using ConversationPtr = std::shared_ptr<Conversation>;

}  // namespace

class Function::Parts : public std::enable_shared_from_this<Parts> {
 public:
  Parts(const asio::any_io_executor& executor, Misbehaviour misbehaviour,
        std::unique_ptr<KernelAio> aio)
      : misbehaviour_(misbehaviour),
        aio_(std::move(aio)),
        ep0_(executor),
        changed_(executor),
        tasks_(executor) {}
  ~Parts() { close(Error(errc::closed, "closed")); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  Result<void> open(const std::string& directory);
  void start();
  Task<ByteStreamPtr> accept();
  asio::awaitable<void> stop();

  Task<void> send(ConversationPtr conversation, Bytes transfer);

 private:
  asio::awaitable<void> watch_events();
  void on_event(const usb_functionfs_event& event);
  asio::awaitable<void> receive();
  Task<void> take(Bytes transfer);
  void begin();
  void end_conversation();
  void misbehave();
  void close(Error reason);

  Misbehaviour misbehaviour_;
  std::unique_ptr<KernelAio> aio_;
  asio::posix::stream_descriptor ep0_;
  int ep1_ = -1;
  int ep2_ = -1;
  bool enabled_ = false;
  std::size_t transfers_ = 0;
  HostTransfers host_;
  ConversationPtr current_;
  std::deque<ConversationPtr> unaccepted_;
  std::optional<Error> closed_;
  Signal changed_;  // enabled_, unaccepted_, closed_
  adbproto::Scope tasks_;
};

class FunctionLink final : public adbproto::ByteStream {
 public:
  FunctionLink(std::shared_ptr<Function::Parts> parts, ConversationPtr conversation)
      : parts_(std::move(parts)), conversation_(std::move(conversation)) {}
  ~FunctionLink() override { FunctionLink::close(); }
  FunctionLink(const FunctionLink&) = delete;
  FunctionLink& operator=(const FunctionLink&) = delete;

  Task<std::size_t> read_some(std::span<std::byte> into) override {
    const ConversationPtr from = conversation_;
    while (from->bytes.empty() && !from->over) co_await from->changed.wait();
    if (from->bytes.empty()) co_return fail(errc::closed, "the host is gone");
    const std::size_t size = std::min(into.size(), from->bytes.size());
    std::ranges::copy(from->bytes.view().first(size), into.begin());
    from->bytes.consume(size);
    from->changed.notify_all();
    co_return size;
  }

  // Requires whole packets.
  Task<void> write_all(ByteView bytes) override {
    for (const ByteView transfer : phone_transfers(bytes)) {
      CO_TRY_VOID(co_await parts_->send(conversation_, Bytes(transfer.begin(), transfer.end())));
    }
    co_return ok();
  }

  void close() override { conversation_->end(); }

 private:
  std::shared_ptr<Function::Parts> parts_;
  ConversationPtr conversation_;
};

Result<void> Function::Parts::open(const std::string& directory) {
  TRY(const int ep0, open_file(directory + "/ep0"));
  ep0_.assign(ep0);
  TRY_VOID(write_block(ep0, adb_descriptors()));
  TRY_VOID(write_block(ep0, adb_strings()));
  TRY(ep1_, open_file(directory + "/ep1"));
  TRY(ep2_, open_file(directory + "/ep2"));
  return ok();
}

void Function::Parts::start() {
  tasks_.spawn(aio_->run());
  tasks_.spawn(watch_events());
  tasks_.spawn(receive());
}

asio::awaitable<void> Function::Parts::watch_events() {
  while (!closed_) {
    const auto [error] =
        co_await ep0_.async_wait(asio::posix::stream_descriptor::wait_read, kNoThrow);
    if (error) co_return;
    usb_functionfs_event event{};
    while (!closed_ && ::read(ep0_.native_handle(), &event, sizeof event) == sizeof event)
      on_event(event);
  }
}

void Function::Parts::on_event(const usb_functionfs_event& event) {
  switch (event.type) {
    case FUNCTIONFS_ENABLE:
      enabled_ = true;
      host_ = {};
      changed_.notify_all();
      break;
    case FUNCTIONFS_DISABLE:
    case FUNCTIONFS_UNBIND:
      enabled_ = false;
      end_conversation();
      break;
    case FUNCTIONFS_SETUP: {  // no request is known here; moving data the wrong way stalls it
      const bool to_host = (event.u.setup.bRequestType & USB_DIR_IN) != 0;
      [[maybe_unused]] const ssize_t stalled = to_host ? ::read(ep0_.native_handle(), nullptr, 0)
                                                       : ::write(ep0_.native_handle(), nullptr, 0);
      break;
    }
    default: break;
  }
}

asio::awaitable<void> Function::Parts::receive() {
  constexpr auto kAgain = std::chrono::milliseconds(10);
  while (!closed_) {
    while (!enabled_ && !closed_) co_await changed_.wait();
    auto transfer = co_await aio_->read(ep1_, kFfsTransfer);
    if (closed_) co_return;
    if (!transfer) {
      end_conversation();
      co_await sleep_for(kAgain);  // the event that explains it may be on its way
      continue;
    }
    misbehave();
    if (closed_) co_return;
    const auto taken = co_await take(*std::move(transfer));
    if (!taken) co_return close(taken.error());
  }
}

Task<void> Function::Parts::take(Bytes transfer) {
  CO_TRY(const HostTransfers::Part part, host_.take(transfer));
  if (part == HostTransfers::Part::nothing) co_return ok();
  if (part == HostTransfers::Part::begin) begin();
  if (!current_) co_return ok();  // left over from a host that is gone
  const ConversationPtr to = current_;
  while (to->bytes.size() > kMaxUnread && !to->over) co_await to->changed.wait();
  to->bytes.append(transfer);
  to->changed.notify_all();
  co_return ok();
}

void Function::Parts::begin() {
  end_conversation();
  current_ = std::make_shared<Conversation>(ep0_.get_executor());
  unaccepted_.push_back(current_);
  changed_.notify_all();
}

void Function::Parts::end_conversation() {
  if (current_) current_->end();
  current_.reset();
}

Task<ByteStreamPtr> Function::Parts::accept() {
  while (unaccepted_.empty() && !closed_) co_await changed_.wait();
  if (closed_) co_return std::unexpected(*closed_);
  const ConversationPtr next = std::move(unaccepted_.front());
  unaccepted_.pop_front();
  for (std::size_t i = 0; i < misbehaviour_.stale; ++i) {
    const adbproto::Packet old{adbproto::Command::close, 77, 88, {}};
    CO_TRY_VOID(co_await send(next, encode_packet(old, adbproto::ChecksumRule::zero)));
  }
  co_return std::make_unique<FunctionLink>(shared_from_this(), next);
}

Task<void> Function::Parts::send(ConversationPtr conversation, Bytes transfer) {
  if (conversation->over) co_return fail(errc::closed, "the host is gone");
  misbehave();
  if (closed_) co_return std::unexpected(*closed_);
  co_return co_await aio_->write(ep2_, std::move(transfer));
}

void Function::Parts::misbehave() {
  ++transfers_;
  if (transfers_ == misbehaviour_.vanish_after) close(Error(errc::closed, "vanished on purpose"));
  if (transfers_ == misbehaviour_.stall_after) {
    std::byte none{};
    // Reading where one writes halts the endpoint.
    [[maybe_unused]] const ssize_t halted = ::read(ep2_, &none, sizeof none);
  }
}

void Function::Parts::close(Error reason) {
  if (closed_) return;
  closed_ = std::move(reason);
  end_conversation();
  aio_->close();
  asio::error_code ignored;
  ep0_.close(ignored);
  for (const int file : {ep1_, ep2_}) {
    if (file >= 0) ::close(file);
  }
  changed_.notify_all();
}

asio::awaitable<void> Function::Parts::stop() {
  close(Error(errc::closed, "unplugged"));
  tasks_.cancel();
  co_await tasks_.join();
}

Function::Function(std::shared_ptr<Parts> parts) : parts_(std::move(parts)) {}
Function::~Function() = default;

Result<std::unique_ptr<Function>> Function::open(const asio::any_io_executor& executor,
                                                 const std::string& directory,
                                                 Misbehaviour misbehaviour) {
  TRY(auto aio, KernelAio::start(executor));
  auto parts = std::make_shared<Parts>(executor, misbehaviour, std::move(aio));
  TRY_VOID(parts->open(directory));
  parts->start();
  return std::unique_ptr<Function>(new Function(std::move(parts)));
}

Task<ByteStreamPtr> Function::accept() { co_return co_await parts_->accept(); }

asio::awaitable<void> Function::stop() { co_await parts_->stop(); }

}  // namespace simdroid
