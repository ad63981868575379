// simdroid: a simulated Android device that the real adb can connect to.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <asio/signal_set.hpp>
#include <cstdio>
#include <map>
#include <span>

#include "base/json_text.hpp"
#include "simdroid/simulation.hpp"

using namespace adbproto;

namespace {

struct Arguments {
  simdroid::SimOptions sim;
  std::string profile = "zero";
  std::int64_t confirm_after = -1;
  bool one_close = false;
  bool json = false;  // output for programs: `clawperator sim`
};

// Like CLAWPERATOR_MDNS of the host: GROUP:PORT,INTERFACE.
adbproto::DiscoveryOptions place_of(const std::string& text) {
  return adbproto::discovery_options([&](const char* name) -> std::optional<std::string> {
    if (std::string_view(name) == "CLAWPERATOR_MDNS") return text;
    return std::nullopt;
  });
}

void describe_wireless(CLI::App* app, Arguments* arguments) {
  simdroid::WirelessOptions& wireless = arguments->sim.wireless;
  app->add_option("--pairing", wireless.pairing_port,
                  "port of the pairing dialog, 0 for a free one");
  app->add_option("--code", wireless.code, "code of the pairing dialog")->capture_default_str();
  app->add_option("--pairing-instance", wireless.pairing_instance,
                  "mDNS name of the dialog, from a scanned QR code");
  app->add_option_function<std::string>(
      "--announce", [&wireless](const std::string& place) { wireless.announce = place_of(place); },
      "announce the ports by mDNS in GROUP:PORT,INTERFACE");
}

void describe(CLI::App* app, Arguments* arguments) {
  simdroid::SimOptions& sim = arguments->sim;
  app->add_option("--host", sim.host, "address to listen on")->capture_default_str();
  app->add_option("--port", sim.port, "port to listen on, 0 for a free one")->capture_default_str();
  app->add_option("--profile", arguments->profile, "delays: zero or phone")
      ->check(CLI::IsMember({"zero", "phone"}))
      ->capture_default_str();
  app->add_option_function<std::string>(
      "--phone",
      [&sim](const std::string& name) {
        sim.phone = simdroid::find_phone_profile(name);
        if (name == "list") {
          std::fputs(simdroid::list_phone_profiles().c_str(), stdout);
          throw CLI::Success();
        }
        if (sim.phone == nullptr) throw CLI::ValidationError("--phone", "no such phone: " + name);
      },
      "the simulated phone; `list` prints their names");
  app->add_option("--seed", sim.seed, "seed of all jitter")->capture_default_str();
  app->add_option("--screens", sim.screens, "directory of screen files");
  app->add_option("--control", sim.control, "port or unix socket for simctl lines");
  app->add_option("--serial", sim.serial, "ro.serialno")->capture_default_str();
  app->add_option("--operator,--operator-version", sim.operator_version,
                  "versions of the Operator app, such as 0.5.3 or 0.12.5,1.0.0; none: no such app")
      ->capture_default_str();
  app->add_option("--no-feature", sim.features_off, "feature that is not announced, repeatable");
  app->add_option("--max-payload", sim.max_payload, "largest packet")
      ->check(CLI::Range(4096, 1 << 20))
      ->capture_default_str();
  const std::map<std::string, adbproto::Admission> kinds{{"none", adbproto::Admission::open},
                                                         {"key", adbproto::Admission::key},
                                                         {"tls", adbproto::Admission::tls}};
  app->add_option("--auth", sim.auth, "how a host must authenticate: none, key or tls")
      ->transform(CLI::CheckedTransformer(kinds));
  app->add_option("--authorised", sim.authorised, "file of the accepted public keys");
  app->add_option("--confirm-after", arguments->confirm_after,
                  "milliseconds until an offered key is confirmed; negative: never");
  describe_wireless(app, arguments);
  app->add_flag("--single-close", arguments->one_close, "close every stream only once");
  app->add_flag("--json", arguments->json, "print the address and errors as one JSON object");
}

void print(const Arguments& arguments, const simdroid::Ports& ports) {
  const std::string address = arguments.sim.host + ":" + std::to_string(ports.hosts);
  const auto at = [](std::uint16_t port) { return "127.0.0.1:" + std::to_string(port); };
  std::string text = "simdroid listens on " + address;
  if (ports.control != 0) text += ", control on " + at(ports.control);
  if (ports.pairing != 0) {
    text += ", pairing on " + arguments.sim.host + ":" + std::to_string(ports.pairing);
  }
  if (arguments.json) {
    clawperator::JsonObject json;
    json.text("address", address).text("serial", arguments.sim.serial);
    if (ports.control != 0) json.text("control", at(ports.control));
    text = json.str();
  }
  std::puts(text.c_str());
  std::fflush(stdout);
}

void print(const Arguments& arguments, const Error& error) {
  if (!arguments.json) {
    std::fprintf(stderr, "simdroid: %s\n", error.message().c_str());
    return;
  }
  clawperator::JsonObject json;
  json.text("code", error.code()->published);
  std::puts(json.text("message", error.message()).str().c_str());
}

int run(const Arguments& arguments) {
  asio::io_context context;
  asio::cancellation_signal stop;
  asio::signal_set signals(context, SIGINT, SIGTERM);
  struct sigaction hang_up{};
  const bool ignored =
      ::sigaction(SIGHUP, nullptr, &hang_up) == 0 && hang_up.sa_handler == SIG_IGN;  // nohup
  if (!ignored) signals.add(SIGHUP);
  signals.async_wait([&](const asio::error_code& error, int) {
    if (error) return;
    signals.clear();  // a second signal ends the process at once
    stop.emit(asio::cancellation_type::terminal);
  });
  int status = 0;
  asio::co_spawn(context,
                 simdroid::serve(arguments.sim,
                                 [&](const simdroid::Ports& ports) { print(arguments, ports); }),
                 asio::bind_cancellation_slot(
                     stop.slot(), [&](const std::exception_ptr& thrown, const Result<void>& ended) {
                       signals.cancel();
                       if (thrown || ended) return;
                       print(arguments, ended.error());
                       status = 1;
                     }));
  context.run();
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A simulated Android device. Connect with: adb connect 127.0.0.1:PORT");
  Arguments arguments;
  describe(&app, &arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Values are assigned only after everything is parsed.
    arguments.json =
        std::ranges::count(std::span(argv, argv + argc), std::string_view("--json")) > 0;
    if (!arguments.json || error.get_exit_code() == 0) return app.exit(error);
    print(arguments, Error{errc::usage, error.what()});
    return 1;
  }
  arguments.sim.second_close = !arguments.one_close;
  if (arguments.profile == "phone") arguments.sim.profile = simdroid::Profile::phone;
  if (arguments.confirm_after >= 0) {
    arguments.sim.confirm_after = std::chrono::milliseconds(arguments.confirm_after);
  }
  return run(arguments);
}
