#include "adbproto/wire/mdns.hpp"

#include <catch2/catch.hpp>

#include "simdroid/wireless/mdns_records.hpp"
#include "support/print_result.hpp"
#include "unit/wire/splits.hpp"

using namespace adbproto;
using adbproto::testing::concat;
using adbproto::testing::from_hex;

namespace {

using Cache = DnsRecord::Cache;

// 12-byte header: response, counts of questions and answers.
Bytes header(unsigned questions, unsigned answers) {
  Bytes bytes = from_hex("0000 8400 0000 0000 0000 0000");
  bytes[5] = static_cast<std::byte>(questions);
  bytes[7] = static_cast<std::byte>(answers);
  return bytes;
}

const DnsName kType = {"_adb", "_tcp", "local"};
const DnsName kInstance = {"adb-S1-abc (2)", "_adb", "_tcp", "local"};
const DnsName kHost = {"Android", "local"};

// 04 "_adb" 04 "_tcp" 05 "local" 00
const Bytes kTypeBytes = from_hex("045f616462 045f746370 056c6f63616c 00");

}  // namespace

TEST_CASE("mdns: a query is as RFC 1035 draws it", "[wire]") {
  DnsMessage query;
  query.questions.push_back({kType, DnsType::ptr});
  query.questions.push_back({kHost, DnsType::a, DnsQuestion::Answer::unicast});
  const Bytes expected =
      concat({from_hex("0000 0000 0002 0000 0000 0000"), kTypeBytes, from_hex("000c 0001"),
              from_hex("07416e64726f6964 056c6f63616c 00 0001 8001")});
  CHECK(encode_mdns_message(query) == expected);
  CHECK(parse_mdns(expected) == query);
}

TEST_CASE("mdns: an answer with every kind of record is read back", "[wire]") {
  DnsMessage answer;
  answer.kind = DnsMessage::Kind::response;
  answer.id = 0x1234;
  answer.records = {
      {kType, Cache::adds, 4500, DnsPointer{kInstance}},
      {kInstance, Cache::replaces, 120, DnsService{1, 2, 37123, kHost}},
      {kInstance, Cache::replaces, 4500, DnsText{{"v=1", "name=x"}}},
      {kInstance, Cache::replaces, 4500, DnsText{}},
      {kHost, Cache::replaces, 120,
       DnsAddress4{{std::byte{192}, std::byte{168}, {}, std::byte{7}}}},
      {kHost, Cache::replaces, 0, DnsAddress6{{std::byte{0xfd}}}},
  };
  const auto bytes = encode_mdns_message(answer);
  REQUIRE(bytes);
  CHECK(parse_mdns(*bytes) == answer);
  for (std::size_t size = 0; size < bytes->size(); ++size) {
    INFO("cut to " << size);
    const auto cut = parse_mdns(ByteView(*bytes).first(size));
    REQUIRE_FALSE(cut);
    REQUIRE(cut.error().code() == errc::protocol);
  }
}

TEST_CASE("mdns: compressed names are read", "[wire]") {
  // The type's name stands at offset 12, "local" in it at 22; the instance's at 39, the host's
  // at 61.
  const Bytes bytes = concat({
      header(0, 3), kTypeBytes,
      from_hex("000c 0001 00001194 0004 01 69 c00c"),  // PTR i._adb._tcp.local
      from_hex("c027 0021 8001 00000078 000b 0000 0000 1f90 02 68 31 c016"),  // SRV h1.local
      from_hex("c03d 0001 8001 00000078 0004 0a000001"),                      // A of h1.local
  });
  const auto message = parse_mdns(bytes);
  REQUIRE(message);
  const DnsName instance = {"i", "_adb", "_tcp", "local"};
  const DnsName host = {"h1", "local"};
  const std::vector<DnsRecord> expected = {
      {kType, Cache::adds, 4500, DnsPointer{instance}},
      {instance, Cache::replaces, 120, DnsService{0, 0, 8080, host}},
      {host, Cache::replaces, 120, DnsAddress4{{std::byte{10}, {}, {}, std::byte{1}}}},
  };
  CHECK((message->records == expected));
}

TEST_CASE("mdns: a hostile name is refused", "[wire]") {
  struct Case {
    const char* name;
    Bytes question;
  };
  const auto long_name = [] {
    Bytes name;
    for (int i = 0; i < 4; ++i) append(name, concat({from_hex("3f"), Bytes(63, std::byte{'x'})}));
    return concat({name, from_hex("00 000c 0001")});
  };
  const auto row = GENERATE_COPY(values<Case>({
      {"a pointer to itself", from_hex("c00c 000c 0001")},
      {"a label, then a pointer to that label", from_hex("0161 c00c 000c 0001")},
      {"a pointer forward", from_hex("c020 000c 0001")},
      {"a pointer beyond the message", from_hex("ffff 000c 0001")},
      {"a pointer cut in half", from_hex("c0")},
      {"a label of kind 01", from_hex("41 000c 0001")},
      {"a label of kind 10", from_hex("81 000c 0001")},
      {"a label beyond the message", from_hex("3f 6162")},
      {"257 bytes", long_name()},
      {"no final zero", from_hex("0161")},
  }));
  INFO(row.name);
  const auto message = parse_mdns(concat({header(1, 0), row.question}));
  REQUIRE_FALSE(message);
  CHECK(message.error().code() == errc::protocol);
}

