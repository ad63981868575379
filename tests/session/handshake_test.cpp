#include "adbproto/session/handshake.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "support/hex.hpp"
#include "support/print_result.hpp"
#include "support/test_keys.hpp"

using namespace adbproto;
using namespace adbproto::testing;

namespace {

Banner host_says(FeatureSet features = {}) {
  Banner banner;
  banner.type = "host";
  banner.features = std::move(features);
  return banner;
}

Packet connect(std::uint32_t version, std::uint32_t max_payload, std::string_view banner) {
  return {Command::connect, version, max_payload, to_bytes(banner)};
}

}  // namespace

TEST_CASE("handshake: a host begins with its version, its limit and its banner", "[session]") {
  const Handshake handshake(Role::host, host_says({"cmd", "shell_v2"}));
  const auto first = handshake.start();
  REQUIRE(first);
  CHECK(first->command == Command::connect);
  CHECK(first->arg0 == 0x01000001);
  CHECK(first->arg1 == 0x100000);
  CHECK(as_text(first->payload) == "host::features=cmd,shell_v2");
}

TEST_CASE("handshake: what is agreed is the smaller of both sides", "[session]") {
  struct Case {
    const char* name;
    Packet answer;
    std::uint32_t version;
    std::uint32_t max_payload;
    FlowControl flow;
  };
  const auto row = GENERATE(values<Case>({
      {"a recent adbd", connect(0x01000001, 0x100000, "device::features=shell_v2,delayed_ack"),
       0x01000001, 0x100000, FlowControl::delayed_ack},
      {"a small device", connect(0x01000001, 64, "device::"), 0x01000001, 64, FlowControl::classic},
      {"Android 6", connect(0x01000000, 4096, "device::ro.product.name=x;"), 0x01000000, 4096,
       FlowControl::classic},
      {"a device of the future", connect(0x01000007, 0x400000, "device::features=delayed_ack"),
       0x01000001, 0x100000, FlowControl::delayed_ack},
  }));
  INFO(row.name);
  Handshake handshake(Role::host, host_says({"delayed_ack", "shell_v2"}));
  const auto step = handshake.on_packet(row.answer);
  REQUIRE(step);
  CHECK_FALSE(step->reply);
  REQUIRE(step->agreement);
  CHECK(step->agreement->version == row.version);
  CHECK(step->agreement->max_payload == row.max_payload);
  CHECK(step->agreement->flow_control == row.flow);
}

TEST_CASE("handshake: delayed_ack needs both sides", "[session]") {
  Handshake silent(Role::host, host_says({"shell_v2"}));
  const auto step = silent.on_packet(connect(0x01000001, 0x100000, "device::features=delayed_ack"));
  REQUIRE(step);
  CHECK(step->agreement->flow_control == FlowControl::classic);
}

TEST_CASE("handshake: a device answers the host's CNXN with its own and agrees", "[session]") {
  Banner ours;
  ours.type = "device";
  ours.model = "Sim";
  ours.features = {"shell_v2"};
  Handshake handshake(Role::device, ours);
  CHECK_FALSE(handshake.start());
  const auto early = handshake.on_packet({Command::open, 1, 0, to_bytes("shell:")});
  REQUIRE(early);
  CHECK_FALSE(early->reply);
  CHECK_FALSE(early->agreement);
  const auto step = handshake.on_packet(connect(0x01000000, 4096, "host::"));
  REQUIRE(step);
  REQUIRE(step->reply);
  CHECK(as_text(step->reply->payload) == "device::ro.product.model=Sim;features=shell_v2");
  REQUIRE(step->agreement);
  CHECK(step->agreement->version == 0x01000000);
  CHECK(step->agreement->max_payload == 4096);
}

TEST_CASE("handshake: stale packets before the answer are skipped", "[session]") {
  Handshake handshake(Role::host, host_says());
  for (const Command stale : {Command::write, Command::okay, Command::close, Command::sync}) {
    const auto step = handshake.on_packet({stale, 1, 2, to_bytes("old")});
    REQUIRE(step);
    CHECK_FALSE(step->reply);
    CHECK_FALSE(step->agreement);
  }
}

