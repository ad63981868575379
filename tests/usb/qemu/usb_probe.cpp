// Puts a phone on USB through its paces with our client library, and pulls its cable.
//
//   usb_probe SERIAL GADGET CASE...        CASE: a name of kCases below
//   usb_probe SERIAL,SERIAL - both         two phones at once
//
// One line per case, `ok NAME` or `FAIL NAME: why`; exit status 0 when all are ok.

#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "adbproto/client/shell.hpp"
#include "adbproto/client/usb_client.hpp"
#include "adbproto/wire/errc.hpp"
#include "adbproto/wire/services.hpp"

namespace {

using namespace std::chrono_literals;
using namespace adbproto;
using DevicePtr = std::unique_ptr<Device>;

struct Rig {
  std::unique_ptr<adbproto::UsbBus> bus;
  std::string serial;
  std::string gadget;
};

std::unexpected<Error> wrong(std::string why) { return fail(errc::unknown, std::move(why)); }

// `gadget VERB NAME` in the guest.
void gadget(const std::string& words) {
  if (std::system(("gadget " + words).c_str()) != 0)
    std::printf("-- gadget %s failed\n", words.c_str());
}

void gadget_soon(const std::string& words) {
  // Real time: the guest's kernel and its USB bus.
  const std::string line = "(usleep 300000; gadget " + words + ") &";
  if (std::system(line.c_str()) != 0) std::printf("-- cannot run %s\n", line.c_str());
}

const UsbDevice* find(const std::vector<UsbDevice>& devices, const std::string& serial) {
  for (const UsbDevice& device : devices) {
    if (device.serial == serial) return &device;
  }
  return nullptr;
}

Task<UsbDevice> await_device(Rig* rig, std::chrono::milliseconds limit = 10s) {
  const auto end = adbproto::Clock::now() + limit;
  while (adbproto::Clock::now() < end) {
    const auto devices = co_await rig->bus->devices();
    if (const UsbDevice* device = find(devices, rig->serial)) co_return *device;
    co_await sleep_for(20ms);  // Real time: the guest's bus.
  }
  co_return wrong("the bus never listed " + rig->serial);
}

Task<void> await_gone(Rig* rig) {
  const auto end = adbproto::Clock::now() + 5s;
  while (adbproto::Clock::now() < end) {
    const auto devices = co_await rig->bus->devices();
    if (find(devices, rig->serial) == nullptr) co_return ok();
    co_await sleep_for(20ms);  // Real time: the guest's bus.
  }
  co_return wrong("the bus still lists " + rig->serial);
}

Task<DevicePtr> reach(Rig* rig) {
  CO_TRY(const UsbDevice device, co_await await_device(rig));
  co_return co_await adbproto::connect_usb_device(rig->bus.get(), device, {});
}

Task<void> says_hello(Device* device) {
  CO_TRY(const ShellOutput output, co_await adbproto::run_shell(device, "echo hello; exit 3", 20s));
  if (output.out != "hello\n") co_return wrong("stdout is " + output.out);
  if (output.exit_status != 3) co_return wrong("exit status");
  co_return ok();
}

Bytes pattern(std::size_t size) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 31 + i / 251);
  return bytes;
}

// What goes to `cat` comes back.
Task<void> echoes(Device* device, std::size_t size) {
  CO_TRY(const auto stream, co_await device->open(adbproto::exec("cat")));
  const Bytes sent = pattern(size);
  CO_TRY_VOID(co_await stream->write_all(sent));
  Bytes received;
  Bytes piece(65536);
  while (received.size() < size) {
    CO_TRY(const std::size_t count, co_await stream->read_some(piece));
    append(received, ByteView(piece).first(count));
  }
  if (received != sent) co_return wrong("bytes were changed");
  co_return ok();
}

