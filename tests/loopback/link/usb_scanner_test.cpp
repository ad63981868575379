#include "adbproto/link/usb_sysfs.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "support/manual_time.hpp"
#include "support/print_result.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::chrono_literals;

namespace {

using Names = std::vector<std::string>;

std::optional<UsbEntry> phone(std::uint8_t number, const std::string& serial) {
  UsbEntry entry{};
  entry.device.device_number = number;
  entry.device.serial = serial;
  return entry;
}

// A sysfs in memory, whose reads hang while the test holds the device. At the end it lets go of all
// and waits for the readers.
class HeldSysfs {
 public:
  HeldSysfs() = default;
  ~HeldSysfs() {
    {
      const std::lock_guard lock(state_->mutex);
      state_->held.clear();
      state_->let_go.notify_all();
    }
    while (state_.use_count() > 1) std::this_thread::yield();
  }
  HeldSysfs(const HeldSysfs&) = delete;
  HeldSysfs& operator=(const HeldSysfs&) = delete;

  void plug(const std::string& name, std::uint8_t number, std::optional<UsbEntry> entry) {
    const std::lock_guard lock(state_->mutex);
    state_->there[name] = {number, std::move(entry)};
  }
  void unplug(const std::string& name) {
    const std::lock_guard lock(state_->mutex);
    state_->there.erase(name);
  }
  void hold(const std::string& name) {
    const std::lock_guard lock(state_->mutex);
    state_->held.insert(name);
  }
  void let_go(const std::string& name) {
    const std::lock_guard lock(state_->mutex);
    state_->held.erase(name);
    state_->let_go.notify_all();
  }
  [[nodiscard]] int reads(const std::string& name) const {
    const std::lock_guard lock(state_->mutex);
    return state_->reads[name];
  }

  [[nodiscard]] Sysfs sysfs() const {
    return {.list = [state = state_] { return state->list(); },
            .read = [state = state_](const UsbPlace& place) { return state->read(place.name); }};
  }

 private:
  struct State {
    Result<std::vector<UsbPlace>> list() {
      const std::lock_guard lock(mutex);
      std::vector<UsbPlace> places;
      places.reserve(there.size());
      for (const auto& [name, device] : there)
        places.push_back({.name = name, .device_number = device.first});
      return places;
    }
    std::optional<UsbEntry> read(const std::string& name) {
      std::unique_lock lock(mutex);
      ++reads[name];
      std::optional<UsbEntry> found;
      if (there.contains(name)) found = there[name].second;
      let_go.wait(lock, [&] { return !held.contains(name); });
      return found;
    }

    std::mutex mutex;
    std::condition_variable let_go;
    std::map<std::string, std::pair<std::uint8_t, std::optional<UsbEntry>>> there;
    std::set<std::string> held;
    std::map<std::string, int> reads;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

struct ScannerBench {
  HeldSysfs bus;
  ManualTime time;
  Loop loop;
  UsbScanner scanner{loop.executor(), bus.sysfs()};

