// Entries that the device's log cut, lost, threw away or folded.

#include "runtime/engine/result_collector.hpp"

#include <catch2/catch.hpp>

#include "runtime/contract/errc.hpp"
#include "support/collector_bench.hpp"

using namespace clawperator;
using namespace clawperator::testing;
using namespace adbproto;

namespace {

// What the device's log keeps of one entry.
std::string kept(std::string_view entry, std::string_view tag = "D") {
  return std::string(entry.substr(0, 4068 - 2 - tag.size()));
}

}  // namespace

TEST_CASE("collector: a result that the log cut says so", "[engine][F10][R8]") {
  ResultCollector collector(std::string(kId), 0);
  const auto entries = timber_entries(envelope(kId, repeated("界", 1500)));
  REQUIRE(entries.size() == 1);
  const auto added = collector.add(line(kept(entries[0])));
  REQUIRE_FALSE(added);
  CHECK(added.error().code() == errc::result_envelope_malformed);
  CHECK_THAT(added.error().members(), Catch::Contains("4068 bytes"));
}

TEST_CASE("collector: a result that just fits is not cut", "[engine][R8]") {
  std::string message = envelope(kId, "");
  message = envelope(kId, repeated("界", 100) + std::string(4065 - 1 - 300 - message.size(), 'x'));
  REQUIRE(message.size() == 4064);
  Collected at;
  at.log(message);
  CHECK(at.collector.envelope().has_value());
}

TEST_CASE("collector: a hierarchy that the log cut says so", "[engine][F10][R8]") {
  struct Row {
    const char* name;
    std::string inside;
    bool by_line;
  };
  const std::string node = "<node index=\"0\" text=\"";
  const std::string filler = repeated("<node text=\"row\" />\n", 300);
  const auto row = GENERATE_COPY(values<Row>({
      {"in one entry", node + repeated("界", 1400) + "\" />", false},
      {"in one entry, line by line", node + repeated("界\n", 1400) + "\" />", true},
      {"in a line of many", filler + node + repeated("界", 1400) + "\" />\n" + filler, false},
      {"in a piece of a line", filler + node + repeated("界", 6000) + "\" />\n" + filler, false},
  }));
  INFO(row.name);
  ResultCollector collector(std::string(kId), 1);
  REQUIRE(collector.add(line(kStart)));
  for (const std::string& whole : timber_entries(hierarchy(row.inside))) {
    std::string entry = kept(whole);
    if (!row.by_line) {
      REQUIRE(collector.add(line(entry)));
      continue;
    }
    entry.pop_back();  // logcat puts a NUL there
    for (std::size_t at = 0; at < entry.size();) {
      const auto end = std::min(entry.find('\n', at), entry.size());
      REQUIRE(collector.add(line(entry.substr(at, end - at))));
      at = end + 1;
    }
  }
  REQUIRE(collector.add(line(snapshot_envelope())));
  const auto found = collector.take_hierarchies();
  REQUIRE(found.size() == 1);
  CHECK(found[0].flaw == Flaw::cut);
}

TEST_CASE("collector: a hierarchy without its end keeps its place", "[engine][R7]") {
  ResultCollector collector(std::string(kId), 2);
  REQUIRE(collector.add(line(kStart, 100, 5)));
  REQUIRE(collector.add(line(hierarchy("<node text=\"one\" />"))));
  const auto entries = timber_entries(hierarchy(repeated("<node text=\"two\" />\n", 300)));
  for (std::size_t i = 0; i + 1 < entries.size(); ++i) REQUIRE(collector.add(line(entries[i])));
  REQUIRE(collector.add(line(envelope(kId), 100, 5)));
  const auto found = collector.take_hierarchies();
  REQUIRE(found.size() == 2);
  CHECK(found[0].flaw == Flaw::none);
  CHECK(found[1].flaw == Flaw::lost);
}

TEST_CASE("collector: a result that lost its last piece is an error when the next one comes",
          "[engine][R7]") {
  ResultCollector collector(std::string(kId), 0);
  REQUIRE(collector.add(line(timber_entries(envelope(kId, repeated("x", 5000)))[0])));
  const auto added = collector.add(line(envelope("cmd-8")));
  REQUIRE_FALSE(added);
  CHECK_THAT(added.error().members(), Catch::Contains("lost a part"));
  CHECK(collector.is_lost());
}

TEST_CASE("collector: lines that the log folded are put back", "[engine][R9]") {
  const std::string text = "<node text=\"a\n\n\n\n\n\nb\" />";
  Collected at;
  const auto entries = timber_entries(hierarchy(repeated("<node />\n", 500) + text));
  std::size_t run = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool same = i > 0 && entries[i] == entries[i - 1];
    run = same ? run + 1 : 0;
    if (i + 1 < entries.size() && same && entries[i + 1] == entries[i]) continue;  // folded
    if (run > 1) {
      const std::string fold = "uid=10099(u0_a99) worker identical " + std::to_string(run - 1) +
                               (run == 2 ? " line" : " lines");
      REQUIRE(at.collector.add(line(fold, 100, 101, "chatty")));
    }
    REQUIRE(at.collector.add(line(entries[i])));
  }
  REQUIRE(at.hierarchies().size() == 1);
  CHECK((at.hierarchies()[0] == xml(repeated("<node />\n", 500) + text)));
}

TEST_CASE("collector: lines that the log threw away make a hole", "[engine][R9][R7]") {
  const std::string fold =
      GENERATE("uid=10099(u0_a99) worker expire 3 lines", "uid=10099 identical 4000000000 lines");
  ResultCollector collector(std::string(kId), 1);
  REQUIRE(collector.add(line(kStart, 100, 5)));
  const auto entries = timber_entries(hierarchy(repeated("<node />\n", 500)));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i == 20) REQUIRE(collector.add(line(fold, 100, 101, "chatty")));
    REQUIRE(collector.add(line(entries[i])));
  }
  REQUIRE(collector.add(line(snapshot_envelope())));
  const auto found = collector.take_hierarchies();
  REQUIRE(found.size() == 1);
  CHECK(found[0].flaw == Flaw::lost);
}

TEST_CASE("collector: folds of other threads and endless folds cost nothing", "[engine][R9]") {
  ResultCollector collector(std::string(kId), 1);
  REQUIRE(collector.add(line("[TaskScope] UI Hierarchy:")));
  REQUIRE(collector.add(line(std::string(3000, '<'))));
  for (int i = 0; i < 10'000; ++i) {
    REQUIRE(collector.add(line("uid=1 identical 300 lines", 100, 101, "chatty")));
    REQUIRE(collector.add(line("uid=1 identical 300 lines", 100, 102, "chatty")));
    REQUIRE(collector.add(line("")));
  }
  CHECK(collector.extra_work() <= std::size_t{1} << 20);
}
