#include "cli/manual/completion.hpp"

#include <catch2/catch.hpp>

using namespace clawperator::cli;

TEST_CASE("candidates: names are sorted, and each is there once") {
  CHECK(candidate_lines({"b.c", "a.b", "b.c"}) == "a.b\nb.c\n");
  CHECK(candidate_lines({}).empty());
}

TEST_CASE("candidates: what phones are really called passes") {
  for (const std::string name : {"emulator-5554", "0A091FDD4000XY", "192.168.1.20:5555",
                                 "adb-0A09-x1Yz._adb-tls-connect._tcp", "com.android.settings",
                                 "Pixel_7_API_34", "fe80::1%eth0", "_a"}) {
    CAPTURE(name);
    CHECK(candidate_lines({name}) == name + "\n");
  }
}

TEST_CASE("candidates: a name with anything that a shell could act on is left out") {
  for (int c = 0; c < 256; ++c) {
    const bool alphanumeric =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (alphanumeric || (c != 0 && std::string_view("._:/@%+=,-").contains(static_cast<char>(c)))) {
      continue;
    }
    CAPTURE(c);
    CHECK(candidate_lines({std::string("a") + static_cast<char>(c) + "b"}) == "");
  }
  for (const std::string name : {"", "-rf", "--device", "=ls", "%self", ".", "/etc", "@x"}) {
    CAPTURE(name);
    CHECK(candidate_lines({name}).empty());
  }
  CHECK(candidate_lines({std::string(255, 'a')}).size() == 256);
  CHECK(candidate_lines({std::string(256, 'a')}).empty());
}