  static Task<Names> serials(UsbScanner* scanner) {
    Names found;
    for (const UsbEntry& entry : co_await scanner->scan()) found.push_back(entry.device.serial);
    co_return found;
  }
  std::shared_ptr<Started<Names>> start_scan() {
    auto started = loop.start(serials(&scanner));
    loop.settle();
    return started;
  }
  Names scan() { return loop.run(serials(&scanner)).value(); }
};

}  // namespace

TEST_CASE("usb scanner: where there is no device no thread is started, no time passes") {
  ScannerBench at;
  const auto scan = at.start_scan();
  REQUIRE(scan->done());
  CHECK(scan->result() == Names{});
}

TEST_CASE("usb scanner: no USB at all is an empty bus") {
  Loop loop;
  UsbScanner scanner(loop.executor(), {.list = []() -> Result<std::vector<UsbPlace>> {
                       return fail(errc::unsupported, "no USB");
                     }});
  CHECK(loop.run(ScannerBench::serials(&scanner)) == Names{});
}

TEST_CASE("usb scanner: phones come sorted, and anew with every scan") {
  ScannerBench at;
  at.bus.plug("1-2", 5, phone(5, "TWO"));
  at.bus.plug("1-1", 4, phone(4, "ONE"));
  CHECK(at.scan() == Names{"ONE", "TWO"});
  at.bus.plug("1-1", 4, phone(4, "ONE, changed"));
  at.bus.unplug("1-2");
  CHECK(at.scan() == Names{"ONE, changed"});
  CHECK(at.scanner.seen().size() == 1);
}

TEST_CASE("usb scanner: a phone that is not configured yet is seen once it is") {
  ScannerBench at;
  at.bus.plug("1-1", 4, std::nullopt);
  CHECK(at.scan().empty());
  at.bus.plug("1-1", 4, phone(4, "NEW"));
  CHECK(at.scan() == Names{"NEW"});
}

TEST_CASE("usb scanner: a phone that hangs delays the others by a second at most") {
  ScannerBench at;
  at.bus.plug("1-1", 4, phone(4, "DYING"));
  at.bus.plug("1-2", 5, phone(5, "FINE"));
  at.bus.hold("1-1");
  const auto scan = at.start_scan();
  CHECK(at.loop.run([]() -> Task<int> { co_return 7; }()).value() == 7);
  // Until the healthy one has been read, and the other begun.
  while (at.scanner.seen().empty() || at.bus.reads("1-1") == 0) at.loop.settle();
  at.time.advance(at.loop, 999ms);
  CHECK_FALSE(scan->done());
  at.time.advance(at.loop, 1ms);
  REQUIRE(scan->done());
  CHECK(scan->result() == Names{"FINE"});
  // The next ones do not wait for it, nor ask for it again.
  CHECK(at.scan() == Names{"FINE"});
  CHECK(at.scan() == Names{"FINE"});
  CHECK(at.bus.reads("1-1") == 1);
  at.bus.let_go("1-1");
  while (at.scan() != Names{"DYING", "FINE"}) at.time.advance(at.loop, 1ms);
}

TEST_CASE("usb scanner: a phone that hangs is shown as it was") {
  ScannerBench at;
  at.bus.plug("1-1", 4, phone(4, "DYING"));
  CHECK(at.scan() == Names{"DYING"});
  at.bus.hold("1-1");
  const auto scan = at.start_scan();
  at.time.advance(at.loop, 1s);
  REQUIRE(scan->done());
  CHECK(scan->result() == Names{"DYING"});
  at.bus.unplug("1-1");
  CHECK(at.scan() == Names{});
}

TEST_CASE("usb scanner: what is read of a phone that left is not the next one's") {
  ScannerBench at;
  at.bus.plug("1-1", 4, phone(4, "OLD"));
  at.bus.hold("1-1");
  const auto first = at.start_scan();
  while (at.bus.reads("1-1") == 0) std::this_thread::yield();
  at.time.advance(at.loop, 1s);
  REQUIRE(first->done());
  at.bus.plug("1-1", 5, phone(5, "NEW"));
  const auto second = at.start_scan();
  CHECK(second->done());
  at.bus.let_go("1-1");
  while (at.bus.reads("1-1") < 2) at.loop.settle();
  Names seen;
  while (seen.empty()) seen = at.scan();
  CHECK(seen == Names{"NEW"});
}

TEST_CASE("usb scanner: who asks while a read is under way gets what is newer") {
  ScannerBench at;
  at.bus.plug("1-1", 4, phone(4, "BEFORE"));
  at.bus.hold("1-1");
  const auto first = at.start_scan();
  while (at.bus.reads("1-1") == 0) std::this_thread::yield();
  at.bus.plug("1-1", 4, phone(4, "AFTER"));
  const auto second = at.start_scan();
  at.bus.let_go("1-1");
  CHECK(at.loop.finish(second) == Names{"AFTER"});
  CHECK(at.loop.finish(first));
}

TEST_CASE("usb scanner: a scan can be cancelled and its scanner may go while a phone hangs") {
  ScannerBench at;
  at.bus.plug("1-1", 4, phone(4, "DYING"));
  at.bus.hold("1-1");
  {
    UsbScanner other(at.loop.executor(), at.bus.sysfs());
    const auto scan = at.loop.start(ScannerBench::serials(&other));
    at.loop.settle();
    scan->cancel();
    at.loop.settle();
    CHECK(scan->done());
  }
  at.loop.settle();
  const auto scan = at.start_scan();  // and the loop goes first
  CHECK_FALSE(scan->done());
}
