// Invariants of a handshake that turns into TLS, in either role, whatever is changed on the way,
// however it is cut into pieces, also where TLS begins before its STLS: no crash; what is agreed
// inside TLS is what the peer said; both sides end once the link does.

#include <cstdint>
#include <cstdlib>

#include "adbproto/client/transport_connection.hpp"
#include "adbproto/link/tls_stream.hpp"
#include "link/tampered_link.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;

namespace {

const KeyRing& ring() {
  static const KeyRing kMade{.keys = {*RsaKey::generate()}};
  return kMade;
}

Banner banner(std::string_view type) {
  Banner made;
  made.type = type;
  made.features = {"shell_v2", "cmd"};
  return made;
}

Bytes hello(std::string_view type) {
  return encode_packet(
      {Command::connect, kVersionUnchecked, kMaxPayload, to_bytes(encode_banner(banner(type)))},
      ChecksumRule::sum);
}

const Bytes& stls() {
  static const Bytes kPacket = encode_packet({Command::stls, 0x01000000, 0, {}}, ChecksumRule::sum);
  return kPacket;
}

Task<ByteStreamPtr> serve_tls(ByteStreamPtr link, Bytes already_read) {
  CO_TRY(auto stream, co_await start_tls_server(std::move(link), std::move(already_read),
                                                TlsServerOptions(ring().keys[0])));
  co_return ByteStreamPtr(std::move(stream));
}

asio::awaitable<void> run_side(ByteStreamPtr link, Role role) {
  TransportOptions options;
  options.role = role;
  options.banner = banner(role == Role::host ? "host" : "device");
  options.keys = [] { return ring(); };
  options.trust.admission = Admission::tls;
  options.start_tls = serve_tls;
  const auto done = co_await TransportConnection::establish(std::move(link), std::move(options));
  if (!done || role == Role::device || !(*done)->shaken().encrypted) co_return;
  fuzz::require((*done)->agreement().peer == banner("device"));
}

// As a host, until the device has asked for TLS.
Task<void> greet(ByteStream* link) {
  CO_TRY_VOID(co_await link->write_all(hello("host")));
  Bytes asked(stls().size());
  for (std::size_t got = 0; got < asked.size();) {
    CO_TRY(const std::size_t size, co_await link->read_some(std::span(asked).subspan(got)));
    got += size;
  }
  co_return ok();
}

// What adb 34 sometimes does: its TLS begins before its STLS is out.
asio::awaitable<void> overtake_stls(ByteStreamPtr link) {
  if (!co_await greet(link.get())) co_return;
  auto secured = co_await start_tls_client(
      std::move(link), {}, {.choose_key = [](const auto&) { return ring().keys[0]; }});
  if (secured) (void)co_await (*secured)->write_all(stls());
}

asio::awaitable<void> greet_and_say(ByteStreamPtr link, ByteView bytes) {
  if (co_await greet(link.get())) (void)co_await link->write_all(bytes);
}

Bytes behind_stls(ByteView bytes) {
  Bytes all = stls();
  append(all, bytes);
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2 || size > 16'384) return 0;
  const ByteView script = fuzz::input(data, size).subspan(2);
  const std::size_t piece = data[1] == 0 ? fuzz::kAnyPiece : data[1];
  fuzz::Conversation talk;
  Bytes said;
  switch (data[0] % 6) {
    case 0:
      talk.start(run_side(talk.ours(script, piece), Role::host));
      talk.start(run_side(talk.theirs({}, piece), Role::device));
      break;
    case 1:
      talk.start(run_side(talk.ours({}, piece), Role::host));
      talk.start(run_side(talk.theirs(script, piece), Role::device));
      break;
    case 2:
      talk.start(overtake_stls(talk.ours()));
      talk.start(run_side(talk.theirs(script, piece), Role::device));
      break;
    case 3:
      said = behind_stls(script);
      talk.start(run_side(talk.ours({}, piece), Role::host));
      talk.start(fuzz::say(talk.theirs(), said));
      break;
    case 4:
      said = behind_stls(script);
      talk.start(greet_and_say(talk.ours(), said));
      talk.start(run_side(talk.theirs({}, piece), Role::device));
      break;
    default:
      talk.start(greet_and_say(talk.ours(), script));
      talk.start(run_side(talk.theirs({}, piece), Role::device));
  }
  talk.run();
  return 0;
}
