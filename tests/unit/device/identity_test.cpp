#include "runtime/device/choice/identity.hpp"

#include <catch2/catch.hpp>

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
      {"tells less than before, same boot", {"SN-1", "b1"}, {"", "b1"}, true},
      {"tells less than before, who knows", {"SN-1", "b1"}, {"", ""}, false},
      {"no serial number ever, same boot", {"", "b1"}, {"", "b1"}, true},
      {"no serial number ever, another boot", {"", "b1"}, {"", "b2"}, false},
      {"tells more than before, same boot", {"", "b1"}, {"SN-1", "b1"}, true},
      {"told nothing before", {"", ""}, {"SN-2", "b2"}, true},
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
  CHECK_THAT(kept.members(), Catch::Contains("clawperator disconnect 10.0.0.1:5555"));
  for (const Transport transport : {Transport::server, Transport::usb}) {
    const auto met = identity_changed("10.0.0.1:5555", transport, before, now);
    CHECK_THAT(met.members(), Catch::Contains("restart"));
    CHECK_THAT(met.members(), !Catch::Contains("disconnect"));
  }
}

TEST_CASE("identity: what is told late is learned, what is not told again is kept", "[unit][F33]") {
  CHECK(updated({"", "b1"}, {"SN-1", "b1"}) == Identity{"SN-1", "b1"});
  CHECK(updated({"SN-1", "b1"}, {"", "b2"}) == Identity{"SN-1", "b2"});
  CHECK(updated({"SN-1", "b1"}, {"", ""}) == Identity{"SN-1", "b1"});
}
