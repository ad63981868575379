
#include <catch2/catch.hpp>

#include "cli/grammar/command_table.hpp"
#include "unit/cli/invoke.hpp"

using namespace clawperator::cli;
using namespace adbproto;

namespace {

Result<Answer> nothing(const Invocation&) { return Answer{}; }

constinit const Command kList{"box list", "ls", "", "", "", "", Reach::host, {}, nothing};
constinit const Command kStart{"box start", "", "", "", "", "", Reach::host, {}, nothing};
constexpr const Command* kSubcommands[] = {&kList, &kStart};
constinit const Command kBox{"box", "", "", "", "", "", Reach::host, {}, nullptr, kSubcommands};

Error answer_of(const Words& words) { return group_usage(kBox, words).error(); }

}  // namespace

TEST_CASE("group: alone it is USAGE with the list of its subcommands") {
  const auto error = answer_of({});
  CHECK(error.code() == errc::usage);
  CHECK(error.message() == "Usage: clawperator box list|start");
  CHECK(error.members().empty());
}

TEST_CASE("group: a mistyped subcommand gets a suggestion") {
  const auto error = answer_of({"strat"});
  CHECK(error.message() == "Usage: clawperator box list|start. Did you mean 'start'?");
  CHECK(error.members() == R"({"suggestion":"start"})");
  CHECK(answer_of({"quite-different"}).members().empty());
}

TEST_CASE("group: flags do not hide that the subcommand is unknown") {
  for (const Command* group : commands()) {
    if (group->subcommands.empty()) continue;
    CAPTURE(group->name);
    const std::string name(group->name);
    const auto usage = group_usage(*group, {}).error().message();
    const std::string first(second_word(*group->subcommands[0]));
    for (const Words& words :
         {Words{name}, Words{name, "no-such-thing", "--no-such-flag"},
          Words{name, "--no-such-flag", "no-such-thing"}, Words{name, "--", "no-such-thing"}}) {
      const auto refused = invoke(words);
      REQUIRE_FALSE(refused);
      CHECK(refused.error().code() == errc::usage);
      CHECK(refused.error().message() == usage);
    }
    const auto near = invoke({name, first + "x", "--no-such-flag"});
    REQUIRE_FALSE(near);
    CHECK(near.error().message() == usage + ". Did you mean '" + first + "'?");
  }
}

TEST_CASE("group: for a flag of another subcommand the error names that subcommand") {
  std::size_t groups_with_such_a_flag = 0;
  for (const Command* group : commands()) {
    for (const Command* owner : group->subcommands) {
      for (const Command* other : group->subcommands) {
        if (other->kind == Kind::script) continue;  // an unknown flag is its script's
        for (const Option& option : owner->options) {
          if (find_option(other->options, option.name)) continue;
          if (find_option(global_options(), option.name)) continue;
          Words words{std::string(group->name), std::string(second_word(*other)),
                      std::string(option.name)};
          CAPTURE(words);
          const auto refused = invoke(words);
          REQUIRE_FALSE(refused);
          CHECK(refused.error().code() == errc::usage);
          CHECK(refused.error().message().find("unrecognized flag '" + words.back() + "'") == 0);
          CHECK(refused.error().message().find("' has it") != std::string::npos);
          ++groups_with_such_a_flag;
        }
      }
    }
  }
  CHECK(groups_with_such_a_flag > 0);
}
