#include <algorithm>

#include "adbproto/client/transport_connection.hpp"
#include "adbproto/client/wire_observer.hpp"
#include "adbproto/link/tls_stream.hpp"
#include "adbproto/wire/errc.hpp"
#include "base/async/signal.hpp"

namespace adbproto {
namespace {

using namespace base::parallel;
using Awaits = Handshake::Awaits;
using Step = Handshake::Step;

// The end of a run of the handshake: the owner's answer may take minutes, other steps may not.
enum class Until { person, agreed };

class Shaking {
 public:
  Shaking(ByteStreamPtr* link, PacketReader* reader, const TransportOptions* options,
          LinkObserver* observer)
      : link_(link),
        reader_(reader),
        options_(options),
        observer_(observer),
        machine_(options->role, options->banner, options->max_payload, options->trust) {
    if (options->without_tls) machine_.require_tls(*options->without_tls);
  }

  Task<void> begin() {
    const auto first = machine_.start();
    if (!first) co_return ok();
    began_ = Clock::now();
    CO_TRY_VOID(co_await send(*first));
    if (!options_->early) co_return ok();
    auto early = early_packet(*options_->early, options_->receive_window);
    if (early) co_return co_await send(*std::move(early));
    co_return ok();
  }

  Task<void> run(Until until) {
    while (!agreed_) {
      if (until == Until::person && step_.awaits == Awaits::confirmation) co_return ok();
      CO_TRY(step_, co_await next_step());
      if (step_.reply) CO_TRY_VOID(co_await send(*step_.reply));
      if (!step_.agreement) continue;
      shaken_.agreement = *step_.agreement;
      agreed_ = true;
    }
    co_return ok();
  }

  [[nodiscard]] bool agreed() const { return agreed_; }

  // The peer ended the link. If it had just received our key, that is the owner's refusal. If it
  // never sent a packet, the cause is unknown.
  [[nodiscard]] Error gone(const Error& why) const {
    const bool is_gone = why.code() == errc::closed || why.code() == errc::io;
    if (!is_gone || options_->role == Role::device || !has_sent_) return why;
    if (step_.awaits == Awaits::confirmation) {
      return {errc::device_unauthorized,
              "the device closed the connection after it received our key"};
    }
    return {errc::link_lost, "it closed the connection during the handshake: " + why.message()};
  }
  [[nodiscard]] const Shaken& shaken() const { return shaken_; }

  // The advice for a device that does not accept our key.
  [[nodiscard]] Error unauthorized(const std::string& why) const {
    std::string files;
    for (const std::string& file : ring_.files) files += (files.empty() ? "" : ", ") + file;
    std::string text = why;
    if (!files.empty()) text += " (" + files + ")";
    if (wants_tls_)
      return {errc::device_unauthorized, text + "; pair with it: clawperator pair HOST:PORT"};
    if (ring_.keys.empty()) return {errc::device_unauthorized, text};
    return {errc::device_unauthorized, text + "; confirm \"Allow debugging?\" on the phone"};
  }

 private:
  Task<Step> next_step() {
    switch (step_.awaits) {
      case Awaits::keys: co_return load_keys();
      case Awaits::tls: co_return co_await secure();
      case Awaits::confirmation:
        if (options_->role == Role::device) co_return co_await await_confirmation();
        [[fallthrough]];
      case Awaits::packet: break;
    }
    for (;;) {
      CO_TRY(const auto packet, reader_->next());
      if (packet) co_return on_packet(*packet);
      CO_TRY_VOID(co_await fill());
      if (!early_hello_.empty()) co_return Step{.awaits = Awaits::tls};
    }
  }

  Result<Step> on_packet(const Packet& packet) {
    report_packet(observer_, Direction::received, packet);
    if (began_ && !shaken_.rtt) shaken_.rtt = base::micros_since(*began_);
    has_sent_ = true;
    if (packet.command == Command::stls) wants_tls_ = true;
    if (packet.command != Command::connect) shaken_.agreed_at_once = false;
    return machine_.on_packet(packet);
  }

  // adb 34 sometimes begins TLS before its STLS packet is sent. The packet then arrives inside TLS,
  // where it is harmless. No packet begins like a TLS record.
  Task<void> fill() {
    constexpr std::byte kTlsHandshake{0x16};
    CO_TRY(const std::size_t size, co_await (*link_)->read_some(buffer_));
    const ByteView bytes = ByteView(buffer_).first(size);
    if (tls_requested_ && reader_->buffered() == 0 && bytes.front() == kTlsHandshake) {
      early_hello_.assign(bytes.begin(), bytes.end());
    } else {
      reader_->feed(bytes);
    }
    co_return ok();
  }

  Task<void> send(Packet packet) {
    report_packet(observer_, Direction::sent, packet);
    tls_requested_ = options_->role == Role::device && packet.command == Command::stls;
    const Bytes bytes = encode_packet(packet, ChecksumRule::sum);
    co_return co_await (*link_)->write_all(bytes);
  }

