// A host that has to prove who it is, against the simulated phone and against scripts.

#include <catch2/catch.hpp>

#include "adbproto/client/direct_client.hpp"
#include "adbproto/client/shell.hpp"
#include "adbproto/link/tls_stream.hpp"
#include "adbproto/wire/errc.hpp"
#include "simdroid/device/phone.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/scripted_device.hpp"
#include "support/sim_phone.hpp"
#include "support/stream_io.hpp"
#include "support/test_keys.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::chrono_literals;

namespace {

using DevicePtr = std::unique_ptr<Device>;
using States = std::vector<LinkState>;

const RsaKey& other_key() {
  static const RsaKey kMade = *RsaKey::generate();
  return kMade;
}

KeyRing known_ring() {
  return {.keys = {*RsaKey::from_pem(kKeyPem)}, .comment = "me@here", .files = {"/home/adbkey"}};
}

std::string known_text() { return std::string(kKeyPublicBase64) + " me@here"; }

DirectOptions with_keys(States* states = nullptr) {
  DirectOptions options;
  options.keys = [] { return known_ring(); };
  if (states) options.on_state = [states](LinkState state) { states->push_back(state); };
  return options;
}

struct TrustingPhone : SimPhone {
  using SimPhone::SimPhone;
  Task<DevicePtr> connect(DirectOptions options, std::size_t capacity = 64 * 1024) {
    return connect_device(attach(capacity), "phone", std::move(options));
  }
};

simdroid::SimOptions asking(Admission auth) {
  simdroid::SimOptions options;
  options.auth = auth;
  return options;
}

std::string echo(Loop& loop, Device* device) {
  const auto ran = loop.run(run_shell(device, "echo hello", 5s));
  return ran ? ran->out : ran.error().message();
}

}  // namespace

TEST_CASE("trust: an authorised key is accepted, whatever was requested", "[loopback]") {
  const auto auth = GENERATE(Admission::open, Admission::key, Admission::tls);
  Loop loop;
  TrustingPhone phone(&loop, asking(auth));
  REQUIRE(phone->authorise(known_text()));
  REQUIRE(phone->authorise(other_key().public_text("")));
  States states;
  const auto device = loop.run(phone.connect(with_keys(&states)));
  REQUIRE(device);
  CHECK(echo(loop, device->get()) == "hello\n");
  CHECK(states == States{LinkState::connecting, LinkState::ready});
  CHECK((*device)->facts().tls == (auth == Admission::tls));
  CHECK((*device)->facts().max_payload == 1 << 20);
  CHECK((*device)->facts().rtt);
}

TEST_CASE("trust: keys are not touched where no device requests one", "[loopback]") {
  Loop loop;
  TrustingPhone phone(&loop, asking(Admission::open));
  DirectOptions options;
  options.keys = []() -> Result<KeyRing> { throw std::logic_error("keys are not needed"); };
  CHECK(loop.run(phone.connect(options)));
}

TEST_CASE("trust: TLS works over a link of single bytes and for megabytes", "[loopback]") {
  const std::size_t capacity = GENERATE(1u, 5000u);
  Loop loop;
  TrustingPhone phone(&loop, asking(Admission::tls));
  REQUIRE(phone->authorise(known_text()));
  const auto device = loop.run(phone.connect(with_keys(), capacity));
  REQUIRE(device);
  const std::size_t lines = capacity == 1 ? 10 : 100'000;
  const auto ran =
      loop.run(run_shell(device->get(), "seq 1 " + std::to_string(lines) + " | tail -n 1", 60s));
  REQUIRE(ran);
  CHECK(ran->out == std::to_string(lines) + "\n");
  const auto all = loop.run(run_shell(device->get(), "seq 1 " + std::to_string(lines), 60s));
  REQUIRE(all);
  CHECK(all->out.ends_with("\n" + std::to_string(lines) + "\n"));
}

TEST_CASE("trust: a key that may not be offered is refused at once, with what would help",
          "[loopback]") {
  struct Case {
    Admission auth;
    std::string advice;
  };
  const auto row = GENERATE(values<Case>({
      {Admission::key, "phone"},
      {Admission::tls, "clawperator pair"},
  }));
  Loop loop;
  TrustingPhone phone(&loop, asking(row.auth));
  REQUIRE(phone->authorise(other_key().public_text("")));
  States states;
  const auto device = loop.run(phone.connect(with_keys(&states)));
  REQUIRE_FALSE(device);
  CHECK(device.error().code() == errc::device_unauthorized);
  CHECK(device.error().message().find("/home/adbkey") != std::string::npos);
  CHECK(device.error().message().find(row.advice) != std::string::npos);
  CHECK(states == States{LinkState::connecting, LinkState::unauthorized});
}

