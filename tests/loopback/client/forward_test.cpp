#include "adbproto/client/forward.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "adbproto/client/server_client.hpp"
#include "adbproto/client/transport_connection.hpp"
#include "adbproto/wire/errc.hpp"
#include "base/async/signal.hpp"
#include "support/fake_device.hpp"
#include "support/fake_server.hpp"
#include "support/print_result.hpp"
#include "support/stream_io.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::chrono_literals;

namespace {

Task<void> run_echo(ByteStreamPtr stream) {
  Bytes chunk(64 * 1024);
  for (;;) {
    CO_TRY(const auto size, co_await stream->read_some(chunk));
    CO_TRY_VOID(co_await stream->write_all(ByteView(chunk).first(size)));
  }
}
Task<void> echo(ByteStreamPtr stream, const std::string&) { return run_echo(std::move(stream)); }

// Turns of the loop.
Task<void> until(const bool* holds) {
  while (!*holds) co_await sleep_for(0ms);
  co_return ok();
}

struct Answer {
  bool is_due = false;
  Signal* changed = nullptr;
};
// Reads a request of four bytes, answers when that is due, and stays.
Task<void> run_think(ByteStreamPtr stream, const Answer* answer) {
  CO_TRY_VOID(co_await read_exactly(stream.get(), 4));
  co_await wait_until(answer->changed, [answer] { return answer->is_due; });
  CO_TRY_VOID(co_await stream->write_all(as_bytes("answer")));
  Bytes rest(16);
  CO_TRY_VOID(co_await stream->read_some(rest));
  co_return ok();
}

Task<void> run_flood(ByteStreamPtr stream, std::size_t* written) {
  const Bytes chunk(64 * 1024);
  for (;;) {
    CO_TRY_VOID(co_await stream->write_all(chunk));
    *written += chunk.size();
  }
}

// A device on a direct route: somebody takes the streams it opens, and its link can go.
class DirectFake final : public Device {
 public:
  explicit DirectFake(Loop& loop) : inner_(loop, {}), lost_(loop.executor()) {}

  FakeDevice& services() { return inner_; }
  void lose(std::string) override { lost_.notify_all(); }
  std::function<void(std::unique_ptr<IncomingStream>)> take;

  Task<ByteStreamPtr> open(std::string service) override { return inner_.open(std::move(service)); }
  [[nodiscard]] const std::string& serial() const override { return inner_.serial(); }
  [[nodiscard]] const FeatureSet& features() const override { return inner_.features(); }
  [[nodiscard]] std::string_view route() const override { return "tcp"; }
  [[nodiscard]] std::size_t max_service_size() const override { return 1 << 20; }
  Result<void> on_incoming(std::function<void(std::unique_ptr<IncomingStream>)> taker) override {
    take = std::move(taker);
    return ok();
  }
  asio::awaitable<void> wait_lost() override { co_await lost_.wait(); }

 private:
  FakeDevice inner_;
  Signal lost_;
};

struct OfferedStream {
  enum class Fate { open, accepted, refused };
  Fate fate = Fate::open;
  ByteStreamPtr device_end;
};

class FakeIncoming final : public IncomingStream {
 public:
  FakeIncoming(Loop& loop, std::string service, std::shared_ptr<OfferedStream> offer)
      : service_(std::move(service)), offer_(std::move(offer)) {
    std::tie(host_end_, offer_->device_end) = make_memory_pair(loop.executor());
  }
  ~FakeIncoming() override {
    if (offer_->fate == OfferedStream::Fate::open) offer_->fate = OfferedStream::Fate::refused;
  }
  FakeIncoming(const FakeIncoming&) = delete;
  FakeIncoming& operator=(const FakeIncoming&) = delete;
  [[nodiscard]] const std::string& service() const override { return service_; }
  ByteStreamPtr accept() override {
    offer_->fate = OfferedStream::Fate::accepted;
    return std::move(host_end_);
  }
  void refuse() override { offer_->fate = OfferedStream::Fate::refused; }

 private:
  std::string service_;
  std::shared_ptr<OfferedStream> offer_;
  ByteStreamPtr host_end_;
};

// A forward of tcp:0 to `service`, and clients of it.
struct Rig {
  explicit Rig(FakeService service) {
    device.services().serve("tcp:80", std::move(service));
    auto listening = Forward::listen(loop.executor(), &device, "tcp:0", "tcp:80");
    REQUIRE(listening);
    forward = *std::move(listening);
    serving = loop.start(forward->serve());
  }
  ~Rig() {
    serving->cancel();
    loop.settle();
  }
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;
  ByteStreamPtr client() {
    auto stream = loop.run(connect_tcp("127.0.0.1", forward->port()));
    REQUIRE(stream);
    return *std::move(stream);
  }

