#include "adbproto/session/mdns_browser.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace adbproto;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace Catch {
template <>
struct StringMaker<DiscoveredService> {
  static std::string convert(const DiscoveredService& found) {
    return std::string(service_type(found.service)) + " " + found.instance + " at " + found.host +
           ":" + std::to_string(found.port);
  }
};
}  // namespace Catch

namespace {

using Cache = DnsRecord::Cache;
using Found = std::vector<DiscoveredService>;

const Clock::time_point kStart{std::chrono::hours(1)};
const DnsName kHost = {"Android", "local"};

DnsName type_name(AdbService service) {
  return dns_name(std::string(service_type(service)) + ".local");
}
DnsName instance_name(const std::string& instance, AdbService service) {
  DnsName name = type_name(service);
  name.insert(name.begin(), instance);
  return name;
}
DnsAddress4 v4(int a, int b, int c, int d) {
  return {{std::byte(a), std::byte(b), std::byte(c), std::byte(d)}};
}

DnsRecord ptr(const std::string& instance, AdbService service = AdbService::tls_connect,
              std::uint32_t ttl = 4500) {
  return {type_name(service), Cache::adds, ttl, DnsPointer{instance_name(instance, service)}};
}
DnsRecord srv(const std::string& instance, std::uint16_t port,
              AdbService service = AdbService::tls_connect, std::uint32_t ttl = 120) {
  return {instance_name(instance, service), Cache::replaces, ttl, DnsService{0, 0, port, kHost}};
}
DnsRecord a(const DnsAddress4& address, std::uint32_t ttl = 120) {
  return {kHost, Cache::replaces, ttl, address};
}
DnsMessage says(std::vector<DnsRecord> records) {
  DnsMessage message;
  message.kind = DnsMessage::Kind::response;
  message.records = std::move(records);
  return message;
}

MdnsBrowser browser() { return {kStart, seconds(60)}; }

const DiscoveredService kPhone{AdbService::tls_connect, "adb-S1-abc", "192.168.1.20", 37123};
const std::vector<DnsRecord> kPhoneSays = {ptr("adb-S1-abc"), srv("adb-S1-abc", 37123),
                                           a(v4(192, 168, 1, 20))};

bool asks(const DnsMessage& query, const DnsName& name, DnsType type) {
  return std::ranges::any_of(query.questions, [&](const DnsQuestion& question) {
    return question.type == type && same_name(question.name, name);
  });
}

}  // namespace

TEST_CASE("mdns browser: asks at once, then after 1, 2, 4 s and so on up to the longest pause",
          "[session]") {
  MdnsBrowser machine(kStart, seconds(5));
  std::vector<int> at;
  for (int ms = 0; ms <= 20'000; ms += 500) {
    if (machine.query(kStart + milliseconds(ms))) at.push_back(ms);
  }
  CHECK(at == std::vector<int>{0, 1000, 3000, 7000, 12000, 17000});
}

TEST_CASE("mdns browser: asks for the three types of adb", "[session]") {
  MdnsBrowser machine = browser();
  const auto query = machine.query(kStart);
  REQUIRE(query);
  CHECK(query->kind == DnsMessage::Kind::query);
  CHECK(query->questions.size() == 3);
  CHECK(asks(*query, {"_adb", "_tcp", "local"}, DnsType::ptr));
  CHECK(asks(*query, {"_adb-tls-connect", "_tcp", "local"}, DnsType::ptr));
  CHECK(asks(*query, {"_adb-tls-pairing", "_tcp", "local"}, DnsType::ptr));
}

TEST_CASE("mdns browser: a whole answer in any order is a service", "[session]") {
  auto records = kPhoneSays;
  std::ranges::sort(records, {}, [](const DnsRecord& record) { return record.type(); });
  MdnsBrowser sorted = browser();
  CHECK(sorted.on_message(says(records), kStart));
  CHECK(sorted.services() == Found{kPhone});
  std::ranges::reverse(records);
  MdnsBrowser reversed = browser();
  CHECK(reversed.on_message(says(records), kStart));
  CHECK(reversed.services() == Found{kPhone});
  CHECK_FALSE(reversed.on_message(says(records), kStart + seconds(1)));
}