TEST_CASE("trust: an offered key is waited for, visibly, and remembered", "[loopback]") {
  ManualTime time;
  Loop loop;
  auto sim = asking(Admission::key);
  sim.confirm_after = 2min;
  TrustingPhone phone(&loop, sim);
  States states;
  DirectOptions options = with_keys(&states);
  options.authorization_limit = 5min;
  auto waiting = loop.start(phone.connect(options));
  time.advance(loop, 1s);
  CHECK(states == States{LinkState::connecting, LinkState::authorizing});
  CHECK_FALSE(waiting->done());
  const auto device = time.finish(loop, waiting, 1s);
  REQUIRE(device);
  CHECK(time.elapsed() >= 2min);
  CHECK(states.back() == LinkState::ready);
  const auto begin = time.elapsed();
  CHECK(time.run(loop, phone.connect(with_keys())));
  CHECK(time.elapsed() - begin < 1s);
}

TEST_CASE("trust: a person who does not answer is not waited for without end", "[loopback]") {
  ManualTime time;
  Loop loop;
  TrustingPhone phone(&loop, asking(Admission::key));
  States states;
  DirectOptions options = with_keys(&states);
  options.authorization_limit = 30s;
  const auto device = time.run(loop, phone.connect(options));
  REQUIRE_FALSE(device);
  CHECK(device.error().code() == errc::device_unauthorized);
  CHECK(time.elapsed() >= 30s);
  CHECK(time.elapsed() < 32s);
  CHECK(states == States{LinkState::connecting, LinkState::authorizing, LinkState::unauthorized});
}

TEST_CASE("trust: waiting for a person can be cancelled", "[loopback]") {
  Loop loop;
  TrustingPhone phone(&loop, asking(Admission::key));
  DirectOptions options = with_keys();
  options.authorization_limit = 30min;
  auto waiting = loop.start(phone.connect(options));
  for (int i = 0; i < 20; ++i) loop.settle();
  waiting->cancel();
  try {
    const auto cancelled = loop.finish(waiting);
    CHECK_FALSE(cancelled);
  } catch (const std::system_error&) {
    SUCCEED("unwound");
  }
}

TEST_CASE("trust: a host that waits is let in when its key is added elsewhere", "[loopback]") {
  Loop loop;
  TrustingPhone phone(&loop, asking(Admission::key));
  DirectOptions options = with_keys();
  options.authorization_limit = 30min;
  auto waiting = loop.start(phone.connect(options));
  for (int i = 0; i < 20; ++i) loop.settle();
  CHECK_FALSE(waiting->done());
  REQUIRE(phone->authorise(known_text()));
  CHECK(loop.finish(waiting));
}

TEST_CASE("trust: of several keys the authorised one is found", "[loopback]") {
  const auto auth = GENERATE(Admission::key, Admission::tls);
  Loop loop;
  TrustingPhone phone(&loop, asking(auth));
  REQUIRE(phone->authorise(known_text()));
  DirectOptions options;
  options.keys = [] {
    KeyRing ring{.keys = {*RsaKey::generate(), other_key()}, .comment = "x"};
    ring.keys.push_back(known_ring().keys[0]);
    return ring;
  };
  CHECK(loop.run(phone.connect(options)));
}

TEST_CASE("trust: keys that cannot be read end it with that reason", "[loopback]") {
  const auto auth = GENERATE(Admission::key, Admission::tls);
  Loop loop;
  TrustingPhone phone(&loop, asking(auth));
  DirectOptions options;
  options.keys = []() -> Result<KeyRing> { return fail(errc::file_unreadable, "no such luck"); };
  const auto device = loop.run(phone.connect(options));
  REQUIRE_FALSE(device);
  CHECK(device.error() == Error(errc::file_unreadable, "no such luck"));
}

