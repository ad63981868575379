#include "skills/agent/rules/prompt.hpp"

#include <catch2/catch.hpp>

using namespace clawperator::agent_skills;
using std::chrono::milliseconds;
using std::chrono::system_clock;

namespace {

Entry entry(std::string name, std::string description) {
  Entry made;
  made.skill = {.name = std::move(name), .description = std::move(description), .file_path = "/x"};
  return made;
}

}  // namespace

TEST_CASE("prompt: its size is what was measured of the host", "[agent]") {
  // 195, and for each skill 97 and its three texts.
  const Entry one = entry("a", "bc");
  const Entry two = entry("de", "f");
  const Entry* const entries[] = {&one, &two};
  const Prompt prompt = format_prompt(entries, {}, "");
  CHECK(prompt.text.size() == 195 + 97 + 1 + 2 + 2 + 97 + 2 + 1 + 2);
  CHECK(prompt.shown == 2);
}

TEST_CASE("prompt: limits cut between skills", "[agent]") {
  const Entry one = entry("a", "b");
  const Entry two = entry("c", "\xF0\x9F\x98\x80");  // two UTF-16 units
  const Entry three = entry("d", "e");
  const Entry* const entries[] = {&one, &two, &three};
  const std::size_t first = 195 + 97 + 4;
  const std::size_t both = first + 97 + 5;
  CHECK(format_prompt(entries, {.chars = first - 1}, "").text.empty());
  CHECK(format_prompt(entries, {.chars = first}, "").shown == 1);
  CHECK(format_prompt(entries, {.chars = both - 1}, "").shown == 1);
  const Prompt prompt = format_prompt(entries, {.chars = both}, "");
  CHECK(prompt.shown == 2);
  CHECK(prompt.left_out == 1);
  CHECK(format_prompt(entries, {.skills = 0}, "").text.empty());
}

TEST_CASE("prompt: a version is the time, and always a higher one", "[agent]") {
  const system_clock::time_point now(milliseconds(1'767'225'600'123));
  CHECK(next_version(0, now) == 1'767'225'600'123);
  CHECK(next_version(1'767'225'600'122, now) == 1'767'225'600'123);
  CHECK(next_version(1'767'225'600'123, now) == 1'767'225'600'124);
  CHECK(next_version(1'767'225'609'999, now) == 1'767'225'610'000);
}
