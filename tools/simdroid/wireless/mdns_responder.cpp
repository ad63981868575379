#include "simdroid/wireless/mdns_responder.hpp"
#include "simdroid/wireless/mdns_records.hpp"

#include <algorithm>
#include <asio/ip/address_v4.hpp>
#include <utility>

namespace simdroid {

namespace {

constexpr std::uint32_t kServiceTtl = 4500;  // of PTR and TXT
constexpr std::uint32_t kHostTtl = 120;      // of SRV and A
constexpr std::uint16_t kMdnsPort = 5353;

DnsName host_name(const Announcement& announcement) { return {announcement.host_name, "local"}; }

DnsName type_name(const Announced& service) {
  return adbproto::dns_name(std::string(adbproto::service_type(service.service)) + ".local");
}

DnsName instance_name(const Announced& service) {
  DnsName name = type_name(service);
  name.insert(name.begin(), service.instance);
  return name;
}

adbproto::DnsAddress4 address_of(const Announcement& announcement) {
  asio::error_code bad;
  const auto address = asio::ip::make_address_v4(announcement.address, bad);
  adbproto::DnsAddress4 out;
  std::ranges::transform(address.to_bytes(), out.bytes.begin(),
                         [](unsigned char b) { return std::byte{b}; });
  return out;
}

std::vector<DnsRecord> records_of(const Announcement& announcement) {
  using enum DnsRecord::Cache;
  std::vector<DnsRecord> records;
  for (const Announced& service : announcement.services) {
    const DnsName instance = instance_name(service);
    records.push_back({type_name(service), adds, kServiceTtl, adbproto::DnsPointer{instance}});
    records.push_back({instance, replaces, kServiceTtl, adbproto::DnsText{{"v=1"}}});
    records.push_back({instance, replaces, kHostTtl,
                       adbproto::DnsService{0, 0, service.port, host_name(announcement)}});
  }
  records.push_back({host_name(announcement), replaces, kHostTtl, address_of(announcement)});
  return records;
}

bool matches(const DnsQuestion& question, const DnsRecord& record) {
  return (question.type == record.type() || question.type == DnsType::any) &&
         adbproto::same_name(question.name, record.name);
}

}  // namespace

DnsMessage announce(const Announcement& announcement, Farewell farewell) {
  DnsMessage message;
  message.kind = DnsMessage::Kind::response;
  message.records = records_of(announcement);
  if (farewell == Farewell::yes) {
    for (DnsRecord& record : message.records) record.ttl = 0;
  }
  return message;
}

// A query for one of our records gets all of them, which saves the second query.
std::optional<DnsMessage> answer(const Announcement& announcement, const DnsMessage& query) {
  if (query.kind != DnsMessage::Kind::query) return std::nullopt;
  DnsMessage message = announce(announcement, Farewell::no);
  const bool is_ours = std::ranges::any_of(query.questions, [&](const DnsQuestion& question) {
    return std::ranges::any_of(message.records,
                               [&](const DnsRecord& record) { return matches(question, record); });
  });
  if (!is_ours) return std::nullopt;
  return message;
}

struct MdnsResponder::State {
  State(const asio::any_io_executor& on, Announcement what)
      : executor(on), announcement(std::move(what)), scope(on) {}

  asio::any_io_executor executor;
  Announcement announcement;
  std::uint16_t group_port = kMdnsPort;
  adbproto::MulticastSocketPtr socket;
  adbproto::Scope scope;
};

MdnsResponder::MdnsResponder(const asio::any_io_executor& executor, Announcement announcement)
    : state_(std::make_shared<State>(executor, std::move(announcement))) {}

MdnsResponder::~MdnsResponder() = default;

Result<void> MdnsResponder::start(const adbproto::DiscoveryOptions& where) {
  TRY(state_->socket, adbproto::open_multicast(state_->executor,
                                               {where.group, where.port, where.interface_address}));
  if (!state_->socket->receives_announcements()) {
    return fail(errc::io, "the mDNS port is taken");
  }
  state_->group_port = where.port;
  state_->scope.spawn(run(state_));
  return ok();
}

asio::awaitable<void> MdnsResponder::stop() {
  const auto state = state_;
  if (!state->socket) co_return;
  if (const auto bytes =
          adbproto::encode_mdns_message(announce(state->announcement, Farewell::yes))) {
    (void)co_await state->socket->send(*bytes);
  }
  state->socket->close();
  state->scope.cancel();
  co_await state->scope.join();
}

asio::awaitable<void> MdnsResponder::run(std::shared_ptr<State> state) {
  const auto hello = adbproto::encode_mdns_message(announce(state->announcement, Farewell::no));
  if (hello) (void)co_await state->socket->send(*hello);
  for (;;) {
    const auto datagram = co_await state->socket->receive();
    if (!datagram) co_return;
    const auto query = adbproto::parse_mdns(datagram->bytes);
    auto reply = query ? answer(state->announcement, *query) : std::nullopt;
    if (!reply) continue;
    // A legacy querier does not receive from the group; its id and question come back to it.
    const bool legacy = datagram->port != state->group_port;
    if (legacy) {
      reply->id = query->id;
      reply->questions = query->questions;
    }
    const auto bytes = adbproto::encode_mdns_message(*reply);
    if (!bytes) continue;
    if (legacy) {
      (void)co_await state->socket->send_to(*bytes, datagram->address, datagram->port);
    } else {
      (void)co_await state->socket->send(*bytes);
    }
  }
}

}  // namespace simdroid
