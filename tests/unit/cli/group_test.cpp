#include "cli/group.hpp"

#include <catch2/catch.hpp>

#include "cli/command_table.hpp"
#include "unit/cli/invoke.hpp"

using namespace clawperator::cli;
using adbproto::Errc;

namespace {

adbproto::Result<Answer> nothing(const Invocation&) { return Answer{}; }

constinit const Command kList{"box list", "ls", "", "", "", "", Reach::host, {}, nothing};
constinit const Command kStart{"box start", "", "", "", "", "", Reach::host, {}, nothing};
constexpr const Command* kSubcommands[] = {&kList, &kStart};
constinit const Command kBox{"box", "", "", "", "", "", Reach::host, {}, run_group, kSubcommands};

adbproto::Error answer_of(const Words& words) {
  Invocation invocation;
  invocation.command = &kBox;
  invocation.arguments = Arguments::parse({}, words).value();
  return run_group(invocation).error();
}

}  // namespace

TEST_CASE("group: alone it is USAGE with the list of its subcommands") {
  const auto error = answer_of({});
  CHECK(error.code() == Errc::usage);
  CHECK(error.message() == "Usage: clawperator box list|start");
  CHECK(error.members().empty());
}

TEST_CASE("group: a mistyped subcommand is told what it may have meant") {
  const auto error = answer_of({"strat"});
  CHECK(error.message() == "Usage: clawperator box list|start. Did you mean 'start'?");
  CHECK(error.members() == R"({"suggestion":"start"})");
  CHECK(answer_of({"quite-different"}).members().empty());
}

TEST_CASE("group: flags do not hide that the subcommand is unknown") {
  for (const Command* group : commands()) {
    if (group->run != run_group) continue;
    CAPTURE(group->name);
    const auto invocation = invoke({std::string(group->name), "no-such-thing", "--no-such-flag"});
    REQUIRE(invocation);
    CHECK(invocation->command == group);
    CHECK(invocation->arguments.positionals() == Words{"no-such-thing"});
  }
}

TEST_CASE("group: a flag of another subcommand is told where it belongs") {
  std::size_t groups_with_such_a_flag = 0;
  for (const Command* group : commands()) {
    for (const Command* owner : group->subcommands) {
      for (const Command* other : group->subcommands) {
        for (const Option& option : owner->options) {
          if (find_option(other->options, option.name)) continue;
          if (find_option(global_options(), option.name)) continue;
          Words words{std::string(group->name), std::string(second_word(*other)),
                      std::string(option.name)};
          CAPTURE(words);
          const auto refused = invoke(words);
          REQUIRE_FALSE(refused);
          CHECK(refused.error().code() == Errc::usage);
          CHECK(refused.error().message().find("unrecognized flag '" + words.back() + "'") == 0);
          CHECK(refused.error().message().find("' has it") != std::string::npos);
          ++groups_with_such_a_flag;
        }
      }
    }
  }
  CHECK(groups_with_such_a_flag > 0);
}