TEST_CASE("trust: the phone authorises only keys", "[loopback]") {
  Loop loop;
  TrustingPhone phone(&loop, asking(Admission::key));
  CHECK_FALSE(phone->authorise("nonsense"));
  auto sim = asking(Admission::key);
  sim.authorised = "/nowhere/at/all";
  const auto refused = simdroid::Simulation::create(loop.executor(), sim);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::invalid_argument);
}

// --- scripted: the same conversation with every split and every failure

namespace {

Packet auth_token() { return {Command::auth, 1, 0, noise(20)}; }

Script auth_script() {
  const RsaKey key = *RsaKey::from_pem(kKeyPem);
  Bytes offer = to_bytes(known_text());
  offer.push_back(std::byte{});
  Script script;
  const auto hears = [&](const Packet& packet) {
    script.hears(encode_packet(packet, ChecksumRule::sum));
  };
  const auto says = [&](const Packet& packet) {
    script.says(encode_packet(packet, ChecksumRule::sum));
  };
  hears({Command::connect, kVersionUnchecked, kMaxPayload,
         to_bytes(encode_banner(host_banner(DelayedAck::silent)))});
  says(auth_token());
  hears({Command::auth, 2, 0, *key.sign_token(auth_token().payload)});
  says(auth_token());
  hears({Command::auth, 3, 0, offer});
  says(device_connect());
  return script;
}

Result<DevicePtr> connect_scripted(Loop& loop, const Script& script, Manners manners) {
  DirectOptions options = with_keys();
  options.authorization_limit = 60s;
  auto link = std::make_unique<ScriptedStream>(loop.executor(), script, manners);
  return loop.run(connect_device(std::move(link), "phone", options));
}

}  // namespace

TEST_CASE("auth: every split of the conversation gives the same", "[loopback]") {
  const Script script = auth_script();
  for (std::size_t at = 0; at <= script.said(); at += 3) {
    INFO(at);
    Loop loop;
    CHECK(connect_scripted(loop, script, {.split_at = at}));
  }
  Loop loop;
  CHECK(connect_scripted(loop, script, {.piece = 1}));
}

TEST_CASE("auth: a link that fails at any byte fails with its reason", "[loopback]") {
  const Script script = auth_script();
  for (std::size_t at = 0; at < script.said(); at += 5) {
    INFO(at);
    Loop loop;
    const auto device = connect_scripted(loop, script, {.cut_at = at});
    REQUIRE_FALSE(device);
    constexpr std::size_t kTokenPacket = 24 + 20;
    // Silent so far; in the middle of it; shown our key.
    CHECK(device.error().code() == (at < kTokenPacket       ? errc::io
                                    : at < 2 * kTokenPacket ? errc::link_lost
                                                            : errc::device_unauthorized));
  }
}

TEST_CASE("auth: a device that hangs up when it is shown our key has refused it",
          "[loopback][F63]") {
  Loop loop;
  const auto cut_with = GENERATE(values<Errc>({errc::io, errc::closed}));
  const auto device =
      connect_scripted(loop, auth_script(), {.cut_at = 2 * (24 + 20), .cut_with = cut_with});
  REQUIRE_FALSE(device);
  CHECK(device.error().code() == errc::device_unauthorized);
  CHECK_THAT(device.error().message(),
             Catch::StartsWith("the device closed the connection after it received our key"));
}

TEST_CASE("auth: a silent device is late before it offers and unauthorized after", "[loopback]") {
  ManualTime time;
  Loop loop;
  const Script script = auth_script();
  const std::size_t token_size = 24 + 20;
  for (const std::size_t said : {std::size_t{0}, token_size, 2 * token_size}) {
    Script cut;
    std::size_t left = said;
    for (const auto& record : script.cassette().records) {
      const bool ours = record.kind == CassetteRecord::Kind::written;
      if (!ours && left < record.bytes.size()) break;
      ours ? cut.hears(record.bytes) : cut.says(record.bytes);
      left -= ours ? 0 : record.bytes.size();
    }
    DirectOptions options = with_keys();
    options.authorization_limit = 60s;
    auto link = std::make_unique<ScriptedStream>(loop.executor(), cut,
                                                 Manners{.end = Manners::End::stays_silent});
    const auto device = time.run(loop, connect_device(std::move(link), "phone", options));
    REQUIRE_FALSE(device);
    CHECK(device.error().code() ==
          (said == 2 * token_size ? errc::device_unauthorized : errc::deadline_exceeded));
  }
}