  Loop loop;
  DirectFake device{loop};
  std::unique_ptr<Forward> forward;
  std::shared_ptr<Started<void>> serving;
};

}  // namespace

TEST_CASE("forward: bytes go both ways, on several connections at once", "[loopback]") {
  Rig rig(echo);
  CHECK(rig.forward->port() != 0);
  const auto first = rig.client();
  const auto second = rig.client();
  for (ByteStream* client : {first.get(), second.get(), first.get()}) {
    REQUIRE(rig.loop.run(client->write_all(as_bytes("hello"))));
    CHECK(rig.loop.run(read_text(client, 5)) == "hello");
  }
}

TEST_CASE("forward: megabytes pass unchanged in both directions", "[loopback]") {
  Rig rig(echo);
  const auto client = rig.client();
  const Bytes sent = noise(3'000'001);
  const auto writing = rig.loop.start(client->write_all(sent));
  const auto received = rig.loop.run(read_exactly(client.get(), sent.size()));
  REQUIRE(received);
  CHECK(*received == sent);
  CHECK(rig.loop.finish(writing));
}

TEST_CASE("forward: a client that has finished writing still gets the answer", "[loopback]") {
  Answer answer;
  Rig rig([&answer](ByteStreamPtr stream, const std::string&) {
    return run_think(std::move(stream), &answer);
  });
  Signal changed(rig.loop.executor());
  answer.changed = &changed;
  const auto client = rig.client();
  REQUIRE(rig.loop.run(client->write_all(as_bytes("ask?"))));
  finish_writing(client.get());
  rig.loop.settle();
  answer.is_due = true;
  changed.notify_all();
  CHECK(rig.loop.run(read_to_end(client.get())) == "answer");
}

TEST_CASE("forward: a client that is gone takes a silent service with it", "[loopback]") {
  bool ended = false;
  Rig rig([&ended](ByteStreamPtr stream, const std::string&) -> Task<void> {
    return [](ByteStreamPtr kept, bool* done) -> Task<void> {
      Bytes chunk(16);
      while (co_await kept->read_some(chunk)) {
      }
      *done = true;
      co_return ok();
    }(std::move(stream), &ended);
  });
  rig.client()->close();
  CHECK(rig.loop.run(with_deadline(until(&ended), 1min, "the end of the service")));
}