TEST_CASE("mdns browser: missing records are queried soon", "[session]") {
  MdnsBrowser machine = browser();
  REQUIRE(machine.query(kStart));
  CHECK(machine.on_message(says({ptr("adb-S1-abc")}), kStart + milliseconds(10)));
  CHECK(machine.services().empty());
  CHECK_FALSE(machine.query(kStart + milliseconds(200)));
  const auto for_service = machine.query(kStart + milliseconds(260));
  REQUIRE(for_service);
  CHECK(asks(*for_service, instance_name("adb-S1-abc", AdbService::tls_connect), DnsType::srv));

  CHECK(machine.on_message(says({srv("adb-S1-abc", 37123)}), kStart + milliseconds(300)));
  const auto for_host = machine.query(kStart + milliseconds(550));
  REQUIRE(for_host);
  CHECK(asks(*for_host, kHost, DnsType::a));
  CHECK(asks(*for_host, kHost, DnsType::aaaa));

  CHECK(machine.on_message(says({a(v4(192, 168, 1, 20))}), kStart + milliseconds(600)));
  CHECK(machine.services() == Found{kPhone});
}

TEST_CASE("mdns browser: a record lives as long as it says", "[session]") {
  MdnsBrowser machine = browser();
  machine.on_message(says(kPhoneSays), kStart);
  CHECK_FALSE(machine.on_time(kStart + milliseconds(119'999)));
  CHECK(machine.services() == Found{kPhone});
  CHECK(machine.on_time(kStart + seconds(120)));
  CHECK(machine.services().empty());
}

TEST_CASE("mdns browser: an answer renews what it repeats", "[session]") {
  MdnsBrowser machine = browser();
  machine.on_message(says(kPhoneSays), kStart);
  machine.on_message(says(kPhoneSays), kStart + seconds(100));
  CHECK_FALSE(machine.on_time(kStart + seconds(219)));
  CHECK(machine.services() == Found{kPhone});
}

TEST_CASE("mdns browser: nothing lives longer than 75 minutes", "[session]") {
  MdnsBrowser machine = browser();
  machine.on_message(says({ptr("adb-S1-abc", AdbService::plain, 0xffffffff)}), kStart);
  CHECK_FALSE(machine.on_time(kStart + seconds(4499)));
  CHECK(machine.on_time(kStart + seconds(4500)));
}

TEST_CASE("mdns browser: a goodbye ends a service at once", "[session]") {
  MdnsBrowser machine = browser();
  machine.on_message(says(kPhoneSays), kStart);
  CHECK(machine.on_message(says({ptr("adb-S1-abc", AdbService::tls_connect, 0)}),
                           kStart + seconds(1)));
  CHECK(machine.services().empty());
  CHECK_FALSE(machine.on_message(says({ptr("adb-S1-abc", AdbService::tls_connect, 0)}),
                                 kStart + seconds(2)));
}

namespace {

// Half a second at a time: when it asked for the phone's port again, in seconds.
std::vector<int> asks_for_port(MdnsBrowser& machine, int from, int to) {
  std::vector<int> at;
  for (int ms = from * 1000; ms <= to * 1000; ms += 500) {
    const auto now = kStart + milliseconds(ms);
    machine.on_time(now);
    const auto query = machine.query(now);
    if (!query) continue;
    if (asks(*query, instance_name("adb-S1-abc", AdbService::tls_connect), DnsType::srv)) {
      CHECK(asks(*query, kHost, DnsType::a));
      at.push_back(ms / 1000);
    }
  }
  return at;
}

}  // namespace

TEST_CASE("mdns browser: a record is queried again before it expires (RFC 6762, 5.2)",
          "[session]") {
  MdnsBrowser machine = browser();
  machine.on_message(says(kPhoneSays), kStart);
  CHECK(asks_for_port(machine, 0, 119) == std::vector<int>{96, 102, 108, 114});
  CHECK(machine.services() == Found{kPhone});
  machine.on_time(kStart + seconds(120));
  CHECK(machine.services().empty());
}

TEST_CASE("mdns browser: one lost answer is no departure", "[session]") {
  MdnsBrowser machine = browser();
  machine.on_message(says(kPhoneSays), kStart);
  CHECK(asks_for_port(machine, 0, 96) == std::vector<int>{96});
  machine.on_message(says(kPhoneSays), kStart + seconds(96));
  CHECK(asks_for_port(machine, 97, 191).empty());
  CHECK(machine.services() == Found{kPhone});
  CHECK(asks_for_port(machine, 192, 193) == std::vector<int>{192});
}

TEST_CASE("mdns browser: it wakes to query again, and many records at once are queried in turn",
          "[session]") {
  MdnsBrowser machine(kStart, std::chrono::hours(1));
  for (int i = 0; i < 12; ++i) (void)machine.query(machine.next_wake());  // now hours apart
  const auto start = machine.next_wake() - std::chrono::minutes(10);
  std::vector<DnsRecord> records = {a(v4(10, 0, 0, 1))};
  for (int i = 0; i < 30; ++i) {
    const std::string name = "phone-" + std::to_string(i);
    records.push_back(ptr(name));
    records.push_back(srv(name, 5));
  }
  machine.on_message(says(records), start);
  std::size_t asked = 0;
  for (auto now = start; now < start + seconds(101); now = machine.next_wake()) {
    const auto query = machine.query(now);
    if (!query) continue;
    CHECK((now >= start + seconds(96)));
    CHECK(query->questions.size() <= 20);
    asked += query->questions.size();
  }
  CHECK(asked == 31);  // each name once, and the host
}

TEST_CASE("mdns browser: a new port or address replaces the old one", "[session]") {
  MdnsBrowser machine = browser();
  machine.on_message(says(kPhoneSays), kStart);
  machine.on_message(says({srv("adb-S1-abc", 40001), a(v4(10, 0, 0, 5))}), kStart + seconds(10));
  CHECK(machine.services() == Found{{AdbService::tls_connect, "adb-S1-abc", "10.0.0.5", 40001}});
}

TEST_CASE("mdns browser: a conflict's second name is an instance of its own", "[session]") {
  MdnsBrowser machine = browser();
  machine.on_message(says(kPhoneSays), kStart);
  machine.on_message(says({ptr("adb-S1-abc (2)"), srv("adb-S1-abc (2)", 40002)}), kStart);
  CHECK(machine.services() ==
        Found{kPhone, {AdbService::tls_connect, "adb-S1-abc (2)", "192.168.1.20", 40002}});
}

TEST_CASE("mdns browser: one instance may offer several services", "[session]") {
  MdnsBrowser machine = browser();
  machine.on_message(
      says({ptr("adb-S1-abc", AdbService::tls_pairing),
            srv("adb-S1-abc", 41000, AdbService::tls_pairing), ptr("adb-S1-abc", AdbService::plain),
            srv("adb-S1-abc", 5555, AdbService::plain), a(v4(10, 0, 0, 1))}),
      kStart);
  CHECK(machine.services() == Found{{AdbService::plain, "adb-S1-abc", "10.0.0.1", 5555},
                                    {AdbService::tls_pairing, "adb-S1-abc", "10.0.0.1", 41000}});
}

TEST_CASE("mdns browser: IPv6 serves where there is no IPv4, link-local addresses never",
          "[session]") {
  const auto v6 = [](int first, int second) {
    DnsAddress6 address;
    address.bytes[0] = std::byte(first);
    address.bytes[1] = std::byte(second);
    address.bytes[15] = std::byte{0x1a};
    return DnsRecord{kHost, Cache::replaces, 120, address};
  };
  MdnsBrowser machine = browser();
  machine.on_message(says({ptr("p"), srv("p", 5), v6(0xfe, 0x80)}), kStart);
  CHECK(machine.services().empty());
  machine.on_message(says({v6(0x20, 0x01)}), kStart);
  CHECK(machine.services() == Found{{AdbService::tls_connect, "p", "2001:0:0:0:0:0:0:1a", 5}});
  machine.on_message(says({a(v4(10, 0, 0, 1))}), kStart);
  CHECK(machine.services() == Found{{AdbService::tls_connect, "p", "10.0.0.1", 5}});
}

TEST_CASE("mdns browser: what is not about adb is not kept", "[session]") {
  MdnsBrowser machine = browser();
  DnsMessage query = says(kPhoneSays);
  query.kind = DnsMessage::Kind::query;
  CHECK_FALSE(machine.on_message(query, kStart));
  const DnsName printer = {"printer", "_ipp", "_tcp", "local"};
  CHECK_FALSE(
      machine.on_message(says({
                             {{"_ipp", "_tcp", "local"}, Cache::adds, 120, DnsPointer{printer}},
                             {printer, Cache::replaces, 120, DnsService{0, 0, 631, kHost}},
                             {type_name(AdbService::plain), Cache::adds, 120, DnsPointer{printer}},
                             {type_name(AdbService::plain), Cache::adds, 120, DnsPointer{{}}},
                             a(v4(10, 0, 0, 1)),
                             srv("adb-S1-abc", 0),
                         }),
                         kStart));
  CHECK(machine.size() == 0);
}

TEST_CASE("mdns browser: a flood is bounded and so are the questions about it", "[session]") {
  MdnsBrowser machine = browser();
  REQUIRE(machine.query(kStart));
  for (int i = 0; i < 1000; ++i) {
    machine.on_message(says({ptr("phone-" + std::to_string(i))}), kStart);
  }
  CHECK(machine.size() == MdnsBrowser::kMaxRecords);
  CHECK(machine.evicted() == 1000 - MdnsBrowser::kMaxRecords);
  const auto query = machine.query(kStart + seconds(1));
  REQUIRE(query);
  CHECK(query->questions.size() <= 3 + 32);
  CHECK(encode_mdns(*query));
}

TEST_CASE("mdns browser: wakes for the next query or the next expiry", "[session]") {
  MdnsBrowser machine = browser();
  CHECK((machine.next_wake() == kStart));
  REQUIRE(machine.query(kStart));
  CHECK((machine.next_wake() == kStart + seconds(1)));
  machine.on_message(says({ptr("p"),
                           {instance_name("p", AdbService::tls_connect), Cache::adds, 1,
                            DnsService{0, 0, 5, kHost}},
                           a(v4(10, 0, 0, 1))}),
                     kStart + milliseconds(100));
  REQUIRE(machine.query(kStart + seconds(1)));
  CHECK((machine.next_wake() == kStart + milliseconds(1100)));
}

TEST_CASE("mdns browser: what was heard last comes last, beside an old record too", "[session]") {
  const DiscoveredService again{AdbService::tls_connect, "adb-S1-abc", "192.168.1.20", 40001};
  const DiscoveredService renamed{AdbService::tls_connect, "adb-S1-abc (2)", "192.168.1.20", 39999};
  MdnsBrowser machine = browser();
  CHECK(machine.on_message(
      says({ptr("adb-S1-abc (2)"), srv("adb-S1-abc (2)", 39999), a(v4(192, 168, 1, 20))}), kStart));
  CHECK(machine.on_message(says({ptr("adb-S1-abc"), srv("adb-S1-abc", 40001)}),
                           kStart + seconds(30)));
  CHECK(machine.services() == Found{renamed, again});
}

TEST_CASE("mdns browser: of two addresses of a host the one heard last counts", "[session]") {
  DnsRecord old_address = a(v4(192, 168, 1, 20));
  DnsRecord new_address = a(v4(192, 168, 1, 21));
  old_address.cache = new_address.cache = Cache::adds;
  MdnsBrowser machine = browser();
  CHECK(
      machine.on_message(says({ptr("adb-S1-abc"), srv("adb-S1-abc", 37123), old_address}), kStart));
  CHECK(machine.on_message(says({new_address}), kStart + seconds(30)));
  REQUIRE(machine.services().size() == 1);
  CHECK(machine.services()[0].host == "192.168.1.21");
}

TEST_CASE("mdns browser: a flood hides no service that repeats itself", "[session][F27]") {
  MdnsBrowser machine = browser();
  const auto flood = [&](int from, Clock::time_point at) {
    for (int i = from; i < from + 1000; ++i) {
      machine.on_message(says({ptr("noise-" + std::to_string(i))}), at);
    }
  };
  const auto phone = says({ptr("adb-S1-abc"), srv("adb-S1-abc", 37123), a(v4(10, 0, 0, 1))});
  flood(0, kStart);
  machine.on_message(phone, kStart + seconds(1));
  CHECK(machine.services().size() == 1);
  flood(1000, kStart + seconds(2));
  machine.on_message(phone, kStart + seconds(3));
  CHECK(machine.services().size() == 1);
  CHECK(machine.evicted() > 0);
}