TEST_CASE("handshake: a hostile answer is an error", "[session]") {
  Handshake handshake(Role::host, host_says());
  const auto tiny = handshake.on_packet(connect(0x01000001, 0, "device::"));
  REQUIRE_FALSE(tiny);
  CHECK(tiny.error().code() == errc::protocol);
  const auto huge = handshake.on_packet(connect(0x01000001, 4096, std::string(5000, 'x')));
  REQUIRE_FALSE(huge);
  CHECK(huge.error().code() == errc::limit);
}

// --- AUTH and STLS

namespace {

using Awaits = Handshake::Awaits;
using Step = Handshake::Step;

RsaKey known_key() { return *RsaKey::from_pem(kKeyPem); }

const RsaKey& other_key() {
  static const RsaKey kMade = *RsaKey::generate();
  return kMade;
}

Packet token(std::uint8_t first = 0) {
  Bytes bytes = from_hex("000102030405060708090a0b0c0d0e0f10111213");
  bytes[0] = std::byte{first};
  return {Command::auth, 1, 0, bytes};
}
Packet signature(Bytes bytes) { return {Command::auth, 2, 0, std::move(bytes)}; }
Packet public_key(std::string text) {
  text.push_back('\0');
  return {Command::auth, 3, 0, to_bytes(text)};
}
Packet stls() { return {Command::stls, 0x01000000, 0, {}}; }
std::string known_text() { return std::string(kKeyPublicBase64) + " me@here"; }

Step taken(Result<Step> step) {
  REQUIRE(step);
  return *std::move(step);
}

void check_reply(const Step& step, const Packet& reply, Awaits awaits) {
  REQUIRE(step.reply);
  CHECK((*step.reply == reply));
  CHECK(step.awaits == awaits);
  CHECK_FALSE(step.agreement);
}

void check_agreed(const Step& step) {
  REQUIRE(step.agreement);
  CHECK(step.agreement->max_payload == 0x100000);
}

HostKeys both_keys(Offer offer = Offer::first_key) {
  return {.keys = {known_key(), other_key()}, .comment = "me@here", .offer = offer};
}

Packet device_cnxn() { return connect(0x01000001, 0x100000, "device::"); }
Packet host_cnxn() { return connect(0x01000001, 0x100000, "host::"); }

Handshake device_that_wants(Admission admission, std::vector<std::string> authorised = {}) {
  DeviceTrust trust{.admission = admission, .authorised = std::move(authorised)};
  trust.new_token = [count = std::uint8_t{0}]() mutable { return token(count++).payload; };
  Banner banner;
  banner.type = "device";
  return {Role::device, banner, kMaxPayload, trust};
}

}  // namespace

TEST_CASE("auth, host: keys are requested once, each is tried once, then the first is offered",
          "[session]") {
  Handshake host(Role::host, host_says());
  CHECK(taken(host.on_packet(token())).awaits == Awaits::keys);
  check_reply(taken(host.on_keys(both_keys())), signature(from_hex(kKeySignature)), Awaits::packet);
  check_reply(taken(host.on_packet(token(7))), signature(*other_key().sign_token(token(7).payload)),
              Awaits::packet);
  check_reply(taken(host.on_packet(token(8))), public_key(known_text()), Awaits::confirmation);
  // Stale data does not end the waiting.
  CHECK(taken(host.on_packet({Command::write, 1, 2, to_bytes("old")})).awaits ==
        Awaits::confirmation);
  check_agreed(taken(host.on_packet(device_cnxn())));
}

TEST_CASE("auth, host: the first key may be enough", "[session]") {
  Handshake host(Role::host, host_says());
  taken(host.on_packet(token()));
  taken(host.on_keys(both_keys()));
  check_agreed(taken(host.on_packet(device_cnxn())));
}

TEST_CASE("auth, host: a key that may not be offered, and none at all, are unauthorized",
          "[session]") {
  Handshake silent(Role::host, host_says());
  taken(silent.on_packet(token()));
  taken(silent.on_keys(both_keys(Offer::never)));
  taken(silent.on_packet(token(1)));
  const auto refused = silent.on_packet(token(2));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::device_unauthorized);

  Handshake keyless(Role::host, host_says());
  taken(keyless.on_packet(token()));
  const auto nothing = keyless.on_keys({});
  REQUIRE_FALSE(nothing);
  CHECK(nothing.error().code() == errc::device_unauthorized);
}