Task<void> commands(Rig* rig) {
  CO_TRY(const DevicePtr device, co_await reach(rig));
  CO_TRY_VOID(co_await says_hello(device.get()));
  std::string expected;
  for (int i = 1; i <= 100000; ++i) expected += std::to_string(i) + "\n";
  CO_TRY(const ShellOutput output, co_await adbproto::run_shell(device.get(), "seq 1 100000", 20s));
  if (output.out != expected) co_return wrong("large output: " + std::to_string(output.out.size()));
  const auto refused = co_await device->open("nosuchservice:");
  if (refused || refused.error().code() != errc::refused) co_return wrong("not refused");
  co_return ok();
}

// Around every packet size of USB, the phone's 16 KiB pieces, and our own.
Task<void> sizes(Rig* rig) {
  CO_TRY(const DevicePtr device, co_await reach(rig));
  for (const std::size_t size : {1u, 63u, 64u, 65u, 511u, 512u, 513u, 1023u, 1024u, 1025u, 16383u,
                                 16384u, 16385u, 262144u, 300001u}) {
    auto outcome = co_await with_deadline(echoes(device.get(), size), 20s, "an echo");
    if (!outcome) co_return wrong(std::to_string(size) + " bytes: " + outcome.error().message());
  }
  co_return ok();
}

// A stream waits for data while `how` happens: it ends at once, and the device is reported lost.
Task<void> loses(Rig* rig, std::string how, bool leaves) {
  CO_TRY(const DevicePtr device, co_await reach(rig));
  CO_TRY_VOID(co_await says_hello(device.get()));
  CO_TRY(const auto stream, co_await device->open(adbproto::exec("cat")));
  gadget_soon(how);
  std::byte byte{};
  const auto read = co_await with_deadline(stream->read_some({&byte, 1}), 5s, "the loss");
  if (read) co_return wrong("the stream goes on");
  if (read.error().code() != errc::link_lost)
    co_return wrong("the stream ends with: " + read.error().message());
  const auto opened = co_await device->open("exec:true");
  if (opened) co_return wrong("streams can still be opened");
  if (leaves) CO_TRY_VOID(co_await await_gone(rig));
  co_return ok();
}

Task<void> returns(Rig* rig) {
  CO_TRY(const DevicePtr device, co_await reach(rig));
  co_return co_await says_hello(device.get());
}

Task<void> unplug(Rig* rig) {
  CO_TRY_VOID(co_await loses(rig, "unplug " + rig->gadget, true));
  gadget("plug " + rig->gadget);
  co_return co_await returns(rig);
}

Task<void> pull_down(Rig* rig) {
  CO_TRY_VOID(co_await loses(rig, "pull-down " + rig->gadget, true));
  gadget("unplug " + rig->gadget);
  gadget("plug " + rig->gadget);
  co_return co_await returns(rig);
}

Task<void> port_reset(Rig* rig) {
  CO_TRY_VOID(co_await loses(rig, "reset-port " + rig->serial, false));
  co_return co_await returns(rig);
}

Task<void> forbidden(Rig* rig) {
  CO_TRY_VOID(co_await loses(rig, "forbid " + rig->serial, false));
  gadget("allow " + rig->serial);
  co_return co_await returns(rig);
}

// Leaves in the middle of output: what is unread waits for the next talk.
Task<void> leave_early(Rig* rig) {
  CO_TRY(const DevicePtr device, co_await reach(rig));
  CO_TRY(const auto stream, co_await device->open(adbproto::shell_v2_raw("seq 1 20000")));
  Bytes some(1000);
  CO_TRY_VOID(co_await stream->read_some(some));
  co_return ok();
}

// adbd may fall over what it could not write to the host before, and drop off the bus just after
// its CNXN. That may happen, but not often, and nothing may hang.
Task<void> reconnects(Rig* rig) {
  constexpr int kRounds = 60;
  constexpr int kMaxDrops = 6;
  std::string drops;
  int count = 0;
  for (int i = 0; i < kRounds; ++i) {
    const auto outcome = co_await with_deadline(leave_early(rig), 10s, "a connection");
    if (outcome) continue;
    drops += std::to_string(i) + ": " + outcome.error().message() + "; ";
    if (++count > kMaxDrops || outcome.error().code() == errc::deadline_exceeded)
      co_return wrong(drops);
    co_await sleep_for(500ms);  // Real time: the guest's phone comes back.
  }
  if (count > 0) std::printf("-- dropped %s\n", drops.c_str());
  co_return co_await returns(rig);
}

