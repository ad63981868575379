// simdroid: a simulated Android device that the real adb can connect to.

#include <CLI/CLI.hpp>
#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <asio/signal_set.hpp>
#include <cstdio>

#include "simdroid/simulation.hpp"

namespace {

struct Arguments {
  simdroid::SimOptions sim;
  std::string profile = "zero";
  bool one_close = false;
};

void describe(CLI::App* app, Arguments* arguments) {
  simdroid::SimOptions& sim = arguments->sim;
  app->add_option("--host", sim.host, "address to listen on")->capture_default_str();
  app->add_option("--port", sim.port, "port to listen on, 0 for a free one")->capture_default_str();
  app->add_option("--profile", arguments->profile, "how long things take")
      ->check(CLI::IsMember({"zero", "phone"}))
      ->capture_default_str();
  app->add_option("--seed", sim.seed, "seed of all jitter")->capture_default_str();
  app->add_option("--screens", sim.screens, "directory of screen files")
      ->check(CLI::ExistingDirectory);
  app->add_option("--control", sim.control, "port or unix socket that takes simctl lines");
  app->add_option("--serial", sim.serial, "ro.serialno")->capture_default_str();
  app->add_option("--operator-version", sim.operator_version, "of the Operator app")
      ->capture_default_str();
  app->add_option("--no-feature", sim.features_off, "feature not to announce, repeatable");
  app->add_option("--max-payload", sim.max_payload, "largest packet")
      ->check(CLI::Range(4096, 1 << 20))
      ->capture_default_str();
  app->add_flag("--single-close", arguments->one_close, "close every stream once only");
}

int run(const simdroid::SimOptions& options) {
  asio::io_context context;
  asio::cancellation_signal stop;
  asio::signal_set signals(context, SIGINT, SIGTERM);
  signals.async_wait([&](const asio::error_code& error, int) {
    if (!error) stop.emit(asio::cancellation_type::terminal);
  });
  int status = 0;
  const auto say = [](const std::string& line) {
    std::puts(line.c_str());
    std::fflush(stdout);
  };
  asio::co_spawn(
      context, simdroid::serve(options, say),
      asio::bind_cancellation_slot(
          stop.slot(), [&](const std::exception_ptr& thrown, const adbproto::Result<void>& ended) {
            signals.cancel();
            if (thrown || ended) return;
            std::fprintf(stderr, "simdroid: %s\n", ended.error().message().c_str());
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
  CLI11_PARSE(app, argc, argv);
  arguments.sim.second_close = !arguments.one_close;
  if (arguments.profile == "phone") arguments.sim.profile = simdroid::Profile::phone;
  return run(arguments.sim);
}
