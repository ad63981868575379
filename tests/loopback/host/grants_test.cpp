#include "runtime/host/operator/grants.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;
using namespace std::chrono_literals;

namespace {

// An app whose accessibility service is bound so long after the first ping.
struct BoundLater {
  ManualTime time;
  Loop loop;
  FakeDevice device{loop, {"shell_v2", "cmd"}};
  Clock::duration after;
  int pings = 0;

  explicit BoundLater(Clock::duration bound_after) : after(bound_after) {
    device.serve("shell,v2,raw:", prints(""));
  }
  Ping ping() {
    return [this](const std::string&) { return answer(); };
  }
  Task<ExecuteResult> answer() {
    ++pings;
    ExecuteResult result;
    result.envelope.status =
        time.elapsed() >= after ? EnvelopeStatus::success : EnvelopeStatus::failed;
    co_return result;
  }
  Result<std::string> prove() {
    return time.run(loop, prove_service(&device, "com.x", ping()), 50ms);
  }
  [[nodiscard]] bool wrote_settings() const {
    return std::ranges::any_of(*device.opened(), [](const std::string& name) {
      return name.contains("settings") && name.contains("'put'");
    });
  }
};

}  // namespace

TEST_CASE("a service that the system is binding is waited for in short steps") {
  BoundLater app(400ms);
  CHECK(app.prove() == "");
  CHECK(app.pings == 3);  // at once, after 250 ms, after 500 ms
  CHECK(app.time.elapsed() == 500ms);
  CHECK_FALSE(app.wrote_settings());
}

TEST_CASE("a service that is not bound in time is listed anew") {
  BoundLater app(2s);
  CHECK(app.prove() == "");
  CHECK(app.wrote_settings());
  CHECK(app.time.elapsed() >= 2s);
}

TEST_CASE("a service that never runs becomes a sentence, after six seconds") {
  BoundLater app(1h);
  const auto sentence = app.prove();
  REQUIRE(sentence);
  CHECK_THAT(*sentence,
             Catch::StartsWith("The accessibility service is enabled, but does not run yet."));
  CHECK(app.time.elapsed() >= 6s);
}
