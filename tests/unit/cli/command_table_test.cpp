#include "cli/grammar/command_table.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "cli/grammar/errc.hpp"
#include "unit/cli/invoke.hpp"

using namespace clawperator::cli;
using namespace adbproto;

TEST_CASE("commands: every synonym finds its command") {
  struct Row {
    std::string word;
    std::string command;
  };
  const auto row = GENERATE(values<Row>({
      {"snapshot", "snapshot"},
      {"snapshot-ui", "snapshot"},
      {"snapshot_ui", "snapshot"},
      {"take-screenshot", "screenshot"},
      {"take_screenshot", "screenshot"},
      {"capture-screenshot", "screenshot"},
      {"tap", "click"},
      {"open-uri", "open"},
      {"open-url", "open"},
      {"open-app", "open"},
      {"open_app", "open"},
      {"open_uri", "open"},
      {"open_url", "open"},
      {"fill", "type"},
      {"enter-text", "type"},
      {"enter_text", "type"},
      {"read-text", "read"},
      {"read_text", "read"},
      {"wait-for", "wait"},
      {"wait_for", "wait"},
      {"wait-for-node", "wait"},
      {"wait_for_node", "wait"},
      {"find", "wait"},
      {"find-node", "wait"},
      {"find_node", "wait"},
      {"press-key", "press"},
      {"press_key", "press"},
      {"close-app", "close"},
      {"close_app", "close"},
      {"scroll_until", "scroll-until"},
      {"scroll_and_click", "scroll-and-click"},
      {"wait-for-navigation", "wait-for-nav"},
      {"wait_for_navigation", "wait-for-nav"},
      {"read-kv", "read-value"},
      {"read-key-value-pair", "read-value"},
      {"read_key_value_pair", "read-value"},
      {"execute", "exec"},
  }));
  CAPTURE(row.word);
  const auto found = find_command(Words{row.word});
  REQUIRE(found);
  CHECK(found->command->name == row.command);
  CHECK(found->words == 1);
}

TEST_CASE("commands: the two-word verbs of old scripts work") {
  struct Row {
    Words words;
    std::string command;
  };
  const auto row = GENERATE(values<Row>({
      {{"observe", "snapshot"}, "snapshot"},
      {{"observe", "screenshot"}, "screenshot"},
      {{"inspect", "ui"}, "snapshot"},
      {{"action", "click"}, "click"},
      {{"action", "read"}, "read"},
      {{"action", "wait"}, "wait"},
      {{"action", "type"}, "type"},
      {{"action", "open-app"}, "open"},
      {{"action", "open-uri"}, "open"},
      {{"action", "press-key"}, "press"},
  }));
  const auto found = find_command(row.words);
  REQUIRE(found);
  CHECK(found->command->name == row.command);
  CHECK(found->words == 2);
}

TEST_CASE("commands: an unknown one is refused with the nearest name") {
  struct Row {
    std::string word;
    std::string message;
    std::string members;
  };
  const auto row = GENERATE(values<Row>({
      {"clikc", "Unknown command: clikc. Did you mean 'click'? Use --help for available commands.",
       R"({"suggestion":"click"})"},
      {"--device",
       "Unknown command: --device. Did you mean 'devices'? Use --help for available commands.",
       R"({"suggestion":"devices"})"},
      {"xyzzyplugh", "Unknown command: xyzzyplugh. Use --help for available commands.", ""},
  }));
  const auto found = find_command(Words{row.word});
  REQUIRE_FALSE(found);
  CHECK(found.error().code() == errc::unknown_command);
  CHECK(found.error().message() == row.message);
  CHECK(found.error().members() == row.members);
}

TEST_CASE("commands: an old verb with an unknown second word lists the valid ones") {
  const auto found = find_command(Words{"observe", "nothing"});
  REQUIRE_FALSE(found);
  CHECK(found.error().code() == errc::unknown_command);
  CHECK(found.error().message().find("snapshot, screenshot") != std::string::npos);
  CHECK(found.error().members().empty());
}

TEST_CASE("commands: no command is USAGE") {
  const auto words = GENERATE(values<Words>({{}, {""}}));
  const auto found = find_command(words);
  REQUIRE_FALSE(found);
  CHECK(found.error().code() == errc::usage);
  CHECK(found.error().message() == "Use --help for available commands.");
}

TEST_CASE("commands: no word names two commands and no option two things") {
  std::set<std::string_view> names;
  for (const Command* command : commands()) {
    CAPTURE(command->name);
    CHECK(names.insert(command->name).second);
    for_each_part(command->synonyms, [&](std::string_view word) {
      CAPTURE(word);
      CHECK(names.insert(word).second);
    });
    std::set<std::string_view> flags;
    for (const Option& option : command->options) {
      CAPTURE(option.name);
      CHECK(flags.insert(option.name).second);
      CHECK(option.name.starts_with("--"));
      CHECK((option.arity == Arity::none) == option.value_name.empty());
      for_each_part(option.aliases,
                    [&](std::string_view alias) { CHECK(flags.insert(alias).second); });
    }
  }
}