  Result<Step> load_keys() {
    if (!options_->keys) {
      return fail(errc::device_unauthorized, wants_tls_ ? "the device requires TLS and a paired key"
                                                        : "the device requires a key");
    }
    TRY(ring_, options_->keys());
    if (ring_.keys.empty()) return fail(errc::device_unauthorized, "no key to offer to the device");
    const bool may_offer = options_->authorization_limit.count() > 0;
    return machine_.on_keys({.keys = ring_.keys,
                             .comment = ring_.comment,
                             .offer = may_offer ? Offer::first_key : Offer::never});
  }

  [[nodiscard]] RsaKey choose_key(const std::vector<std::string>& acceptable) const {
    const auto at = std::ranges::find_if(ring_.keys, [&](const RsaKey& key) {
      return std::ranges::find(acceptable, key.fingerprint()) != acceptable.end();
    });
    return at == ring_.keys.end() ? ring_.keys.front() : *at;
  }

  Task<Step> secure() {
    Bytes already_read = early_hello_.empty() ? reader_->take_rest() : std::move(early_hello_);
    if (options_->role == Role::host) {
      TlsClientOptions tls;
      tls.choose_key = [this](const auto& acceptable) { return choose_key(acceptable); };
      CO_TRY(*link_, co_await start_tls_client(std::move(*link_), std::move(already_read), tls));
    } else {
      if (!options_->start_tls) co_return fail(errc::unsupported, "TLS is not available here");
      CO_TRY(*link_, co_await options_->start_tls(std::move(*link_), std::move(already_read)));
    }
    shaken_.encrypted = true;
    co_return machine_.on_tls();
  }

  // Meanwhile the host may close the link or begin again.
  Task<Step> await_confirmation() {
    auto winner = co_await (confirm(options_, step_.offered_key) || fill());
    if (winner.index() == 0) {
      CO_TRY_VOID(std::get<0>(winner));
      co_return machine_.on_confirmed();
    }
    CO_TRY_VOID(std::get<1>(winner));
    CO_TRY(const auto packet, reader_->next());
    if (!packet) co_return step_again();
    co_return on_packet(*packet);
  }

  [[nodiscard]] Step step_again() const {
    return {.awaits = step_.awaits, .offered_key = step_.offered_key};
  }

  static Task<void> confirm(const TransportOptions* options, std::string public_text) {
    if (options->confirm) co_return co_await options->confirm(std::move(public_text));
    co_await until_cancelled();
    co_return fail(errc::cancelled, "this device has no rule for offered keys");
  }

  ByteStreamPtr* link_;
  PacketReader* reader_;
  const TransportOptions* options_;
  LinkObserver* observer_;
  Handshake machine_;
  Step step_{};
  bool agreed_ = false;
  bool has_sent_ = false;       // the peer
  bool wants_tls_ = false;      // the device
  bool tls_requested_ = false;  // as the device
  Bytes early_hello_{};
  KeyRing ring_{};
  Shaken shaken_{};
  std::optional<Clock::time_point> began_;
  Bytes buffer_ = Bytes(4096);
};

Task<void> shake(Shaking* shaking) {
  CO_TRY_VOID(co_await shaking->begin());
  co_return co_await shaking->run(Until::person);
}

Task<void> shake_with_limits(Shaking* shaking, const TransportOptions* options) {
  CO_TRY_VOID(co_await with_deadline(shake(shaking), options->handshake_limit, "handshake"));
  if (shaking->agreed()) co_return ok();
  if (options->on_state) options->on_state(LinkState::authorizing);
  const auto limit = options->authorization_limit;
  const auto waited = co_await with_deadline(shaking->run(Until::agreed), limit, "confirmation");
  if (waited || waited.error().code() != errc::deadline_exceeded) co_return waited;
  co_return fail(errc::device_unauthorized,
                 "our key was not confirmed within " + std::to_string(limit.count()) + " ms");
}

}  // namespace

std::optional<Packet> early_packet(const EarlyOpen& early, std::uint32_t receive_window) {
  const auto flow = early.delayed_ack ? FlowControl::delayed_ack : FlowControl::classic;
  StreamTable table({.max_payload = kMaxPayloadBeforeConnect,
                     .flow_control = flow,
                     .receive_window = receive_window});
  StreamActions actions;
  if (!table.open(early.service, actions)) return std::nullopt;
  return std::get<SendPacket>(actions.front()).packet;
}

Task<Shaken> shake_hands(ByteStreamPtr* link, PacketReader* reader, const TransportOptions* options,
                         LinkObserver* observer) {
  const auto report = [options](LinkState state) {
    if (options->on_state) options->on_state(state);
  };
  Shaking shaking(link, reader, options, observer);
  report(LinkState::connecting);
  const auto done = co_await shake_with_limits(&shaking, options);
  if (done) {
    report(LinkState::ready);
    co_return shaking.shaken();
  }
  const Error why = shaking.gone(done.error());
  if (why.code() != errc::device_unauthorized) co_return std::unexpected(why);
  report(LinkState::unauthorized);
  co_return std::unexpected(shaking.unauthorized(why.message()));
}

}  // namespace adbproto
