// Puts a real adbd through its paces with our client library.
//
//   adbd_probe direct HOST:PORT [delayed_ack]     over TCP, without a server
//   adbd_probe server HOST:PORT SERIAL            through the adb server at HOST:PORT
//
// One line per case, `ok NAME` or `FAIL NAME: why`; exit status 0 when all are ok.

#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "adbproto/client/direct_client.hpp"
#include "adbproto/client/server_client.hpp"
#include "adbproto/client/shell.hpp"
#include "adbproto/wire/services.hpp"
#include "base/async/signal.hpp"

namespace {

using namespace std::chrono_literals;
using namespace adbproto;

std::unexpected<Error> wrong(std::string why) { return fail(errc::unknown, std::move(why)); }

Task<ShellOutput> shell(Device* device, std::string command) {
  return adbproto::run_service(device, adbproto::shell_v2_raw(command), Framing::shell_v2, 20s);
}

Task<ShellOutput> unframed(Device* device, std::string service) {
  return adbproto::run_service(device, std::move(service), Framing::raw, 20s);
}

// What `seq 1 last` prints.
std::string numbers(int last) {
  std::string text;
  for (int i = 1; i <= last; ++i) text += std::to_string(i) + "\n";
  return text;
}

Task<void> exit_statuses(Device* device) {
  for (const int status : {0, 1, 7, 127, 255}) {
    CO_TRY(const ShellOutput output, co_await shell(device, "exit " + std::to_string(status)));
    if (output.exit_status != status) co_return wrong("exit " + std::to_string(status));
  }
  co_return ok();
}

Task<void> separate_outputs(Device* device) {
  CO_TRY(const ShellOutput output, co_await shell(device, "echo one; echo two >&2; exit 3"));
  if (output.out != "one\n") co_return wrong("stdout is " + output.out);
  if (output.err != "two\n") co_return wrong("stderr is " + output.err);
  if (output.exit_status != 3) co_return wrong("exit status");
  co_return ok();
}

Task<void> exec_is_raw(Device* device) {
  CO_TRY(const ShellOutput output,
         co_await unframed(device, adbproto::exec("printf 'a\\r\\n\\0b'")));
  if (output.out != std::string("a\r\n\0b", 5)) co_return wrong("bytes were changed");
  co_return ok();
}

Task<void> large_output(Device* device) {
  const std::string expected = numbers(2000000);  // 15 MB
  CO_TRY(const ShellOutput framed, co_await shell(device, "seq 1 2000000"));
  if (framed.out != expected) co_return wrong("shell: " + std::to_string(framed.out.size()));
  CO_TRY(const ShellOutput raw, co_await unframed(device, adbproto::exec("seq 1 2000000")));
  if (raw.out != expected) co_return wrong("exec: " + std::to_string(raw.out.size()));
  co_return ok();
}

Task<void> standard_input(Device* device) {
  CO_TRY(const auto stream, co_await device->open(adbproto::shell_v2_raw("md5sum; echo done")));
  const std::string text = numbers(200000);  // more than one packet
  for (std::size_t at = 0; at < text.size(); at += 60000) {
    const auto piece = std::string_view(text).substr(at, 60000);
    const auto packet = encode_shell_packet(ShellId::standard_in, as_bytes(piece));
    CO_TRY_VOID(co_await stream->write_all(packet));
  }
  const auto end = encode_shell_packet(ShellId::close_stdin, {});
  CO_TRY_VOID(co_await stream->write_all(end));
  CO_TRY(const auto sent, co_await read_shell_output(stream.get(), Framing::shell_v2));
  CO_TRY(const auto local, co_await shell(device, "seq 1 200000 | md5sum; echo done"));
  if (sent.out != local.out) co_return wrong("stdin arrived changed: " + sent.out);
  co_return ok();
}

Task<void> many_streams(Device* device) {
  constexpr int kStreams = 64;
  const auto executor = co_await asio::this_coro::executor;
  auto pending = std::make_shared<int>(kStreams);
  auto failures = std::make_shared<std::string>();
  auto ended = std::make_shared<Signal>(executor);
  for (int i = 0; i < kStreams; ++i) {
    const std::string last = std::to_string(1000 + i);
    asio::co_spawn(executor, shell(device, "seq 1 " + last + "; exit " + std::to_string(i)),
                   [=](const std::exception_ptr& thrown, Result<ShellOutput> output) {
                     --*pending;
                     const bool good = !thrown && output && output->exit_status == i &&
                                       output->out == numbers(1000 + i);
                     if (!good) *failures += " " + std::to_string(i);
                     ended->notify_all();
                   });
  }
  co_await wait_until(ended.get(), [pending] { return *pending == 0; });
  if (!failures->empty()) co_return wrong("streams" + *failures);
  co_return ok();
}

Task<void> refused_service(Device* device) {
  const auto stream = co_await device->open("nosuchservice:");
  if (stream) co_return wrong("was accepted");
  if (stream.error().code() != errc::refused) co_return wrong(stream.error().message());
  co_return ok();
}

// Leaves streams in the middle: adbd's late WRTE and its second CLSE meet ids that are gone.
Task<void> abandoned_streams(Device* device) {
  for (int i = 0; i < 20; ++i) {
    CO_TRY(const auto stream, co_await device->open(adbproto::shell_v2_raw("seq 1 100000")));
    Bytes some(1000);
    CO_TRY_VOID(co_await stream->read_some(some));
    stream->close();
  }
  for (int i = 0; i < 50; ++i) {
    CO_TRY(const ShellOutput output, co_await shell(device, "true"));
    if (output.exit_status != 0) co_return wrong("exit status after abandoned streams");
  }
  co_return ok();
}

struct Case {
  const char* name;
  Task<void> (*run)(Device*);
};

constexpr Case kCases[] = {
    {"exit statuses", exit_statuses},
    {"stdout and stderr are separate", separate_outputs},
    {"exec is raw", exec_is_raw},
    {"large output", large_output},
    {"standard input", standard_input},
    {"many streams at once", many_streams},
    {"a service that does not exist is refused", refused_service},
    {"abandoned streams", abandoned_streams},
};

bool is_direct(const std::vector<std::string>& arguments) {
  return arguments.size() > 1 && arguments[0] == "direct";
}

Task<std::unique_ptr<Device>> dial(std::vector<std::string> arguments,
                                   std::optional<EarlyOpen> early = {}) {
  adbproto::DirectOptions options;
  options.early = std::move(early);
  if (arguments.size() > 2) options.delayed_ack = adbproto::DelayedAck::announced;
  CO_TRY(const auto address, adbproto::parse_device_address(arguments[1]));
  co_return co_await adbproto::connect_device(address, options);
}

// What is opened behind the first packet runs once, whether or not its flow control is the one that
// is agreed on.
Task<void> early_opens(std::vector<std::string> arguments) {
  const std::string service = adbproto::shell_v2_raw("echo ran >>early; cat early");
  for (const bool expected : {false, true}) {
    CO_TRY(const auto device, co_await dial(arguments, EarlyOpen{service, expected}));
    CO_TRY(const auto stream, co_await device->open(service));
    CO_TRY(const auto printed, co_await read_shell_output(stream.get(), Framing::shell_v2));
    CO_TRY_VOID(co_await shell(device.get(), "rm early"));
    if (printed.out != "ran\n") co_return wrong("it printed " + printed.out);
    if (!device->facts().agreed_at_once) co_return wrong("it asked for a key");
  }
  co_return ok();
}

Task<std::unique_ptr<Device>> reach(std::vector<std::string> arguments) {
  if (is_direct(arguments)) co_return co_await dial(arguments);
  if (arguments.size() > 2 && arguments[0] == "server") {
    CO_TRY(const auto address, adbproto::parse_server_address(arguments[1]));
    adbproto::ServerClient server(address);
    co_return co_await server.device(arguments[2]);
  }
  co_return wrong("usage: adbd_probe direct HOST:PORT [delayed_ack] | server HOST:PORT SERIAL");
}

// How many failed.
int print_outcome(const char* name, const Result<void>& outcome) {
  if (outcome) {
    std::printf("ok %s\n", name);
  } else {
    std::printf("FAIL %s: %s\n", name, outcome.error().message().c_str());
  }
  std::fflush(stdout);
  return outcome ? 0 : 1;
}

Task<int> run_all(std::vector<std::string> arguments) {
  CO_TRY(const auto device, co_await reach(arguments));
  int failed = 0;
  for (const Case& each : kCases) {
    const auto done = co_await with_deadline(each.run(device.get()), 60s, each.name);
    failed += print_outcome(each.name, done);
  }
  if (is_direct(arguments)) {
    const auto done = co_await with_deadline(early_opens(arguments), 60s, "early opens");
    failed += print_outcome("early opens", done);
  }
  co_return failed;
}

}  // namespace

int main(int argc, char** argv) {
  asio::io_context context(1);
  int status = 1;
  asio::co_spawn(context, run_all(std::vector<std::string>(argv + 1, argv + argc)),
                 [&](const std::exception_ptr& thrown, const Result<int>& failed) {
                   if (!thrown && failed) status = *failed == 0 ? 0 : 1;
                   if (!failed) std::printf("FAIL %s\n", failed.error().message().c_str());
                 });
  context.run();
  return status;
}
