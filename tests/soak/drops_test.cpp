// A phone that is lost again and again, at every point of connecting, opening, reading and
// writing: each operation ends as done or as a lost link, the phone is found again, and nothing
// stays behind.

#include <malloc.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "adbproto/client/shell.hpp"
#include "adbproto/wire/errc.hpp"
#include "runtime/device/supervisor/supervisor.hpp"
#include "runtime/device/target_file.hpp"
#include "simdroid/device/phone.hpp"
#include "simdroid/simulation.hpp"
#include "support/cutting_proxy.hpp"
#include "support/device_bench.hpp"
#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CLAWPERATOR_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CLAWPERATOR_SANITIZED 1
#endif
#endif

#if defined(CLAWPERATOR_SANITIZED)
#include <sanitizer/allocator_interface.h>
#endif

using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;
using namespace adbproto;

namespace {

// On the heap, coroutines included.
std::size_t live_bytes() {
#if defined(CLAWPERATOR_SANITIZED)
  return __sanitizer_get_current_allocated_bytes();
#else
  const auto heap = ::mallinfo2();
  return heap.uordblks + heap.hblkhd;
#endif
}

std::size_t open_descriptors() {
  const auto folder = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(folder), end(folder)));
}

constexpr int kWarmUp = 20;
constexpr std::size_t kSlack = 16 * 1024;

int drops_wanted() {
  const char* text = std::getenv("CLAWPERATOR_SOAK_DROPS");
  return text ? std::atoi(text) : 50;
}

template <class Stoppable>
Task<void> stop(Stoppable* one) {
  co_await one->stop();
  co_return ok();
}

// A command, a large read, a large write, a stream that is just held.
Task<void> work(std::shared_ptr<Device> device, unsigned kind) {
  if (kind == 0) {
    CO_TRY(const auto output, co_await adbproto::run_shell(device.get(), "getprop", 2s));
    co_return output.out.empty() ? Result<void>(fail(errc::protocol, "no properties")) : ok();
  }
  CO_TRY(const auto stream,
         co_await device->open(kind == 1 ? "exec:screencap" : "shell,v2,raw:cat"));
  const Bytes block(64 * 1024, std::byte{7});
  Bytes buffer(64 * 1024);
  for (int i = 0; kind == 2 && i < 8; ++i) {
    CO_TRY_VOID(
        co_await stream->write_all(encode_shell_packet(adbproto::ShellId::standard_in, block)));
  }
  for (;;) {
    const auto size = co_await stream->read_some(buffer);
    if (!size && size.error().code() == errc::closed) co_return ok();
    if (!size) co_return std::unexpected(size.error());
  }
}

struct Counts {
  int done = 0;
  int lost = 0;
  int absent = 0;  // asked for while it was away
};

// What is held while one link is up and nothing is under way.
struct Holdings {
  std::size_t descriptors = 0;
  std::size_t bytes = 0;
};

// A supervisor and what it reaches; drops come from outside.
struct Soak {
  ManualTime time;
  DeviceBench host;
  std::unique_ptr<Supervisor> supervisor;
  TargetOptions target;
  std::mt19937 random{7};
  Counts counts;

  void start() {
    auto started = time.run(host.loop, Supervisor::start({.target = host.options()}));
    REQUIRE(started);
    supervisor = *std::move(started);
  }
  ~Soak() {
    if (supervisor) time.run(host.loop, stop(supervisor.get()));
  }

  void count(const Result<void>& worked) { ++(worked ? counts.done : counts.lost); }

  Holdings at_rest() {
    auto device = time.run(host.loop, supervisor->open(target), 50ms);
    for (int i = 0; i < 5 && !device; ++i) {
      time.advance(host.loop, 3s);
      device = time.run(host.loop, supervisor->open(target), 50ms);
    }
    REQUIRE(device);
    REQUIRE(time.run(host.loop, work(*std::move(device), 0)));
    time.advance(host.loop, 3s);
    return {open_descriptors(), live_bytes()};
  }

