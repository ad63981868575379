#include <catch2/catch.hpp>

#include "cli/adb/bugreport.hpp"

using clawperator::cli::BugreportReader;

TEST_CASE("bugreport: progress, then the path, at every split") {
  const std::string said =
      "BEGIN:/data/a.zip\nPROGRESS:10/100\nPROGRESS:7/20\r\nPROGRESS:20/100\nOK:/data/b.zip\n";
  for (std::size_t at = 0; at <= said.size(); ++at) {
    CAPTURE(at);
    BugreportReader reader;
    reader.feed(said.substr(0, at));
    reader.feed(said.substr(at));
    reader.finish();
    CHECK(reader.path() == "/data/b.zip");
    CHECK(reader.progress() == 35);
    CHECK_FALSE(reader.failure());
    CHECK(reader.strange().empty());
  }
}

TEST_CASE("bugreport: progress only grows, and nonsense is none") {
  BugreportReader reader;
  CHECK(reader.feed("PROGRESS:50/100\n"));
  CHECK(reader.progress() == 50);
  for (const char* line : {"PROGRESS:40/100\n", "PROGRESS:1/0\n", "PROGRESS:-1/10\n", "PROGRESS:\n",
                           "PROGRESS:9\n", "PROGRESS:99999999999999999999/1\n", "PROGRESS:2/1\n"}) {
    CAPTURE(line);
    CHECK_FALSE(reader.feed(line));
    CHECK(reader.progress() == 50);
  }
}

TEST_CASE("bugreport: a failure and unknown lines are kept") {
  BugreportReader reader;
  reader.feed("what is this\n\nFAIL:no space");
  CHECK_FALSE(reader.failure());
  reader.finish();
  CHECK(reader.failure() == "no space");
  CHECK(reader.strange() == std::vector<std::string>{"what is this"});
}

TEST_CASE("bugreport: a device that talks without end is not remembered without end") {
  BugreportReader reader;
  const std::string line = std::string(100'000, 'x') + "\n";
  for (int i = 0; i < 200; ++i) reader.feed(line);
  CHECK(reader.strange().size() == 100);
  CHECK(reader.strange().front().size() == 4096);
}
