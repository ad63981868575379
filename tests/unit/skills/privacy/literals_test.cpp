#include "skills/privacy/literals.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace clawperator::privacy;

namespace {

// "e-mail address: jo@mail.net", the first of the line; empty: none.
std::string first_of(std::string_view line) {
  const auto found = find_literals(line);
  if (found.empty()) return "";
  return std::string(shown(found[0].kind)) + ": " +
         std::string(line.substr(found[0].offset, found[0].length));
}

}  // namespace

TEST_CASE("literals: what belongs to one user is found", "[skills]") {
  struct Case {
    std::string_view line, found;
  };
  const Case cases[] = {
      {"mail jo.doe+x@mail.example.net.", ""},
      {"mail jo.doe+x@mail.net.", "an e-mail address: jo.doe+x@mail.net"},
      {"<jo@163.com>", "an e-mail address: jo@163.com"},
      {"call +49 171 2345678", "a phone number: +49 171 2345678"},
      {"call +15551234567!", "a phone number: +15551234567"},
      {"(212) 867-5309", "a phone number: (212) 867-5309"},
      {"tel 212-867-5309.", "a phone number: 212-867-5309"},
      {"030/1234567", "a phone number: 030/1234567"},
      {"call 1-212-867-5309", "a phone number: 1-212-867-5309"},
      {"tel 212.867.5309.", "a phone number: 212.867.5309"},
      {"0171 234 56 78", "a phone number: 0171 234 56 78"},
      {"070-123 45 67", "a phone number: 070-123 45 67"},
      {"020 7946 0958,", "a phone number: 020 7946 0958"},
      {"0171 2345678", "a phone number: 0171 2345678"},
      {"adb -s R58M12ABCDE shell", "a device's serial: R58M12ABCDE"},
      {"adb -s 0a388e93 shell", "a device's serial: 0a388e93"},
      {"--device=1c2d3e4f", "a device's serial: 1c2d3e4f"},
      {"{\"serial\": \"abc12345\"}", "a device's serial: abc12345"},
      {"device_id: '98765432'", "a device's serial: 98765432"},
      {"at 192.168.1.20:5555", "a device's serial: 192.168.1.20:5555"},
      {"adb-2A111FDH20012X-AbCdEf._adb-tls-connect._tcp",
       "a device's serial: adb-2A111FDH20012X-AbCdEf"},
      {"label 2A111FDH20012X", "a device's serial: 2A111FDH20012X"},
      {"/home/jdoe/x", "a home folder: /home/jdoe"},
      {"see \"/Users/Jane.Doe\"", "a home folder: /Users/Jane.Doe"},
      {"C:\\Users\\jane\\x", "a home folder: \\Users\\jane"},
      {"ls /mnt/c/Users/jane", "a home folder: /Users/jane"},
      {"cc -I/home/jdoe/x", "a home folder: /home/jdoe"},
      {"at 192.168.1.20:41234", "a device's serial: 192.168.1.20:41234"},
      {"adb -s 192.168.1.20:4000", "a device's serial: 192.168.1.20:4000"},
      {"VBJDU18B28003456", "a device's serial: VBJDU18B28003456"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.line);
    CHECK(first_of(each.line) == each.found);
  }
}

TEST_CASE("literals: examples, versions and numbers are none", "[skills]") {
  for (const std::string_view line : {"user@example.com",
                                      "x@test.invalid",
                                      "icon@2x.png",
                                      "left-pad@1.3.0",
                                      "git@github.com:a/b",
                                      "@mention",
                                      "a @ b.com",
                                      "+1 555 0100",
                                      "212-555-0199",
                                      "2026-03-01T12:00:00+01:00",
                                      "3.31.100",
                                      "5311000",
                                      "1700000000123",
                                      "192.168.1.20",
                                      "127.0.0.1:5555",
                                      "--device emulator-5554",
                                      "--device 192.0.2.7:5555",
                                      "--device $SERIAL",
                                      "RFC2606",
                                      "01ARZ3NDEKTSV4RRFFQ69G5FAV",
                                      "sha256:9f86d081884c7d65",
                                      "ANDROID_HOME",
                                      "/home/user/x",
                                      "https://example.com/home/start",
                                      "~/home/x",
                                      "ISO8601",
                                      "0040 12345678",
                                      "1234-5678",
                                      "4294967295UL",
                                      "1000000000000ULL",
                                      "0123456789ABCDEF",
                                      "adb -s 0123456789ABCDEF",
                                      "POSIX199309",
                                      "0XFF000000L",
                                      "BRAINPOOLP256R1",
                                      "--device usb:1-2",
                                      "adb -s model:SM_G991B",
                                      "8.8.8.8:53",
                                      "192.168.1.5:8080",
                                      "user@1000.service",
                                      "root@localhost.localdomain",
                                      "this@MainActivity.finish()",
                                      "return@forEach.also",
                                      "0755 1000 1000 4096",
                                      "0123 456 789",
                                      "1.212.867.5309",
                                      "212.867.53091",
                                      "https://a.com/home/start",
                                      "/srv/data/home/start"}) {
    CAPTURE(line);
    CHECK(first_of(line).empty());
  }
}

TEST_CASE("literals: several of a line, in order, and a long line in linear time", "[skills]") {
  const auto found = find_literals("/home/jdoe jo@mail.net +49 171 2345678");
  REQUIRE(found.size() == 3);
  CHECK(found[1].offset == 11);
  CHECK(found[2].kind == LiteralKind::phone_number);
  std::string line;
  for (int i = 0; i < 100'000; ++i) line += "a@-0";
  CHECK(find_literals(line).empty());
}
