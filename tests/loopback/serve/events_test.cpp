#include "runtime/serve/routes.hpp"

#include <catch2/catch.hpp>

#include "support/run_task.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::serve;

namespace {

// Reads what the first `takes` writes say, then is slow for ever.
class SlowReader final : public http::BodyWriter {
 public:
  explicit SlowReader(const asio::any_io_executor& executor, std::size_t takes)
      : takes_(takes), never_(executor) {}
  Task<void> write(std::string_view bytes) override {
    read += bytes;
    if (--takes_ == 0) co_await never_.wait();
    co_return ok();
  }
  std::string read;

 private:
  std::size_t takes_;
  adbproto::Signal never_;
};

http::Request asking(std::string name, std::string value) {
  http::Request request;
  request.query.emplace_back(std::move(name), std::move(value));
  return request;
}

}  // namespace

TEST_CASE("events: a stage comes before the result that it led to, however late both are read",
          "[loopback]") {
  const bool stage_first = GENERATE(true, false);  // in either order within one turn
  Loop loop;
  Service service{.defaults = nullptr,
                  .devices = nullptr,
                  .sessions = nullptr,
                  .log = nullptr,
                  .seen = {},
                  .files = nullptr,
                  .events = EventHub(loop.executor()),
                  .stages = EventHub(loop.executor())};
  auto answer = loop.run(answer_events(&service, {asking("stages", "true"), {}}));
  REQUIRE(answer);
  SlowReader reader(loop.executor(), 3);  // the greeting and two events
  const auto stream = loop.start(answer->stream(&reader));
  loop.settle();
  const std::string greeting = reader.read;
  if (stage_first) service.stages.publish("stage", "1");
  service.events.publish("result", "2");
  if (!stage_first) service.stages.publish("stage", "1");
  loop.settle();
  CHECK(reader.read == greeting + "event: stage\ndata: 1\n\nid: 1\nevent: result\ndata: 2\n\n");
  stream->cancel();
  loop.settle();
}