TEST_CASE("auth, host: a device that asks for ever is unauthorized in the end", "[session]") {
  Handshake host(Role::host, host_says());
  taken(host.on_packet(token()));
  auto step = host.on_keys(both_keys());
  int tokens = 0;
  for (; step && tokens < 100; ++tokens) step = host.on_packet(token());
  REQUIRE_FALSE(step);
  CHECK(step.error().code() == errc::device_unauthorized);
  CHECK(tokens == 2 + 8);  // the second key, eight offers, and no more
}

TEST_CASE("auth, host: a token of another size is hostile", "[session]") {
  for (const std::size_t size : {0u, 19u, 21u, 4096u}) {
    Handshake host(Role::host, host_says());
    const auto step = host.on_packet({Command::auth, 1, 0, Bytes(size)});
    REQUIRE_FALSE(step);
    CHECK(step.error().code() == errc::protocol);
  }
}

TEST_CASE("auth, host: a device that sends what only hosts send is not answered", "[session]") {
  Handshake host(Role::host, host_says());
  for (const std::uint32_t kind : {0u, 2u, 3u, 4u}) {
    const Step step = taken(host.on_packet({Command::auth, kind, 0, Bytes(20)}));
    CHECK_FALSE(step.reply);
    CHECK(step.awaits == Awaits::packet);
  }
}

TEST_CASE("stls, host: STLS is answered once there are keys, the CNXN comes inside", "[session]") {
  Handshake host(Role::host, host_says());
  CHECK(taken(host.on_packet(stls())).awaits == Awaits::keys);
  check_reply(taken(host.on_keys(both_keys())), stls(), Awaits::tls);
  CHECK(host.on_tls().awaits == Awaits::packet);
  check_agreed(taken(host.on_packet(device_cnxn())));
}

TEST_CASE("stls, host: a device that is known by TLS gets no key without it", "[session][S7]") {
  const Error changed(errc::refused, "another phone");
  for (const Packet& plain : {device_cnxn(), token(), Packet{Command::auth, 7, 0, {}}}) {
    Handshake host(Role::host, host_says());
    host.require_tls(changed);
    const bool after_stls = GENERATE(true, false);
    if (after_stls) {
      taken(host.on_packet(stls()));
      taken(host.on_keys(both_keys()));
    }
    const auto step = host.on_packet(plain);
    REQUIRE_FALSE(step);
    CHECK(step.error() == changed);
  }
  Handshake host(Role::host, host_says());
  host.require_tls(changed);
  taken(host.on_packet(stls()));
  check_reply(taken(host.on_keys(both_keys())), stls(), Awaits::tls);
  host.on_tls();
  check_agreed(taken(host.on_packet(device_cnxn())));
}

TEST_CASE("stls, host: another TLS version number is answered with ours", "[session]") {
  Handshake host(Role::host, host_says());
  taken(host.on_packet({Command::stls, 1, 0, {}}));
  check_reply(taken(host.on_keys(both_keys())), stls(), Awaits::tls);
}

TEST_CASE("stls, host: no further request inside TLS", "[session]") {
  for (const Packet& again : {stls(), token()}) {
    Handshake host(Role::host, host_says());
    taken(host.on_packet(stls()));
    taken(host.on_keys(both_keys()));
    host.on_tls();
    const auto step = host.on_packet(again);
    REQUIRE_FALSE(step);
    CHECK(step.error().code() == errc::protocol);
  }
}

TEST_CASE("auth, device: a known signature lets in, every other one brings a new token",
          "[session]") {
  Handshake device =
      device_that_wants(Admission::key, {other_key().public_text("x"), known_text()});
  check_reply(taken(device.on_packet(host_cnxn())), token(0), Awaits::packet);
  check_reply(taken(device.on_packet(signature(Bytes(256)))), token(1), Awaits::packet);
  // Right, but for the token before.
  check_reply(taken(device.on_packet(signature(from_hex(kKeySignature)))), token(2),
              Awaits::packet);
  const Step in = taken(device.on_packet(signature(*known_key().sign_token(token(2).payload))));
  check_agreed(in);
  REQUIRE(in.reply);
  CHECK(in.reply->command == Command::connect);
}