  void check_nothing_stays(const Holdings& before, int drops) {
    const Holdings after = at_rest();
    CHECK(counts.done + counts.lost >= drops / 2);
    CHECK(counts.lost > 0);
    CHECK(after.descriptors <= before.descriptors);
    CHECK(after.bytes <= before.bytes + kSlack);
  }
};

}  // namespace

TEST_CASE("soak: a link that is cut again and again costs nothing that stays", "[soak]") {
  Soak at;
  at.host.server.stop();
  simdroid::SimOptions sim;
  sim.port = 0;
  auto phone = simdroid::Simulation::create(at.host.loop.executor(), sim);
  REQUIRE(phone);
  const auto port = (*phone)->listen();
  REQUIRE(port);
  CuttingProxy cable(at.host.loop, *port);
  REQUIRE(run_task(add_target(cable.address())));
  at.target.device = cable.address();
  at.start();

  const int drops = drops_wanted();
  Holdings before;
  for (int i = 0; i < drops; ++i) {
    if (i == kWarmUp) {
      (*phone)->phone().received.reset();  // the phone's own record is no cost of a link
      before = at.at_rest();
    }
    cable.cut_after(at.random() % (1u << (at.random() % 20)));
    auto device = at.time.run(at.host.loop, at.supervisor->open(at.target), 50ms);
    if (device) {
      auto working = at.host.loop.start(work(*std::move(device), at.random() % 3));
      for (int turn = 0; turn < 20 && !working->done(); ++turn) at.time.advance(at.host.loop, 1ms);
      cable.cut();
      const auto result = at.time.finish(at.host.loop, working);
      INFO("drop " << i);
      if (!result) CHECK(result.error().code() == errc::link_lost);
      at.count(result);
    } else {
      const Errc code = device.error().code();
      CHECK((code == errc::device_not_found || code == errc::link_lost));
      ++at.counts.absent;
    }
    cable.cut();
  }
  CHECK(static_cast<int>(cable.cuts()) >= drops);
  (*phone)->phone().received.reset();
  at.check_nothing_stays(before, drops);
  CHECK(cable.links() == 1);
  REQUIRE(at.time.run(at.host.loop, stop(at.supervisor.get())));
  at.supervisor.reset();
  at.host.loop.settle();
  CHECK(cable.links() == 0);
  REQUIRE(at.time.run(at.host.loop, stop(phone->get())));
}

// Its replies end anywhere, then it is gone for a while.
TEST_CASE("soak: an adb server that dies again and again costs nothing that stays", "[soak]") {
  Soak at;
  at.host.server_lists({"SN-1 device usb:1-2"});
  at.host.server.answers("shell,v2,raw:getprop", "OKAY" + shell_output("[a]: [b]\n"));
  at.host.server.answers("shell,v2,raw:cat", "OKAY", After::is_silent);
  at.target.device = "SN-1";
  at.start();

  const int drops = drops_wanted();
  Holdings before;
  for (int i = 0; i < drops; ++i) {
    if (i == kWarmUp) before = at.at_rest();
    at.host.server.cut_replies_at(at.random() % 400);
    auto device = at.time.run(at.host.loop, at.supervisor->open(at.target), 50ms);
    if (device) {
      auto working = at.host.loop.start(work(*std::move(device), at.random() % 2 * 2));
      for (int turn = 0; turn < 3 && !working->done(); ++turn) at.time.advance(at.host.loop, 1ms);
      at.host.server.stop();
      const auto result = at.time.finish(at.host.loop, working);
      INFO("drop " << i);
      if (!result) CHECK(result.error().code() == errc::link_lost);
      at.count(result);
    } else {
      ++at.counts.absent;
    }
    at.host.server.stop();
    at.time.advance(at.host.loop, 100ms);
    at.host.server.forget_requests();
    at.host.server.cut_replies_at(std::numeric_limits<std::size_t>::max());
    at.host.server.start_again();
    at.time.advance(at.host.loop, 5s);
  }
  at.check_nothing_stays(before, drops);
}
