// A phone that is lost again and again, at every point of connecting, opening, reading and
// writing: each operation ends as done or as a lost link, the phone is found again, and nothing
// stays behind.

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "adbproto/client/shell.hpp"
#include "runtime/device/supervisor.hpp"
#include "runtime/device/target_file.hpp"
#include "simdroid/simulation.hpp"
#include "support/cutting_proxy.hpp"
#include "support/device_bench.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;
using adbproto::Device;
using adbproto::Errc;
using adbproto::Error;
using adbproto::fail;
using adbproto::ok;
using adbproto::Result;
using adbproto::Task;

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kKeepsWhatWasFreed = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kKeepsWhatWasFreed = true;
#else
constexpr bool kKeepsWhatWasFreed = false;
#endif
#else
constexpr bool kKeepsWhatWasFreed = false;
#endif

std::size_t open_descriptors() {
  const auto folder = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(folder), end(folder)));
}

std::size_t resident_bytes() {
  std::size_t whole = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> whole >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

int drops_wanted() {
  const char* text = std::getenv("CLAWPERATOR_SOAK_DROPS");
  return text ? std::atoi(text) : 50;
}

Task<void> stop(Supervisor* supervisor, simdroid::Simulation* phone) {
  co_await supervisor->stop();
  co_await phone->stop();
  co_return ok();
}

// A command, a large read, a large write, a stream that is just held.
Task<void> work(std::shared_ptr<Device> device, unsigned kind) {
  if (kind == 0) {
    CO_TRY(const auto output, co_await adbproto::run_shell(device.get(), "getprop", 2s));
    co_return output.out.empty() ? Result<void>(fail(Errc::protocol, "no properties")) : ok();
  }
  CO_TRY(const auto stream,
         co_await device->open(kind == 1 ? "exec:screencap" : "shell,v2,raw:cat"));
  const adbproto::Bytes block(64 * 1024, std::byte{7});
  adbproto::Bytes buffer(64 * 1024);
  for (int i = 0; kind == 2 && i < 8; ++i) {
    CO_TRY_VOID(
        co_await stream->write_all(encode_shell_packet(adbproto::ShellId::standard_in, block)));
  }
  for (;;) {
    const auto size = co_await stream->read_some(buffer);
    if (!size && size.error().code() == Errc::closed) co_return ok();
    if (!size) co_return std::unexpected(size.error());
  }
}

struct Counts {
  int done = 0;
  int lost = 0;
  int absent = 0;  // asked for while it was away
};

}  // namespace

TEST_CASE("soak: a link that is cut again and again costs nothing that stays", "[soak]") {
  ManualTime time;
  DeviceBench host;
  host.server.stop();
  simdroid::SimOptions sim;
  sim.port = 0;
  auto phone = simdroid::Simulation::create(host.loop.executor(), sim);
  REQUIRE(phone);
  const auto port = (*phone)->listen();
  REQUIRE(port);
  CuttingProxy cable(host.loop, *port);
  REQUIRE(add_target(cable.address()));
  auto supervisor = time.run(host.loop, Supervisor::start({.target = host.options()}));
  REQUIRE(supervisor);

  std::mt19937 random(7);
  TargetOptions target;
  target.device = cable.address();
  Counts counts;
  std::size_t descriptors = 0;
  std::size_t resident = 0;
  const int drops = drops_wanted();
  constexpr int kWarmUp = 20;
  for (int i = 0; i < drops; ++i) {
    if (i == kWarmUp) {
      descriptors = open_descriptors();
      resident = resident_bytes();
    }
    cable.cut_after(random() % (1u << (random() % 20)));
    auto device = time.run(host.loop, (*supervisor)->open(target), 50ms);
    if (device) {
      auto working = host.loop.start(work(*std::move(device), random() % 3));
      for (int turn = 0; turn < 20 && !working->done(); ++turn) time.advance(host.loop, 1ms);
      cable.cut();
      const auto result = time.finish(host.loop, working);
      INFO("drop " << i);
      if (!result) CHECK(result.error().code() == Errc::link_lost);
      ++(result ? counts.done : counts.lost);
    } else {
      const Errc code = device.error().code();
      CHECK((code == Errc::device_not_found || code == Errc::link_lost));
      ++counts.absent;
    }
    cable.cut();
  }
  CHECK(static_cast<int>(cable.cuts()) >= drops);
  CHECK(counts.done + counts.lost >= drops / 2);
  CHECK(counts.lost > 0);

  auto whole = time.run(host.loop, (*supervisor)->open(target), 50ms);
  for (int i = 0; i < 5 && !whole; ++i) {
    time.advance(host.loop, 3s);
    whole = time.run(host.loop, (*supervisor)->open(target), 50ms);
  }
  REQUIRE(whole);
  CHECK(time.run(host.loop, work(*std::move(whole), 0)));
  host.loop.settle();
  CHECK(cable.links() == 1);
  CHECK(open_descriptors() <= descriptors + 4);  // a link more or less at that moment
  if (!kKeepsWhatWasFreed) CHECK(resident_bytes() < resident + (48u << 20));

  REQUIRE(time.run(host.loop, stop(supervisor->get(), phone->get())));
  supervisor->reset();
  host.loop.settle();
  CHECK(cable.links() == 0);
}