TEST_CASE("auth, device: an offered key waits for somebody's yes", "[session]") {
  Handshake device = device_that_wants(Admission::key);
  taken(device.on_packet(host_cnxn()));
  const Step offered = taken(device.on_packet(public_key(known_text())));
  CHECK(offered.awaits == Awaits::confirmation);
  CHECK(offered.offered_key == known_text());
  CHECK_FALSE(offered.reply);
  // What comes meanwhile changes nothing.
  CHECK(taken(device.on_packet({Command::open, 1, 0, to_bytes("shell:")})).offered_key ==
        known_text());
  check_agreed(device.on_confirmed());
}

TEST_CASE("auth, device: a yes without an offer accepts no host", "[session]") {
  Handshake device = device_that_wants(Admission::key);
  CHECK_FALSE(device.on_confirmed().agreement);
  taken(device.on_packet(host_cnxn()));
  CHECK_FALSE(device.on_confirmed().agreement);
  taken(device.on_packet(public_key(known_text())));
  taken(device.on_packet(host_cnxn()));  // begins anew
  CHECK_FALSE(device.on_confirmed().agreement);
}

TEST_CASE("auth, device: what is no key is a protocol error", "[session]") {
  Handshake device = device_that_wants(Admission::key);
  taken(device.on_packet(host_cnxn()));
  const auto step = device.on_packet(public_key("not a key"));
  REQUIRE_FALSE(step);
  CHECK(step.error().code() == errc::protocol);
}

TEST_CASE("auth, device: a signature before the token, or in the open, is ignored", "[session]") {
  Handshake device = device_that_wants(Admission::key, {known_text()});
  const Step early = taken(device.on_packet(signature(from_hex(kKeySignature))));
  CHECK_FALSE(early.reply);
  CHECK_FALSE(early.agreement);
}

TEST_CASE("stls, device: CNXN is answered with STLS, and agreed inside TLS", "[session]") {
  Handshake device = device_that_wants(Admission::tls);
  check_reply(taken(device.on_packet(host_cnxn())), stls(), Awaits::packet);
  CHECK(taken(device.on_packet(stls())).awaits == Awaits::tls);
  const Step in = device.on_tls();
  check_agreed(in);
  REQUIRE(in.reply);
  CHECK(in.reply->command == Command::connect);
}

TEST_CASE("stls, device: STLS without a request is ignored", "[session]") {
  for (const Admission admission : {Admission::open, Admission::key, Admission::tls}) {
    Handshake device = device_that_wants(admission);
    const Step step = taken(device.on_packet(stls()));
    CHECK_FALSE(step.reply);
    CHECK(step.awaits == Awaits::packet);
  }
}

TEST_CASE("auth: both roles agree with each other", "[session]") {
  const auto known = GENERATE(0u, 1u, 2u);  // which of the host's keys the device has; 2: none
  INFO(known);
  std::vector<std::string> authorised;
  if (known == 0) authorised = {known_text()};
  if (known == 1) authorised = {other_key().public_text("")};
  Handshake device = device_that_wants(Admission::key, authorised);
  Handshake host(Role::host, host_says());
  Step there = taken(device.on_packet(*host.start()));
  Step here;
  for (int i = 0; i < 10 && !there.agreement; ++i) {
    here = taken(host.on_packet(*there.reply));
    if (here.awaits == Awaits::keys) here = taken(host.on_keys(both_keys()));
    there = taken(device.on_packet(*here.reply));
    if (there.awaits == Awaits::confirmation) there = device.on_confirmed();
  }
  check_agreed(there);
  check_agreed(taken(host.on_packet(*there.reply)));
  CHECK((here.awaits == Awaits::confirmation) == (known == 2));
}

TEST_CASE("handshake: who is no device is refused", "[session][F68]") {
  Handshake echoed(Role::host, host_says({"shell_v2"}));
  const auto echo = echoed.on_packet(*echoed.start());
  REQUIRE_FALSE(echo);
  CHECK(echo.error() == Error(errc::protocol, "the peer is no device: its type is 'host'"));
  Handshake odd(Role::host, host_says({"shell_v2"}));
  CHECK(odd.on_packet(connect(0x01000001, 4096, "GET / HTTP/1.0")).error().code() ==
        errc::protocol);
  for (const char* type : {"device::", "recovery::", "sideload::", "rescue::", "bootloader::"}) {
    Handshake handshake(Role::host, host_says({"shell_v2"}));
    CHECK(handshake.on_packet(connect(0x01000001, 4096, type)));
  }
}
