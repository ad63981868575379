#include "simdroid/wireless/mdns_responder.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace simdroid;
using namespace adbproto;

namespace {

Announcement phone() {
  return {"Android", "192.168.1.20", {{AdbService::tls_connect, "adb-S1-abc", 37123}}};
}

DnsMessage asks(const DnsName& name, DnsType type) {
  DnsMessage query;
  query.questions.push_back({name, type});
  return query;
}

}  // namespace

TEST_CASE("mdns responder: announces pointer, text, service and address") {
  const auto message = announce(phone(), Farewell::no);
  CHECK(message.kind == DnsMessage::Kind::response);
  std::vector<DnsType> types;
  for (const auto& record : message.records) types.push_back(record.type());
  CHECK((types == std::vector{DnsType::ptr, DnsType::txt, DnsType::srv, DnsType::a}));
  CHECK(message.records[0].ttl == 4500);
  CHECK(message.records[2].ttl == 120);
  CHECK(std::get<adbproto::DnsService>(message.records[2].data).port == 37123);
  CHECK(std::get<adbproto::DnsAddress4>(message.records[3].data).bytes[0] == std::byte{192});
}

TEST_CASE("mdns responder: a farewell takes every record back") {
  const auto farewell = announce(phone(), Farewell::yes);
  CHECK(farewell.records.size() == 4);
  CHECK(std::ranges::all_of(farewell.records, [](const auto& record) { return record.ttl == 0; }));
}

TEST_CASE("mdns responder: answers what is about it, whatever the case of letters") {
  const DnsName type = {"_adb-tls-connect", "_tcp", "local"};
  CHECK(answer(phone(), asks(type, DnsType::ptr)));
  CHECK(answer(phone(), asks(type, DnsType::any)));
  CHECK(answer(phone(), asks({"_ADB-TLS-Connect", "_tcp", "LOCAL"}, DnsType::ptr)));
  CHECK(answer(phone(), asks({"adb-S1-abc", "_adb-tls-connect", "_tcp", "local"}, DnsType::srv)));
  CHECK(answer(phone(), asks({"Android", "local"}, DnsType::a)));
}

TEST_CASE("mdns responder: stays silent about the rest") {
  CHECK_FALSE(answer(phone(), asks({"_adb", "_tcp", "local"}, DnsType::ptr)));
  CHECK_FALSE(answer(phone(), asks({"_adb-tls-connect", "_tcp", "local"}, DnsType::srv)));
  CHECK_FALSE(answer(phone(), asks({"Android", "local"}, DnsType::aaaa)));
  CHECK_FALSE(answer(phone(), DnsMessage{}));
  DnsMessage response = asks({"Android", "local"}, DnsType::a);
  response.kind = DnsMessage::Kind::response;
  CHECK_FALSE(answer(phone(), response));
}