TEST_CASE("mdns: two names cannot point at each other", "[wire]") {
  // At 12: a pointer to 18; at 18: a pointer to 12.
  const auto message =
      parse_mdns(concat({header(2, 0), from_hex("c012 000c 0001"), from_hex("c00c 000c 0001")}));
  CHECK_FALSE(message);
}

TEST_CASE("mdns: a name of 255 bytes is the longest", "[wire]") {
  const std::string label(63, 'x');
  DnsMessage query;
  query.questions.push_back({{label, label, label, std::string(61, 'y')}, DnsType::ptr});
  const auto bytes = encode_mdns_message(query);
  REQUIRE(bytes);
  CHECK(parse_mdns(*bytes) == query);
  query.questions[0].name.back() += 'y';
  CHECK(encode_mdns_message(query).error().code() == errc::invalid_argument);
}

TEST_CASE("mdns: a hostile record is refused", "[wire]") {
  struct Case {
    const char* name;
    const char* record;
  };
  const auto row = GENERATE(values<Case>({
      {"data beyond the message", "00 0001 0001 00000078 0010 0a000001"},
      {"an address of three bytes", "00 0001 0001 00000078 0003 0a0000"},
      {"an address of five bytes", "00 0001 0001 00000078 0005 0a00000102"},
      {"a pointer behind its data", "00 000c 0001 00000078 0001 0161 00"},
      {"a service without target", "00 0021 0001 00000078 0006 000000001f90"},
      {"a text entry beyond its data", "00 0010 0001 00000078 0002 0561 61616161"},
  }));
  INFO(row.name);
  const auto message = parse_mdns(concat({header(0, 1), from_hex(row.record)}));
  REQUIRE_FALSE(message);
  CHECK(message.error().code() == errc::protocol);
}

TEST_CASE("mdns: huge counts end where the message ends", "[wire]") {
  const auto message = parse_mdns(from_hex("0000 8400 ffff ffff ffff ffff"));
  REQUIRE_FALSE(message);
  CHECK(message.error().code() == errc::protocol);
  const auto large = parse_mdns(Bytes(kMaxMdnsMessage + 1));
  REQUIRE_FALSE(large);
  CHECK(large.error().code() == errc::limit);
}

TEST_CASE("mdns: records of unknown types and classes are left out", "[wire]") {
  const auto message = parse_mdns(concat({
      header(0, 3),
      from_hex("00 002f 8001 00000078 0003 010203"),    // NSEC
      from_hex("00 0001 0003 00000078 0004 0a000001"),  // class CHAOS
      from_hex("00 0001 0001 00000078 0004 0a000001"),
  }));
  REQUIRE(message);
  CHECK(message->records.size() == 1);
}

TEST_CASE("mdns: additional records count as answers", "[wire]") {
  const auto message = parse_mdns(concat({from_hex("0000 8400 0000 0000 0000 0001"),
                                          from_hex("00 0001 0001 00000078 0004 0a000001")}));
  REQUIRE(message);
  CHECK(message->records.size() == 1);
}

TEST_CASE("mdns: what DNS cannot hold is not sent", "[wire]") {
  struct Case {
    const char* name;
    DnsRecord record;
    Errc code;
  };
  const auto row = GENERATE(values<Case>({
      {"a label of 64 bytes",
       {{std::string(64, 'x')}, Cache::adds, 1, DnsText{}},
       errc::invalid_argument},
      {"an empty label", {{"a", "", "b"}, Cache::adds, 1, DnsText{}}, errc::invalid_argument},
      {"a text entry of 256 bytes",
       {{"a"}, Cache::adds, 1, DnsText{{std::string(256, 'x')}}},
       errc::invalid_argument},
      {"too much text",
       {{"a"}, Cache::adds, 1, DnsText{std::vector<std::string>(300, std::string(255, 'x'))}},
       errc::limit},
  }));
  INFO(row.name);
  DnsMessage message;
  message.records.push_back(row.record);
  CHECK(encode_mdns_message(message).error().code() == row.code);
}

TEST_CASE("mdns: names are the same whatever the case of their letters", "[wire]") {
  CHECK(same_name(kType, {"_ADB", "_tcp", "Local"}));
  CHECK_FALSE(same_name(kType, {"_adb", "_tcp"}));
  CHECK_FALSE(same_name({"a.b"}, {"a", "b"}));
  CHECK(dns_name("_adb._tcp.local") == kType);
}
