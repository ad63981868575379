#include "runtime/device/identity.hpp"

#include <catch2/catch.hpp>

#include "runtime/device/errc.hpp"

using namespace clawperator;

TEST_CASE("identity: who answers after a reconnect", "[unit][W7]") {
  struct Row {
    const char* name;
    Identity before;
    Identity now;
    bool same;
  };
  const auto row = GENERATE(values<Row>({
      {"the same", {"SN-1", "b1"}, {"SN-1", "b1"}, true},
      {"rebooted", {"SN-1", "b1"}, {"SN-1", "b2"}, true},
      {"another phone", {"SN-1", "b1"}, {"SN-2", "b2"}, false},
      {"another phone that cannot be", {"SN-1", "b1"}, {"SN-2", "b1"}, false},
      {"reports less than before, same boot", {"SN-1", "b1"}, {"", "b1"}, true},
      {"reports less than before, no boot", {"SN-1", "b1"}, {"", ""}, false},
      {"no serial number ever, same boot", {"", "b1"}, {"", "b1"}, true},
      {"no serial number ever, another boot", {"", "b1"}, {"", "b2"}, false},
      {"reports more than before, same boot", {"", "b1"}, {"SN-1", "b1"}, true},
      {"reported nothing before", {"", ""}, {"SN-2", "b2"}, true},
      {"an emulator, the same boot", {"EMULATOR35X6X3X0", "b1"}, {"EMULATOR35X6X3X0", "b1"}, true},
      {"another emulator of that version",
       {"EMULATOR35X6X3X0", "b1"},
       {"EMULATOR35X6X3X0", "b2"},
       false},
      {"a maker's common number", {"0123456789ABCDEF", "b1"}, {"0123456789ABCDEF", "b2"}, false},
      {"a common number, boot unknown", {"unknown", ""}, {"unknown", "b2"}, true},
  }));
  INFO(row.name);
  CHECK(is_same_phone(row.before, row.now) == row.same);
}

TEST_CASE("identity: what the shell prints", "[unit]") {
  CHECK(parse_identity("SN-1\nb-1\n") == Identity{"SN-1", "b-1"});
  CHECK(parse_identity("SN-1\r\nb-1\r\n") == Identity{"SN-1", "b-1"});
  CHECK(parse_identity("\nb-1\n") == Identity{"", "b-1"});
  CHECK(parse_identity("SN-1\n") == Identity{"SN-1", ""});
  CHECK(parse_identity("SN-1") == Identity{"SN-1", ""});
  CHECK(parse_identity("") == Identity{"", ""});
  CHECK(parse_identity("SN-1\nb-1\nmore\n") == Identity{"SN-1", "b-1"});
}

TEST_CASE("identity: the hint says what helps on that route", "[unit]") {
  const Identity before{.serialno = "SN-1", .boot_id = ""};
  const Identity now{.serialno = "SN-2", .boot_id = ""};
  const auto kept = identity_changed("10.0.0.1:5555", Transport::tcp, before, now);
  CHECK_THAT(kept.members(), Catch::Contains("clawperator known forget 10.0.0.1:5555"));
  CHECK_THAT(kept.members(), Catch::Contains("--accept-new"));
  for (const Transport transport : {Transport::server, Transport::usb}) {
    const auto met = identity_changed("10.0.0.1:5555", transport, before, now);
    CHECK_THAT(met.members(), Catch::Contains("restart"));
    CHECK_THAT(met.members(), !Catch::Contains("forget"));
  }
}

TEST_CASE("identity: a late property is learned, a missing one is kept", "[unit][F33]") {
  CHECK(updated({"", "b1"}, {"SN-1", "b1"}) == Identity{"SN-1", "b1"});
  CHECK(updated({"SN-1", "b1"}, {"", "b2"}) == Identity{"SN-1", "b2"});
  CHECK(updated({"SN-1", "b1"}, {"", ""}) == Identity{"SN-1", "b1"});
}

TEST_CASE("identity: who answers at a known address", "[unit][S7]") {
  struct Row {
    const char* name;
    TrustedPhone before;
    TrustedPhone now;
    bool same;
  };
  constexpr bool kTls = true;
  const auto row = GENERATE(values<Row>({
      {"the same", {"a", "SN-1", "P6"}, {"a", "SN-1", "P6"}, true},
      {"the same by TLS", {"a", "SN-1", "P6", kTls}, {"a", "SN-1", "P6", kTls}, true},
      {"an update renamed it", {"a", "SN-1", "P6"}, {"a", "SN-1", "P6a"}, true},
      {"another one", {"a", "SN-1", "P6"}, {"a", "SN-2", "P6"}, false},
      {"another one by TLS", {"a", "SN-1", "P6", kTls}, {"a", "SN-2", "P6", kTls}, false},
      {"TLS is gone", {"a", "SN-1", "P6", kTls}, {"a", "SN-1", "P6"}, false},
      {"TLS is gone, and the identity was never known", {"a", "", "", kTls}, {"a", "", ""}, false},
      {"TLS is new", {"a", "SN-1", "P6"}, {"a", "SN-1", "P6", kTls}, true},
      {"it does not say any more who it is", {"a", "SN-1", "P6"}, {"a", "", "P6"}, false},
      {"it never said who it is", {"a", "", "P6", kTls}, {"a", "SN-2", "P7", kTls}, true},
      {"another emulator", {"a", "EMULATOR35X6X3X0", "sdk"}, {"a", "EMULATOR36X1X0X0", "x"}, true},
      {"a phone for an emulator", {"a", "EMULATOR35X6X3X0", "sdk"}, {"a", "SN-1", "P6"}, false},
      {"a common number", {"a", "0123456789ABCDEF", "P6"}, {"a", "0123456789ABCDEF", "P6"}, true},
      {"a common number, another model",
       {"a", "0123456789ABCDEF", "P6"},
       {"a", "0123456789ABCDEF", "P7"},
       false},
      {"a common number, no model", {"a", "unknown", "P6"}, {"a", "unknown", ""}, true},
  }));
  INFO(row.name);
  CHECK(is_same_phone(row.before, row.now) == row.same);
}

TEST_CASE("identity: of a known phone, what is new is learned", "[unit][S7]") {
  const TrustedPhone whole{"a", "SN-1", "P6", true};
  CHECK(learned({"a", "", "", true}, {"a", "SN-1", "P6", false}) == whole);
  CHECK(learned(whole, {"a", "", "", false}) == whole);
}

TEST_CASE("identity: a change names both phones, and what helps", "[unit][S7]") {
  const TrustedPhone before{"10.0.0.1:5555", "SN-1", "Pixel_6", true};
  const Error other = phone_changed(before, {"10.0.0.1:5555", "SN-2", "Pixel_7", true});
  CHECK(other.code() == errc::device_identity_changed);
  CHECK(other.message() ==
        "another phone answers as 10.0.0.1:5555: SN-2 (Pixel_7) instead of SN-1 (Pixel_6); nothing "
        "was done there");
  CHECK_THAT(other.members(), Catch::Contains(R"("expected":"SN-1","found":"SN-2")"));
  CHECK_THAT(other.members(), Catch::Contains("`clawperator known forget 10.0.0.1:5555`"));
  const Error plain = phone_changed(before, {.address = "10.0.0.1:5555"});
  CHECK_THAT(plain.message(),
             Catch::Contains("one without TLS instead of SN-1 (Pixel_6) with TLS"));
  CHECK_THAT(plain.members(), Catch::Contains(R"("asksForTls":false)"));
}
