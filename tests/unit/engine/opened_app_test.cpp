#include "runtime/engine/opened_app.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("opened app: a plan begins with it also behind steps that only look") {
  const Action open = OpenApp{.application_id = "com.x"};
  const auto opens_first = [](std::vector<Action> actions) {
    Execution execution;
    execution.actions = std::move(actions);
    return opens_app_first(execution);
  };
  CHECK(opens_first({open}));
  CHECK(opens_first({Snapshot{}, open}));
  CHECK(opens_first({Snapshot{}, Sleep{.duration_ms = 1}, open}));
  CHECK_FALSE(opens_first({}));
  CHECK_FALSE(opens_first({Snapshot{}}));
  CHECK_FALSE(opens_first({Click{}, open}));
}
