#include "cli/manual/manual.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cli/environment_table.hpp"
#include "cli/grammar/command_table.hpp"
#include "runtime/host/doctor/report.hpp"
#include "unit/cli/example_words.hpp"
#include "unit/cli/invoke.hpp"

using namespace clawperator::cli;

namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string help_of(const Words& words) { return command_help(*look_up(words).command); }

adbproto::Result<Answer> does_nothing(const Invocation&) { return Answer{}; }

constexpr std::array kHelpedOptions{
    Option{"--cold", "", Arity::none, "", "forget the last state"},
    Option{"--port", "", Arity::one, "<port>", "of the console"},
};
constinit const Command kHelpedList{"box list",   "ls",        "", "List the boxes", "",
                                    "box list\n", Reach::host, {}, does_nothing};
constinit const Command kHelpedStart{"box start", "",          "<name>",       "Start a box", "",
                                     "box start", Reach::host, kHelpedOptions, does_nothing};
constexpr const Command* kHelpedCommands[] = {&kHelpedList, &kHelpedStart};
constinit const Command kHelpedBox{"box",        "boxes",     "", "Boxes", "",
                                   "box list\n", Reach::host, {}, nullptr, kHelpedCommands};

}  // namespace

TEST_CASE("help: the top level names every command, global option and variable") {
  const std::string text = top_level_help();
  CHECK(contains(text, "Clawperator CLI"));
  CHECK(contains(text, "\nCommands:\n"));
  CHECK(contains(text, "exec <json-or-file> [--validate-only]"));
  const auto globals_at = text.find("\nGlobal options:\n");
  REQUIRE(globals_at != std::string::npos);
  CHECK(contains(text.substr(globals_at), "--json"));
  for (const Command* command : commands()) {
    CHECK(contains(text, "\n  " + std::string(command->name)));
  }
  for (const EnvironmentVariable& variable : environment_table()) {
    CHECK(contains(text, variable.name));
  }
  CHECK_FALSE(contains(text, "action open-app"));
}

TEST_CASE("help: every command and subcommand has usage, an example and its own options") {
  for (const Command* command : commands_and_subcommands()) {
    CAPTURE(command->name);
    const std::string text = command_help(*command);
    CHECK(contains(text, "Usage: clawperator " + std::string(command->name)));
    CHECK(contains(text, "Examples:\n  clawperator "));
    for (const Option& option : command->options) CHECK(contains(text, option.name));
    CHECK_FALSE(contains(text, "Commands:"));
    CHECK_FALSE(contains(text, "action open-app"));
  }
}

TEST_CASE("help: every example is a command line that parses, of its own command") {
  for (const Command* command : commands_and_subcommands()) {
    for (const std::string& line : lines_of(command->examples)) {
      CAPTURE(line);
      const auto words = example_words(line);
      const auto invocation = invoke(words);
      CHECK((invocation ? "" : invocation.error().message()) == "");
      if (!invocation) continue;
      // `setup` shows its canonical spelling, `operator setup`, which runs the same.
      const bool own = invocation->command->run == command->run ||
                       std::ranges::find(command->subcommands, invocation->command) !=
                           command->subcommands.end();
      CHECK(own);
    }
  }
}

TEST_CASE("help: no subcommand's help shows another one's options") {
  for (const Command* group : commands()) {
    for (const Command* command : group->subcommands) {
      const std::string text = command_help(*command);
      CAPTURE(command->name);
      for (const Command* other : group->subcommands) {
        if (other == command) continue;
        CHECK_FALSE(contains(text, "Usage: clawperator " + std::string(other->name) + " "));
        CHECK_FALSE(contains(text, "\n  " + std::string(second_word(*other)) + " "));
      }
    }
  }
}

TEST_CASE("help: a group's names what each subcommand takes and does") {
  const std::string text = command_help(kHelpedBox);
  CHECK(contains(text, "Usage: clawperator box list|start\n"));
  CHECK(contains(text, "  clawperator box start <name>\n      Start a box\n"));
  CHECK(contains(text, "Also: boxes\n"));
  CHECK_FALSE(contains(text, "--cold"));
  CHECK(contains(command_help(kHelpedStart), "Usage: clawperator box start <name>\n"));
  CHECK(contains(command_help(kHelpedStart), "--cold"));
}

TEST_CASE("help: an unknown subtopic is the top level's, as is an unknown command") {
  for (const Command* group : commands()) {
    if (group->subcommands.empty()) continue;
    CAPTURE(group->name);
    const std::string name(group->name);
    CHECK(help_topic(Words{name}) == group);
    CHECK(help_topic(Words{name, "no-such-subcommand"}) == nullptr);
    for (const Command* command : group->subcommands) {
      CHECK(help_topic(Words{name, std::string(second_word(*command))}) == command);
    }
  }
  CHECK(help_topic(Words{"nonsense"}) == nullptr);
  CHECK(help_topic(Words{}) == nullptr);
}

TEST_CASE("help: doctor's checks point to pages that are there") {
  for (const std::string_view topic : clawperator::kDoctorTopics) {
    CAPTURE(topic);
    Words words;
    for_each_part(topic, [&](std::string_view word) { words.emplace_back(word); });
    const Command* page = help_topic(words);
    REQUIRE(page);
    CHECK(page->name == topic);
  }
}

TEST_CASE("help: the fragments that callers look for") {
  CHECK(contains(help_of({"snapshot"}), "--timeout <ms>"));
  CHECK(contains(help_of({"screenshot"}), "--path <file>"));
  for (const char* flag : {"--selector", "--text", "--id"}) {
    CHECK(contains(help_of({"click"}), flag));
  }
  CHECK(contains(help_of({"scroll"}), "--container-"));
  CHECK(contains(help_of({"read"}), "--container-"));
  CHECK(contains(help_of({"type"}), "--role"));
  CHECK(contains(help_of({"type"}), "--id"));
}

TEST_CASE("help --json: every command, option and error code is there as data") {
  const auto program = nlohmann::json::parse(program_json());
  CHECK(program["name"] == "clawperator");
  std::size_t at = 0;
  for (const Command* command : commands()) {
    const auto& json = program["commands"][at++];
    CAPTURE(command->name);
    CHECK(json["name"] == command->name);
    CHECK(json["options"].size() == command->options.size());
    CHECK(json["examples"].size() == lines_of(command->examples).size());
  }
  CHECK(program["errors"].size() > 50);
  const auto box = nlohmann::json::parse(command_json(kHelpedBox));
  CHECK(box["synonyms"] == nlohmann::json{"boxes"});
  CHECK(box["subcommands"][1]["options"][1] == nlohmann::json{{"name", "--port"},
                                                              {"aliases", nlohmann::json::array()},
                                                              {"values", 1},
                                                              {"value", "<port>"},
                                                              {"help", "of the console"}});
}