// The phone dies somewhere in a transfer; it was started so.
Task<void> dies(Rig* rig) {
  CO_TRY(const DevicePtr device, co_await reach(rig));
  auto output = co_await adbproto::run_shell(device.get(), "seq 1 1000000", 20s);
  if (output) co_return wrong("the phone lives");
  if (output.error().code() == errc::deadline_exceeded) co_return wrong("the loss went unnoticed");
  co_return co_await await_gone(rig);
}

// The IN endpoint halted during the talk; whatever becomes of it, the next one works.
Task<void> stalls(Rig* rig) {
  const auto first = co_await with_deadline(returns(rig), 15s, "the stalled talk");
  if (!first && first.error().code() == errc::deadline_exceeded) co_return wrong("it hangs");
  co_return co_await returns(rig);
}

Task<void> many_echoes(Rig* rig) {
  CO_TRY(const DevicePtr device, co_await reach(rig));
  for (int i = 0; i < 20; ++i) CO_TRY_VOID(co_await echoes(device.get(), 100000));
  CO_TRY(const ShellOutput output,
         co_await adbproto::run_shell(device.get(), "getprop ro.serialno", 20s));
  if (device->serial() != rig->serial) co_return wrong("this is " + device->serial());
  co_return ok();
}

Task<void> both(Rig* rig) {
  using namespace base::parallel;
  const auto comma = rig->serial.find(',');
  if (comma == std::string::npos) co_return wrong("two serials are needed");
  CO_TRY(auto bus, adbproto::UsbBus::start(co_await asio::this_coro::executor));
  Rig other{std::move(bus), rig->serial.substr(comma + 1), {}};
  rig->serial.resize(comma);
  auto [mine, yours] = co_await (many_echoes(rig) && many_echoes(&other));
  CO_TRY_VOID(mine);
  co_return yours;
}

struct Case {
  std::string_view name;
  Task<void> (*run)(Rig*);
};

constexpr Case kCases[] = {
    {"commands", commands},
    {"sizes", sizes},
    {"unplug", unplug},
    {"pull-down", pull_down},
    {"port-reset", port_reset},
    {"forbid", forbidden},
    {"reconnects", reconnects},
    {"dies", dies},
    {"stalls", stalls},
    {"returns", returns},
    {"both", both},
};

Task<void> run_case(Rig* rig, std::string_view name) {
  for (const Case& each : kCases) {
    if (each.name == name) co_return co_await with_deadline(each.run(rig), 60s, "the case");
  }
  co_return wrong("there is no such case");
}

Task<int> run_all(std::vector<std::string> words) {
  CO_TRY(auto bus, adbproto::UsbBus::start(co_await asio::this_coro::executor));
  Rig rig{std::move(bus), words.at(0), words.at(1)};
  int failed = 0;
  for (std::size_t i = 2; i < words.size(); ++i) {
    const auto began = adbproto::Clock::now();
    const auto outcome = co_await run_case(&rig, words[i]);
    const double seconds = std::chrono::duration<double>(adbproto::Clock::now() - began).count();
    if (outcome) {
      std::printf("ok %s\n-- %.2f s\n", words[i].c_str(), seconds);
    } else {
      std::printf("FAIL %s: %s\n", words[i].c_str(), outcome.error().message().c_str());
      ++failed;
    }
    std::fflush(stdout);
  }
  co_return failed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: usb_probe SERIAL[,SERIAL] GADGET CASE...\n");
    return 2;
  }
  asio::io_context context(1);
  int status = 1;
  asio::co_spawn(context, run_all(std::vector<std::string>(argv + 1, argv + argc)),
                 [&](const std::exception_ptr& thrown, const Result<int>& failed) {
                   if (!thrown && failed) status = *failed == 0 ? 0 : 1;
                   if (!thrown && !failed)
                     std::printf("FAIL usb_probe: %s\n", failed.error().message().c_str());
                 });
  context.run();
  return status;
}