TEST_CASE("forward: the client reads what the device said before it closed, then the end",
          "[loopback]") {
  const std::string all(300'000, 'x');
  Rig rig(says(all));
  const auto client = rig.client();
  REQUIRE(rig.loop.run(client->write_all(as_bytes("unread"))));
  CHECK(rig.loop.run(read_to_end(client.get())) == all);
}

TEST_CASE("forward: a service that the device refuses ends the connection", "[loopback]") {
  Rig rig(echo);
  rig.device.services().fails("tcp:80", Error(errc::refused, "closed"));
  const auto client = rig.client();
  CHECK(rig.loop.run(read_to_end(client.get())) == "");
}

TEST_CASE("forward: a client that does not read holds up the device", "[loopback]") {
  std::size_t written = 0;
  Rig rig([&written](ByteStreamPtr stream, const std::string&) {
    return run_flood(std::move(stream), &written);
  });
  const auto client = rig.client();
  for (int i = 0; i < 200; ++i) rig.loop.settle();
  const std::size_t once = written;
  CHECK(once > 0);
  CHECK(once < (64u << 20));
  for (int i = 0; i < 50; ++i) rig.loop.settle();
  CHECK(written == once);
}

TEST_CASE("forward: sockets in the file system and the abstract namespace", "[loopback]") {
  Loop loop;
  DirectFake device(loop);
  device.services().serve("tcp:80", echo);
  const TempFolder folder;
  const std::string path = (folder.path() / "socket").string();
  const std::string name = "forward-test-" + std::to_string(::getpid());
  struct Row {
    std::string spec, path;
  };
  for (const Row& row : {Row{"localfilesystem:" + path, path},
                         Row{"localabstract:" + name, std::string(1, '\0') + name}}) {
    CAPTURE(row.spec);
    auto forward = Forward::listen(loop.executor(), &device, row.spec, "tcp:80");
    REQUIRE(forward);
    CHECK((*forward)->port() == 0);
    const auto serving = loop.start((*forward)->serve());
    const auto client = loop.run(connect_unix(row.path));
    REQUIRE(client);
    REQUIRE(loop.run((*client)->write_all(as_bytes("hi"))));
    CHECK(loop.run(read_text(client->get(), 2)) == "hi");
    serving->cancel();
    loop.settle();
  }
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("forward: it listens on this host alone, and not where somebody else does",
          "[loopback]") {
  Rig rig(echo);
  const auto listen = [&](const std::string& spec) {
    return Forward::listen(rig.loop.executor(), &rig.device, spec, "tcp:80");
  };
  CHECK(listen("tcp:0.0.0.0:0").error().code() == errc::invalid_argument);
  CHECK(listen("tcp:" + std::to_string(rig.forward->port())).error().code() == errc::io);
  CHECK(listen("nonsense").error().code() == errc::invalid_argument);
  const TempFolder folder;
  const std::string path = (folder.path() / "file").string();
  std::filesystem::create_directory(path);
  CHECK(listen("localfilesystem:" + path).error().code() == errc::io);
  CHECK(std::filesystem::is_directory(path));
}

TEST_CASE("forward: a socket file that somebody listens on stays his", "[loopback]") {
  Loop loop;
  DirectFake device(loop);
  const TempFolder folder;
  const std::string path = folder.file("socket");
  auto theirs = listen_unix(loop.executor(), path);
  REQUIRE(theirs);
  const auto listen = [&] {
    return Forward::listen(loop.executor(), &device, "localfilesystem:" + path, "tcp:80");
  };
  const auto refused = listen();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::io);
  CHECK(refused.error().message() == "Address already in use");
  CHECK(loop.run(connect_unix(path)));
  theirs->reset();
  CHECK(std::filesystem::exists(path));
  CHECK(listen());
}

TEST_CASE("forward: at its end it takes away its own socket file only", "[loopback]") {
  Loop loop;
  DirectFake device(loop);
  const TempFolder folder;
  const std::string path = folder.file("socket");
  auto forward = Forward::listen(loop.executor(), &device, "localfilesystem:" + path, "tcp:80");
  REQUIRE(forward);
  std::filesystem::remove(path);
  const auto theirs = listen_unix(loop.executor(), path);
  REQUIRE(theirs);
  forward->reset();
  CHECK(loop.run(connect_unix(path)));
}

TEST_CASE("forward: it ends with the device", "[loopback]") {
  Rig rig(echo);
  const auto client = rig.client();
  rig.loop.settle();
  rig.device.lose("unplugged");
  const auto ended = rig.loop.finish(rig.serving);
  REQUIRE_FALSE(ended);
  CHECK(ended.error().code() == errc::link_lost);
}

TEST_CASE("reverse: the device reaches the spec that was named, and nothing else", "[loopback]") {
  Loop loop;
  DirectFake device(loop);
  auto listener = listen_tcp(loop.executor(), "127.0.0.1", 0);
  REQUIRE(listener);
  const std::string spec = "tcp:" + std::to_string((*listener)->port());
  device.services().serve("reverse:forward:tcp:0;" + spec, says("OKAY000540000"));
  auto reverse = loop.run(Reverse::start(&device, "tcp:0", spec, Rebind::yes));
  REQUIRE(reverse);
  CHECK((*reverse)->port() == "40000");

  for (const std::string& other : {std::string("tcp:22"), std::string("tcp:127.0.0.1:22"),
                                   std::string("localabstract:x"), spec + "0", std::string()}) {
    CAPTURE(other);
    const auto offer = std::make_shared<OfferedStream>();
    device.take(std::make_unique<FakeIncoming>(loop, other, offer));
    loop.settle();
    CHECK(offer->fate == OfferedStream::Fate::refused);
  }

  const auto offer = std::make_shared<OfferedStream>();
  device.take(std::make_unique<FakeIncoming>(loop, spec, offer));
  auto accepted = loop.run((*listener)->accept());
  REQUIRE(accepted);
  REQUIRE(loop.run((*accepted)->write_all(as_bytes("from host"))));
  CHECK(loop.run(read_text(offer->device_end.get(), 9)) == "from host");
  CHECK(offer->fate == OfferedStream::Fate::accepted);
  REQUIRE(loop.run(offer->device_end->write_all(as_bytes("from device"))));
  CHECK(loop.run(read_text(accepted->get(), 11)) == "from device");

  reverse->reset();
  CHECK_FALSE(device.take);
  loop.settle();
}

TEST_CASE("reverse: stopped, it takes away at the device what it set up", "[loopback][F71]") {
  Loop loop;
  DirectFake device(loop);
  struct Row {
    const char* spec;
    const char* answer;
    const char* kill;
  };
  const auto row = GENERATE(values<Row>({
      {"tcp:0", "OKAY000540000", "reverse:killforward:tcp:40000"},
      {"localabstract:x", "OKAY", "reverse:killforward:localabstract:x"},
  }));
  device.services().serve("reverse:forward:", says(row.answer));
  device.services().serve("reverse:killforward:", says("OKAY"));
  const auto opened = device.services().opened();
  auto reverse = loop.run(Reverse::start(&device, row.spec, "tcp:6", Rebind::yes));
  REQUIRE(reverse);
  auto serving = loop.start((*reverse)->serve());
  loop.settle();
  CHECK_FALSE(serving->done());
  serving->cancel();
  loop.settle();
  REQUIRE(serving->done());
  CHECK(opened->back() == row.kill);
}

TEST_CASE("reverse: a spec without a listener is refused to the device", "[loopback]") {
  Loop loop;
  DirectFake device(loop);
  const TempFolder folder;
  const std::string spec = "localfilesystem:" + (folder.path() / "absent").string();
  device.services().serve("reverse:forward:", says("OKAY"));
  const auto reverse = loop.run(Reverse::start(&device, "tcp:5", spec, Rebind::yes));
  REQUIRE(reverse);
  CHECK((*reverse)->port().empty());
  const auto offer = std::make_shared<OfferedStream>();
  device.take(std::make_unique<FakeIncoming>(loop, spec, offer));
  loop.settle();
  CHECK(offer->fate == OfferedStream::Fate::refused);
}

TEST_CASE("reverse: the device's refusal keeps its text", "[loopback]") {
  Loop loop;
  DirectFake device(loop);
  device.services().serve("reverse:forward:norebind:",
                          says("FAIL001dcannot rebind existing socket"));
  const auto reverse = loop.run(Reverse::start(&device, "tcp:5", "tcp:6", Rebind::no));
  REQUIRE_FALSE(reverse);
  CHECK(reverse.error() == Error(errc::refused, "cannot rebind existing socket"));
  CHECK_FALSE(device.take);
}

TEST_CASE("reverse: through a server it is the server's affair", "[loopback]") {
  Loop loop;
  FakeDevice device(loop, {});
  const auto reverse = loop.run(Reverse::start(&device, "tcp:5", "tcp:6", Rebind::yes));
  REQUIRE_FALSE(reverse);
  CHECK(reverse.error().code() == errc::unsupported);
}

TEST_CASE("reverse: the answers of a device") {
  const auto parse = [](std::string_view text) { return parse_reverse_reply(as_bytes(text)); };
  CHECK(parse("OKAY") == "");
  CHECK(parse("OKAY000540000") == "40000");
  CHECK(parse("0018host-1 tcp:40000 tcp:5\nx").value() == "host-1 tcp:40000 tcp:5\nx");
  CHECK(parse("0000") == "");
  CHECK(parse("FAIL0004nope").error() == Error(errc::refused, "nope"));
  for (const std::string_view broken : {"", "OK", "OKAY0005", "FAIL", "FAIL0004no", "xyz!", "00"}) {
    CAPTURE(broken);
    CHECK(parse(broken).error().code() == errc::protocol);
  }
}

TEST_CASE("server forwards: the port comes when there is one, and a refusal in words",
          "[loopback]") {
  Loop loop;
  FakeServer server(loop);
  server.answers("host:forward:tcp:0;tcp:5", "OKAYOKAY000540001")
      .answers("host-serial:A:forward:norebind:tcp:7;tcp:5", "OKAYOKAY")
      .answers("host:killforward:tcp:7", FakeServer::refusal("listener 'tcp:7' not found"))
      .answers("host-usb:killforward-all", "FAIL0000");
  const auto pieces = GENERATE(std::size_t{1}, std::size_t{3}, std::size_t{4096});
  server.write_in_pieces_of(pieces);
  ServerClient client(server.address());
  CHECK(loop.run(client.change_forwards({}, forward("tcp:0", "tcp:5", Rebind::yes))) == "40001");
  CHECK(loop.run(client.change_forwards({.serial = "A"}, forward("tcp:7", "tcp:5", Rebind::no))) ==
        "");
  CHECK(loop.run(client.change_forwards({}, kill_forward("tcp:7"))).error() ==
        Error(errc::refused, "listener 'tcp:7' not found"));
  const auto ambiguous =
      loop.run(client.change_forwards({.reach = DeviceReach::usb}, "killforward-all"));
  CHECK(ambiguous.error().code() == errc::refused);
  CHECK_FALSE(ambiguous.error().message().empty());
}
