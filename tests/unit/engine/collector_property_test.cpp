// Whatever stands in the log: the right result or an honest error, never a wrong one, in time
// linear in its bytes. What a log cannot show is left out: no reader can detect a piece that is
// missing in the middle of a result, nor of the last leaf of a node.

#include <catch2/catch.hpp>

#include "runtime/engine/post_process.hpp"
#include "runtime/engine/result_collector.hpp"
#include "support/log_story.hpp"

using namespace clawperator;
using namespace clawperator::testing;

namespace {

struct Counts {
  int results = 0, screens = 0, refused_screens = 0, errors = 0;
};

std::string without_blank_lines(std::string text) {
  for (auto at = text.find("\n\n"); at != text.npos; at = text.find("\n\n", at)) text.erase(at, 1);
  return text;
}

// Whose nodes the text holds.
bool holds_only(const std::string& text, int snapshot) {
  const std::string mark = Story::mark_of_ours(snapshot);
  std::size_t all = 0, ours = 0;
  for (auto at = text.find("resource-id="); at != text.npos;
       at = text.find("resource-id=", at + 1)) {
    ++all;
    ours += text.compare(at, mark.size(), mark) == 0 ? 1 : 0;
  }
  return all == ours;
}

void check_screens(const Story& story, Envelope envelope, std::vector<Hierarchy> found,
                   Counts& counts) {
  auto paired = pair_snapshots(envelope, std::move(found), {});
  attach_snapshots(envelope, {}, std::move(paired));
  for (std::size_t i = 0; i < story.snapshots.size(); ++i) {
    const StepResult& step = envelope.step_results.at(i);
    const TrueSnapshot& truth = story.snapshots[i];
    INFO("snapshot " << i << " of " << story.snapshots.size());
    counts.refused_screens += step.success ? 0 : 1;
    if (!step.success) continue;
    ++counts.screens;
    const std::string& text = *find_data(step.data, "text");
    if (!holds_only(text, static_cast<int>(i))) FAIL("a screen that is not ours: " << text);
    if (truth.damaged) continue;
    if (truth.cut) FAIL("a screen that was cut");
    const bool equal = story.blank_lines_go
                           ? without_blank_lines(text) == without_blank_lines(truth.text)
                           : text == truth.text;
    if (!equal) FAIL("not the screen\n" << text << "\nbut\n" << truth.text);
  }
}

void check_story(std::uint64_t seed, Counts& counts) {
  INFO("seed " << seed);
  const Story story(seed);
  ResultCollector collector(std::string(Story::kId), story.snapshots.size());
  bool failed = false;
  std::size_t bytes = 0;
  for (const StoryEntry& entry : story.log) {
    bytes += entry.message.size() + 1;
    failed = !collector.add({entry.pid, entry.tid, entry.tag, entry.message});
    if (failed) break;
  }
  // Folded lines are put back: at most 1 MiB in all, whatever the log claims.
  if (collector.extra_work() > bytes + (std::size_t{1} << 20)) FAIL("too much work");
  const bool complete = !story.result_damaged && !story.claimed;
  if (failed || !collector.envelope()) {
    ++counts.errors;
    if (complete) FAIL("no result, though all of it was there");
    return;
  }
  ++counts.results;
  Envelope envelope = collector.take_envelope();
  const auto truth = parse_envelope(story.envelope);
  REQUIRE(truth);
  if (!story.hole_in_result && envelope != *truth) FAIL("not our result");
  auto found = collector.take_hierarchies();
  const bool all_there = std::ranges::none_of(story.snapshots, &TrueSnapshot::cut);
  const int refused = counts.refused_screens;
  check_screens(story, std::move(envelope), std::move(found), counts);
  if (all_there && !story.damaged && refused != counts.refused_screens) {
    FAIL("a screen was refused, though all of it was there");
  }
}

}  // namespace

TEST_CASE("collector: whatever the log holds, the right result or an honest error",
          "[engine][F2][F3][F4][F7][F10][R7][R8][R9]") {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) check_story(seed, counts);
  // The stories are worth their name: each outcome comes often.
  CHECK(counts.results > 1000);
  CHECK(counts.screens > 1000);
  CHECK(counts.refused_screens > 100);
  CHECK(counts.errors > 15);
}
