#include <charconv>

#include "adbproto/base/clock.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/run_task.hpp"
#include "runtime/contract/json_text.hpp"
#include "simdroid/device/phone.hpp"
#include "simdroid/simulation.hpp"

namespace clawperator::cli {
namespace {

using adbproto::Errc;
using adbproto::Result;
using simdroid::SimOptions;

constexpr std::array kOptions{
    Option{"--listen", "", Arity::one, "<host:port>", "default 127.0.0.1:5555; port 0 is any"},
    Option{"--port", "", Arity::one, "<port>", "the port alone"},
    Option{"--profile", "", Arity::one, "<zero|phone>", "how long things take; default zero",
           "zero phone"},
    Option{"--phone", "", Arity::one, "<name>", "which phone it is; `list` names them",
           "list android-7 android-8 android-9 android-10 android-11 android-12 android-13 "
           "android-14 android-15 android-16 xiaomi oppo samsung huawei emulator"},
    Option{"--seed", "", Arity::one, "<number>", "of all jitter; default 1"},
    Option{"--serial", "", Arity::one, "<text>", "its ro.serialno; default SIM0DROID1"},
    Option{"--screens", "", Arity::one, "<folder>", "screen files on top of the bundled ones"},
    Option{"--auth", "", Arity::one, "<none|key|tls>", "what a host must show; default none",
           "none key tls"},
    Option{"--authorised", "", Arity::one, "<file>", "public keys that may come in, a line each"},
    Option{"--confirm-after", "", Arity::one, "<ms>", "when an offered key is confirmed"},
    Option{"--control", "", Arity::one, "<port-or-socket>", "takes simctl lines: faults, counters"},
};

template <class Number>
Result<void> read_number(std::string_view flag, std::string_view text, Number* into) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), *into);
  if (parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size()) return {};
  return adbproto::fail(Errc::usage, std::string(flag) + " is no number: " + std::string(text));
}

Result<void> read_address(std::string_view text, SimOptions* options) {
  const auto colon = text.rfind(':');
  if (colon == text.npos) return adbproto::fail(Errc::usage, "--listen must be HOST:PORT");
  options->host = text.substr(0, colon);
  return read_number("--listen", text.substr(colon + 1), &options->port);
}

Result<void> read_trust(const Arguments& arguments, SimOptions* options) {
  const auto* auth = arguments.value("--auth");
  if (auth && *auth == "key") options->auth = adbproto::Admission::key;
  if (auth && *auth == "tls") options->auth = adbproto::Admission::tls;
  if (const auto* file = arguments.value("--authorised")) options->authorised = *file;
  const auto* text = arguments.value("--confirm-after");
  if (!text) return {};
  std::uint32_t milliseconds = 0;
  TRY_VOID(read_number("--confirm-after", *text, &milliseconds));
  options->confirm_after = std::chrono::milliseconds(milliseconds);
  return {};
}

Result<void> read_phone(const Arguments& arguments, SimOptions* options) {
  const auto* name = arguments.value("--phone");
  if (!name) return {};
  options->phone = simdroid::find_phone_profile(*name);
  if (options->phone) return {};
  return adbproto::fail(Errc::usage,
                        "--phone knows no " + *name + "; `clawperator sim --phone list` names all");
}

Result<SimOptions> read_options(const Arguments& arguments) {
  SimOptions options;
  if (const auto* text = arguments.value("--listen")) TRY_VOID(read_address(*text, &options));
  if (const auto* text = arguments.value("--port")) {
    TRY_VOID(read_number("--port", *text, &options.port));
  }
  if (const auto* text = arguments.value("--seed")) {
    TRY_VOID(read_number("--seed", *text, &options.seed));
  }
  const auto* profile = arguments.value("--profile");
  if (profile && *profile == "phone") options.profile = simdroid::Profile::phone;
  if (const auto* serial = arguments.value("--serial")) options.serial = *serial;
  if (const auto* folder = arguments.value("--screens")) options.screens = *folder;
  if (const auto* control = arguments.value("--control")) options.control = *control;
  TRY_VOID(read_phone(arguments, &options));
  TRY_VOID(read_trust(arguments, &options));
  return options;
}

// The one document of this command, before its end: the caller needs the address now.
void print_address(const SimOptions& options, const std::string& serial, std::uint16_t port,
                   std::uint16_t control) {
  JsonObject json;
  json.text("address", options.host + ":" + std::to_string(port)).text("serial", serial);
  if (control != 0) json.text("control", "127.0.0.1:" + std::to_string(control));
  write_all(Stream::out, json.str() + "\n");
}

adbproto::Task<bool> simulate(SimOptions options) {
  const auto executor = co_await asio::this_coro::executor;
  CO_TRY(const auto simulation, simdroid::Simulation::create(executor, options));
  const auto port = simulation->listen();
  const auto control =
      port && !options.control.empty() ? simulation->listen_control() : Result<std::uint16_t>(0);
  if (port && control) {
    print_address(options, simulation->phone().identity().serial, *port, *control);
    adbproto::Timer until_cancelled(executor, adbproto::Clock::time_point::max());
    co_await until_cancelled.async_wait(adbproto::kNoThrow);
  }
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  co_await simulation->stop();
  if (!port) co_return std::unexpected(port.error());
  if (!control) co_return std::unexpected(control.error());
  co_return true;
}

Result<Answer> run_sim(const Invocation& invocation) {
  if (const auto* name = invocation.arguments.value("--phone"); name && *name == "list") {
    write_all(Stream::out, simdroid::list_phone_profiles());
    return Answer{};
  }
  TRY(const SimOptions options, read_options(invocation.arguments));
  TRY([[maybe_unused]] const bool ended, run_task(simulate(options)));
  return Answer{};
}

}  // namespace

constinit const Command kSim = {
    "sim",
    "",
    "[--listen <host:port>] [--phone <name>] [--profile zero|phone] [--seed <number>] [--auth "
    "none|key|tls]",
    "Be a simulated device until stopped",
    "Prints {\"address\",\"serial\"} once it listens. `adb connect <address>`, `clawperator "
    "connect\n"
    "<address>` or `--device <address> --transport tcp` reach it; its shell knows `simctl help`.\n"
    "`--phone list` tells the Android releases and makers' phones that it can be; `simctl phone\n"
    "NAME` changes it while it runs, `simctl reset` ends that.",
    "sim\n"
    "sim --phone samsung\n"
    "sim --listen 127.0.0.1:0 --profile phone --seed 7\n",
    Reach::host,
    kOptions,
    run_sim};

}  // namespace clawperator::cli