namespace {

// What adb 34 sometimes does: its TLS begins before its STLS is out.
Task<std::string> overtake_stls(ByteStreamPtr link) {
  const Packet connect{Command::connect, kVersionUnchecked, kMaxPayload, to_bytes("host::")};
  CO_TRY_VOID(co_await link->write_all(encode_packet(connect, ChecksumRule::sum)));
  CO_TRY([[maybe_unused]] const Bytes asked, co_await read_exactly(link.get(), kPacketHeaderSize));
  TlsClientOptions tls{.choose_key = [](const auto&) { return known_ring().keys[0]; }};
  CO_TRY(auto secured, co_await start_tls_client(std::move(link), {}, std::move(tls)));
  CO_TRY_VOID(co_await secured->write_all(
      wire({{Command::stls, 0x01000000, 0, {}}, packet(Command::open, 1, 0, "shell:echo hi")})));
  CO_TRY(const Bytes header, co_await read_exactly(secured.get(), kPacketHeaderSize));
  CO_TRY([[maybe_unused]] const Bytes banner,
         co_await read_exactly(secured.get(), load_le<std::uint32_t>(&header[12])));
  co_return co_await read_text(secured.get(), 4);
}

}  // namespace

TEST_CASE("stls: a host whose TLS overtakes its STLS is served all the same", "[loopback]") {
  Loop loop;
  TrustingPhone phone(&loop, asking(Admission::tls));
  REQUIRE(phone->authorise(known_text()));
  auto [ours, theirs] = make_memory_pair(loop.executor());
  phone->attach(std::move(theirs));
  CHECK(loop.run(overtake_stls(std::move(ours))) == "OKAY");
}

// --- what a direct device reports

TEST_CASE("direct device: it reports when its link is gone", "[loopback]") {
  Loop loop;
  auto phone = std::make_unique<TrustingPhone>(&loop, asking(Admission::open));
  auto device = loop.run(phone->connect({}));
  REQUIRE(device);
  auto lost = loop.start([](Device* of) -> Task<void> {
    co_await of->wait_lost();
    co_return ok();
  }(device->get()));
  loop.settle();
  CHECK_FALSE(lost->done());
  phone.reset();
  CHECK(loop.finish(lost));
}

TEST_CASE("direct device: the device's streams go to the caller that takes them", "[loopback]") {
  Loop loop;
  TrustingPhone phone(&loop, asking(Admission::open));
  auto device = loop.run(phone.connect({}));
  REQUIRE(device);
  std::vector<std::string> services;
  REQUIRE((*device)->on_incoming(
      [&](std::unique_ptr<IncomingStream> incoming) { services.push_back(incoming->service()); }));
  const auto bound = loop.run((*device)->open("reverse:forward:tcp:7001;tcp:7002"));
  REQUIRE(bound);
  CHECK(loop.run(read_text(bound->get(), 4)) == "OKAY");
  const auto ran = loop.run(run_shell(device->get(), "echo x | nc 127.0.0.1 7001", 5s));
  if (ran && ran->exit_status == 0) CHECK(services == std::vector<std::string>{"tcp:7002"});
}

TEST_CASE("delayed ack: announced by itself where a round trip takes longer than a millisecond",
          "[loopback]") {
  const auto announces = [](DelayedAck how, std::optional<std::chrono::microseconds> rtt) {
    return host_banner(how, rtt).features.has("delayed_ack");
  };
  CHECK(announces(DelayedAck::automatic, 1001us));
  CHECK_FALSE(announces(DelayedAck::automatic, 1000us));
  CHECK_FALSE(announces(DelayedAck::automatic, std::nullopt));
  CHECK_FALSE(announces(DelayedAck::silent, 1s));
  CHECK(announces(DelayedAck::announced, 0us));
}

TEST_CASE("delayed ack: a link that is expected to be long uses it", "[loopback]") {
  const bool far = GENERATE(false, true);
  Loop loop;
  TrustingPhone phone(&loop, asking(Admission::open));
  DirectOptions options;
  options.delayed_ack = DelayedAck::automatic;
  options.rtt = far ? 10ms : 100us;
  const auto device = loop.run(phone.connect(options));
  REQUIRE(device);
  CHECK((*device)->facts().delayed_ack == far);
}
