#include "runtime/mcp/jobs.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/manual_time.hpp"

using namespace clawperator;
using namespace clawperator::mcp;
using adbproto::testing::Loop;
using adbproto::testing::ManualTime;
using std::chrono::seconds;

namespace {

// Counts its end in `ended`, also where it is cancelled.
Task<ToolAnswer> plan(std::chrono::milliseconds time, std::string said, int* ended = nullptr) {
  struct Count {
    int* ended;
    ~Count() {
      if (ended) ++*ended;
    }
  } count{ended};
  co_await adbproto::sleep_for(time);
  co_return text_answer(said);
}

nlohmann::json content_of(const ToolAnswer& answer) { return nlohmann::json::parse(answer.text); }

Task<void> stop(Jobs* jobs) {
  co_await jobs->stop();
  co_return ok();
}

}  // namespace

TEST_CASE("mcp jobs: what is done in time is its own answer") {
  ManualTime time;
  Loop loop;
  Jobs jobs(loop.executor());
  const auto answer = time.run(loop, jobs.run(plan(seconds(3), "done")));
  REQUIRE(answer);
  CHECK(answer->text == "done");
  REQUIRE(time.run(loop, stop(&jobs)));
}

TEST_CASE("mcp jobs: a long plan answers with a handle, by which its result is requested later") {
  ManualTime time;
  Loop loop;
  Jobs jobs(loop.executor());
  const auto first = time.run(loop, jobs.run(plan(seconds(120), "done")));
  REQUIRE(first);
  CHECK(time.elapsed() < seconds(60));
  CHECK(content_of(*first)["state"] == "running");
  const std::string handle = content_of(*first)["handle"];
  const auto second = time.run(loop, jobs.resume(handle));
  CHECK(content_of(*second)["handle"] == handle);
  for (int i = 0; i < 2; ++i) {  // a client may have lost the first answer
    const auto answer = time.run(loop, jobs.resume(handle));
    REQUIRE(answer);
    CHECK(answer->text == "done");
  }
  const auto unknown = time.run(loop, jobs.resume("another"));
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code() == errc::usage);
  REQUIRE(time.run(loop, stop(&jobs)));
}

TEST_CASE("mcp jobs: two who ask for the same plan both get its answer") {
  ManualTime time;
  Loop loop;
  Jobs jobs(loop.executor());
  const auto first = time.run(loop, jobs.run(plan(seconds(60), "done")));
  const std::string handle = content_of(*first)["handle"];
  const auto one = loop.start(jobs.resume(handle)), other = loop.start(jobs.resume(handle));
  CHECK(time.finish(loop, one)->text == "done");
  CHECK(time.finish(loop, other)->text == "done");
  REQUIRE(time.run(loop, stop(&jobs)));
}

TEST_CASE("mcp jobs: a call that is cancelled before its handle is known ends its plan") {
  ManualTime time;
  Loop loop;
  Jobs jobs(loop.executor());
  int ended = 0;
  const auto call = loop.start(jobs.run(plan(seconds(30), "done", &ended)));
  time.advance(loop, seconds(1));
  CHECK(ended == 0);
  call->cancel();
  time.advance(loop, {});
  CHECK(call->done());
  CHECK(ended == 1);
  REQUIRE(time.run(loop, stop(&jobs)));
}

TEST_CASE("mcp jobs: a plan goes on without a client, and ends when the server does") {
  ManualTime time;
  Loop loop;
  Jobs jobs(loop.executor());
  int ended = 0;
  REQUIRE(time.run(loop, jobs.run(plan(seconds(1000), "done", &ended))));
  CHECK(ended == 0);
  REQUIRE(time.run(loop, stop(&jobs)));
  CHECK(ended == 1);
}

TEST_CASE("mcp jobs: there is room for sixteen; results without a reader make room, plans do not") {
  ManualTime time;
  Loop loop;
  Jobs jobs(loop.executor());
  std::string first;
  for (std::size_t i = 0; i < Jobs::kMost; ++i) {
    const auto answer =
        time.run(loop, jobs.run(plan(i == 0 ? seconds(60) : seconds(5000), "done")));
    REQUIRE(answer);
    if (i == 0) first = content_of(*answer)["handle"];
  }
  REQUIRE(time.run(loop, jobs.run(plan(seconds(5000), "one more"))));
  CHECK_FALSE(time.run(loop, jobs.resume(first)));
  const auto refused = time.run(loop, jobs.run(plan(seconds(1), "too many")));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::limit);
  REQUIRE(time.run(loop, stop(&jobs)));
}
