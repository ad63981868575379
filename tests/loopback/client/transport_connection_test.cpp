#include "adbproto/client/transport_connection.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "base/async/scope.hpp"
#include "base/async/signal.hpp"
#include "simdroid/memory_stream.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/scripted_device.hpp"
#include "support/stream_io.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace base::parallel;
using namespace std::chrono_literals;
using namespace std::string_view_literals;

namespace {

using ConnectionPtr = std::unique_ptr<TransportConnection>;

asio::awaitable<void> echo(ByteStreamPtr stream) {
  Bytes buffer(100'000);
  for (;;) {
    const auto size = co_await stream->read_some(buffer);
    if (!size || !co_await stream->write_all(ByteView(buffer).first(*size))) co_return;
  }
}

// Serves "echo:", refuses the rest.
TransportOptions device_options(Scope* scope, FlowControl flow = FlowControl::classic) {
  TransportOptions options;
  options.role = Role::device;
  options.banner = banner("device", flow);
  options.on_incoming = [scope](std::unique_ptr<IncomingStream> incoming) {
    if (incoming->service() == "echo:") scope->spawn(echo(incoming->accept()));
  };
  return options;
}

struct Ends {
  ConnectionPtr host;
  ConnectionPtr device;
};

Task<Ends> join(ByteStreamPtr host_link, TransportOptions host, ByteStreamPtr device_link,
                TransportOptions device) {
  auto [ours, theirs] =
      co_await (TransportConnection::establish(std::move(host_link), std::move(host)) &&
                TransportConnection::establish(std::move(device_link), std::move(device)));
  if (!ours) co_return std::unexpected(ours.error());
  if (!theirs) co_return std::unexpected(theirs.error());
  co_return Ends{*std::move(ours), *std::move(theirs)};
}

Ends connect(Loop& loop, TransportOptions host, TransportOptions device) {
  auto [ours, theirs] = make_memory_pair(loop.executor());
  auto ends =
      loop.run(join(std::move(ours), std::move(host), std::move(theirs), std::move(device)));
  REQUIRE(ends);
  return *std::move(ends);
}

Task<Bytes> send_and_read(ByteStreamPtr stream, Bytes bytes) {
  auto [sent, read] =
      co_await (stream->write_all(bytes) && read_exactly(stream.get(), bytes.size()));
  if (!sent) co_return std::unexpected(sent.error());
  co_return read;
}

Task<Bytes> echo_on_new_stream(TransportConnection* host, Bytes bytes) {
  CO_TRY(auto stream, co_await host->open("echo:"));
  co_return co_await send_and_read(std::move(stream), std::move(bytes));
}

}  // namespace

TEST_CASE("connection: five megabytes come back unchanged under both flow controls", "[loopback]") {
  const auto flow = GENERATE(FlowControl::classic, FlowControl::delayed_ack);
  Loop loop;
  Scope scope(loop.executor());
  Ends ends = connect(loop, host_options(flow), device_options(&scope, flow));
  CHECK(ends.host->agreement().flow_control == flow);
  CHECK(ends.device->agreement().flow_control == flow);
  const Bytes bytes = noise(5'000'000);
  const auto back = loop.run(echo_on_new_stream(ends.host.get(), bytes));
  REQUIRE(back);
  CHECK((*back == bytes));
}

TEST_CASE("connection: delayed_ack needs both sides", "[loopback]") {
  Loop loop;
  Scope scope(loop.executor());
  Ends ends = connect(loop, host_options(FlowControl::delayed_ack), device_options(&scope));
  CHECK(ends.host->agreement().flow_control == FlowControl::classic);
  CHECK(ends.device->agreement().flow_control == FlowControl::classic);
  CHECK(loop.run(echo_on_new_stream(ends.host.get(), to_bytes("x"))) == to_bytes("x"));
}

TEST_CASE("connection: the smaller payload limit binds both sides", "[loopback]") {
  Loop loop;
  Scope scope(loop.executor());
  TransportOptions device = device_options(&scope);
  device.max_payload = 4096;
  Ends ends = connect(loop, host_options(), device);
  CHECK(ends.host->agreement().max_payload == 4096);
  CHECK(ends.device->agreement().max_payload == 4096);
  const Bytes bytes = noise(50'000);
  CHECK(loop.run(echo_on_new_stream(ends.host.get(), bytes)) == bytes);
}

TEST_CASE("connection: 64 streams at once do not mix", "[loopback]") {
  const auto flow = GENERATE(FlowControl::classic, FlowControl::delayed_ack);
  Loop loop;
  Scope scope(loop.executor());
  Ends ends = connect(loop, host_options(flow), device_options(&scope, flow));
  std::vector<std::shared_ptr<Started<Bytes>>> echoes;
  echoes.reserve(64);
  for (std::uint32_t i = 0; i < 64; ++i) {
    echoes.push_back(loop.start(echo_on_new_stream(ends.host.get(), noise(30'000 + i, i))));
  }
  for (std::uint32_t i = 0; i < 64; ++i) {
    INFO("stream " << i);
    CHECK((loop.finish(echoes[i]) == noise(30'000 + i, i)));
  }
}

TEST_CASE("connection: the device may open streams too", "[loopback]") {
  Loop loop;
  Scope scope(loop.executor());
  TransportOptions host = host_options();
  host.on_incoming = [&](std::unique_ptr<IncomingStream> incoming) {
    scope.spawn(echo(incoming->accept()));
  };
  Ends ends = connect(loop, host, device_options(&scope));
  CHECK(loop.run(echo_on_new_stream(ends.device.get(), to_bytes("hi"))) == to_bytes("hi"));
}

TEST_CASE("connection: an unknown service is refused and the connection lives", "[loopback]") {
  Loop loop;
  Scope scope(loop.executor());
  Ends ends = connect(loop, host_options(), device_options(&scope));
  const auto refused = loop.run(ends.host->open("none:"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::refused);
  CHECK(loop.run(echo_on_new_stream(ends.host.get(), to_bytes("x"))) == to_bytes("x"));
}

TEST_CASE("connection: when the link ends every stream ends with link_lost", "[loopback]") {
  Loop loop;
  Scope scope(loop.executor());
  Ends ends = connect(loop, host_options(), device_options(&scope));
  auto first = loop.run(ends.host->open("echo:"));
  auto second = loop.run(ends.host->open("echo:"));
  REQUIRE(first);
  REQUIRE(second);
  Bytes buffer(16);
  auto read_first = loop.start((*first)->read_some(buffer));
  Bytes other(16);
  auto read_second = loop.start((*second)->read_some(other));
  loop.settle();
  ends.device->close();
  for (auto& read : {read_first, read_second}) {
    const auto end = loop.finish(read);
    REQUIRE_FALSE(end);
    CHECK(end.error().code() == errc::link_lost);
  }
  CHECK(ends.host->is_closed());
  const auto write = loop.run((*first)->write_all(as_bytes("x")));
  REQUIRE_FALSE(write);
  CHECK(write.error().code() == errc::link_lost);
  const auto open = loop.run(ends.host->open("echo:"));
  REQUIRE_FALSE(open);
  CHECK(open.error().code() == errc::link_lost);
}

TEST_CASE("connection: a writer that waits for credit ends with the link", "[loopback]") {
  Loop loop;
  Scope scope(loop.executor());
  TransportOptions device = device_options(&scope);
  ByteStreamPtr kept;
  device.on_incoming = [&](std::unique_ptr<IncomingStream> incoming) { kept = incoming->accept(); };
  device.receive_window = 1;
  Ends ends = connect(loop, host_options(), device);
  auto stream = loop.run(ends.host->open("sink:"));
  REQUIRE(stream);
  const Bytes bytes(100);
  REQUIRE(loop.run((*stream)->write_all(bytes)));
  auto write = loop.start((*stream)->write_all(bytes));
  loop.settle();
  CHECK_FALSE(write->done());
  ends.device->close();
  const auto end = loop.finish(write);
  REQUIRE_FALSE(end);
  CHECK(end.error().code() == errc::link_lost);
}

TEST_CASE("connection: closing a stream ends its pending read and closes the peer's side",
          "[loopback]") {
  Loop loop;
  Scope scope(loop.executor());
  TransportOptions device = device_options(&scope);
  ByteStreamPtr theirs;
  device.on_incoming = [&](std::unique_ptr<IncomingStream> incoming) {
    theirs = incoming->accept();
  };
  Ends ends = connect(loop, host_options(), device);
  auto ours = loop.run(ends.host->open("x:"));
  REQUIRE(ours);
  Bytes buffer(4);
  auto read = loop.start((*ours)->read_some(buffer));
  loop.settle();
  (*ours)->close();
  const auto end = loop.finish(read);
  REQUIRE_FALSE(end);
  CHECK(end.error().code() == errc::closed);
  CHECK(loop.run(read_to_end(theirs.get())) == "");
}

namespace {

// Takes the handshake's bytes at once, then only as many as allow() grants.
class SlowLink final : public ByteStream {
 public:
  SlowLink(ByteStreamPtr inner, const asio::any_io_executor& executor)
      : inner_(std::move(inner)), allowed_(executor) {}
  Task<std::size_t> read_some(std::span<std::byte> into) override {
    return inner_->read_some(into);
  }
  Task<void> write_all(ByteView bytes) override {
    while (!bytes.empty()) {
      while (budget_ == 0 && !closed_) co_await allowed_.wait();
      if (closed_) co_return fail(errc::closed, "closed");
      const auto part = bytes.first(std::min(budget_, bytes.size()));
      budget_ -= part.size();
      CO_TRY_VOID(co_await inner_->write_all(part));
      bytes = bytes.subspan(part.size());
    }
    co_return ok();
  }
  [[nodiscard]] std::uint64_t sent() override { return inner_->sent(); }
  void close() override {
    closed_ = true;
    allowed_.notify_all();
    inner_->close();
  }
  void allow(std::size_t bytes) {
    budget_ = bytes;
    allowed_.notify_all();
  }

 private:
  ByteStreamPtr inner_;
  std::size_t budget_ = 4096;
  bool closed_ = false;
  Signal allowed_;
};

}  // namespace

TEST_CASE("connection: a link that takes no data for five seconds is dead", "[loopback]") {
  ManualTime time;
  Loop loop;
  Scope scope(loop.executor());
  auto [ours, theirs] = make_memory_pair(loop.executor());
  auto slow = std::make_unique<SlowLink>(std::move(ours), loop.executor());
  SlowLink* const link = slow.get();
  auto ends =
      loop.run(join(std::move(slow), host_options(), std::move(theirs), device_options(&scope)));
  REQUIRE(ends);
  auto stream = loop.run(ends->host->open("echo:"));
  REQUIRE(stream);
  link->allow(0);
  const Bytes bytes(3'000'000);
  const auto begin = time.elapsed();
  const auto write = time.run(loop, (*stream)->write_all(bytes));
  REQUIRE_FALSE(write);
  CHECK(write.error() == Error(errc::link_lost, "the link accepts no data"));
  CHECK(time.elapsed() - begin > 5s);
  CHECK(time.elapsed() - begin <= 7s);
}

TEST_CASE("connection: a slow link that makes progress stays alive", "[loopback]") {
  ManualTime time;
  Loop loop;
  Scope scope(loop.executor());
  auto [ours, theirs] = make_memory_pair(loop.executor());
  auto slow = std::make_unique<SlowLink>(std::move(ours), loop.executor());
  SlowLink* const link = slow.get();
  auto ends =
      loop.run(join(std::move(slow), host_options(), std::move(theirs), device_options(&scope)));
  REQUIRE(ends);
  auto stream = loop.run(ends->host->open("echo:"));
  REQUIRE(stream);
  const Bytes bytes = noise(400'000);
  auto echoed = loop.start(send_and_read(*std::move(stream), bytes));
  // 10 kB a second: 40 s for the whole.
  for (int second = 0; second < 60 && !echoed->done(); ++second) {
    link->allow(10'000);
    time.advance(loop, 1s);
  }
  REQUIRE(echoed->done());
  const auto back = echoed->result();
  REQUIRE(back);
  CHECK((*back == bytes));
}

namespace {

// A device that accepts everything and keeps it.
TransportOptions keeping_device(std::vector<ByteStreamPtr>* streams) {
  TransportOptions options;
  options.role = Role::device;
  options.banner = banner("device", FlowControl::classic);
  options.on_incoming = [streams](std::unique_ptr<IncomingStream> incoming) {
    streams->push_back(incoming->accept());
  };
  return options;
}

// How a read ends.
Error end_of(Loop& loop, ByteStream* stream) {
  Bytes buffer(16);
  const auto size = loop.run(stream->read_some(buffer));
  REQUIRE_FALSE(size);
  return size.error();
}

}  // namespace

TEST_CASE("connection: a host that goes closes its streams at the device first",
          "[loopback][F20]") {
  Loop loop;
  std::vector<ByteStreamPtr> at_device;
  Ends ends = connect(loop, host_options(), keeping_device(&at_device));
  auto opened = loop.run(ends.host->open("shell:screenrecord -"));
  REQUIRE(opened);
  REQUIRE(at_device.size() == 1);
  ends.host.reset();
  CHECK(end_of(loop, at_device[0].get()) == Error(errc::closed, "end of stream"));
  // For us it has ended with the link, whose other end hears of that, too.
  CHECK(end_of(loop, opened->get()).code() == errc::link_lost);
  loop.settle();
  CHECK(ends.device->is_closed());
}

TEST_CASE("connection: what a host wrote last gets out before it goes", "[loopback][F20]") {
  Loop loop;
  std::vector<ByteStreamPtr> at_device;
  Ends ends = connect(loop, host_options(), keeping_device(&at_device));
  auto opened = loop.run(ends.host->open("x:"));
  REQUIRE(opened);
  REQUIRE(loop.run((*opened)->write_all(as_bytes("last words"))));
  ends.host->close();
  CHECK(loop.run(read_exactly(at_device[0].get(), 10)) == to_bytes("last words"));
}

TEST_CASE("connection: a stream that was still opening is closed when the device accepts it",
          "[loopback][F20]") {
  Loop loop;
  std::unique_ptr<IncomingStream> offered;
  TransportOptions device = device_options(nullptr);
  device.on_incoming = [&](std::unique_ptr<IncomingStream> incoming) {
    offered = std::move(incoming);
  };
  Ends ends = connect(loop, host_options(), device);
  auto opening = loop.start(ends.host->open("shell:sleep 1000"));
  loop.settle();
  REQUIRE(offered);
  ends.host.reset();
  CHECK(loop.finish(opening).error().code() == errc::link_lost);
  loop.settle();
  CHECK_FALSE(ends.device->is_closed());
  const auto accepted = offered->accept();
  CHECK(end_of(loop, accepted.get()) == Error(errc::closed, "end of stream"));
  loop.settle();
  CHECK(ends.device->is_closed());
}

TEST_CASE("connection: a farewell that the link does not take is given up", "[loopback][F20]") {
  ManualTime time;
  Loop loop;
  auto [ours, theirs] = make_memory_pair(loop.executor(), 4096);
  auto establishing = loop.start(TransportConnection::establish(std::move(ours), host_options()));
  REQUIRE(loop.run(theirs->write_all(encode_packet(device_connect(), ChecksumRule::sum))));
  auto host = loop.finish(establishing);
  REQUIRE(host);
  // No client reads the other end any more.
  auto opening = loop.start((*host)->open("x:" + std::string(8000, 'x')));
  loop.settle();
  host->reset();
  CHECK(loop.finish(opening).error().code() == errc::link_lost);
  const auto is_over = [&] {
    auto written = loop.start(theirs->write_all(as_bytes("?")));
    loop.settle();
    return written->done() && !written->result();
  };
  time.advance(loop, 299ms);
  CHECK_FALSE(is_over());
  time.advance(loop, 1ms);
  CHECK(is_over());
}
