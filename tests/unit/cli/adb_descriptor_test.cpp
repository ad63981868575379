#include "cli/descriptor.hpp"

#include <catch2/catch.hpp>
#include <csignal>

#include "support/pipe.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/stream_io.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using clawperator::cli::Descriptor;

TEST_CASE("descriptor: a full pipe stops its writer only") {
  Loop loop;
  Pipe pipe;
  Descriptor out(loop.executor(), pipe.write_end(), Descriptor::Direction::out);
  const Bytes all = noise(1 << 20);
  const auto writing = loop.start(out.write_all(all));
  loop.settle();
  REQUIRE_FALSE(writing->done());

  std::string seen;
  while (seen.size() < all.size()) {
    const std::string part = pipe.take();
    REQUIRE_FALSE(part.empty());
    seen += part;
    loop.settle();
  }
  CHECK(seen == as_text(all));
  CHECK(loop.finish(writing).has_value());
}

TEST_CASE("descriptor: a pipe without a reader is closed") {
  Loop loop;
  Pipe pipe;
  ::signal(SIGPIPE, SIG_IGN);
  Descriptor out(loop.executor(), pipe.write_end(), Descriptor::Direction::out);
  pipe.close_read();
  const auto written = loop.run(out.write_all(as_bytes("hello")));
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().code() == errc::closed);
}

TEST_CASE("descriptor: what takes everything gets everything") {
  Loop loop;
  const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  REQUIRE(null >= 0);
  Descriptor out(loop.executor(), null, Descriptor::Direction::out);
  CHECK(loop.run(out.write_all(noise(300'000))).has_value());
  ::close(null);
}
