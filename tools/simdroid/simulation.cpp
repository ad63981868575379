#include "simdroid/simulation.hpp"

#include <fstream>

#include "adbproto/link/socket_stream.hpp"
#include "base/async/scope.hpp"
#include "base/number.hpp"
#include "simdroid/adbd/daemon.hpp"
#include "simdroid/device/phone.hpp"
#include "simdroid/userland/shell.hpp"

namespace simdroid {
namespace {

PhoneOptions phone_options(const SimOptions& options, std::shared_ptr<const ScreenSet> screens) {
  PhoneOptions result;
  result.profile = options.profile;
  result.seed = options.seed;
  result.screens = std::move(screens);
  result.kind = options.phone;
  result.identity.serial = options.serial;
  result.operator_version = options.operator_version;
  return result;
}

DaemonOptions daemon_options(const SimOptions& options) {
  DaemonOptions result;
  result.features_off = options.features_off;
  result.max_payload = options.max_payload;
  result.closes = options.second_close ? CloseCount::twice : CloseCount::once;
  result.admission = options.auth;
  result.confirm_after = options.confirm_after;
  return result;
}

Result<void> authorise_file(Daemon* daemon, const std::string& path) {
  std::ifstream file(path);
  if (!file) return fail(errc::invalid_argument, "cannot read " + path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    const auto added = daemon->authorise(line);
    if (!added) return fail(errc::invalid_argument, path + ": " + added.error().message());
  }
  return ok();
}

// What a command prints, on its way to `to`.
class Lines final : public ByteStream {
 public:
  explicit Lines(std::shared_ptr<ByteStream> to) : to_(std::move(to)) {}

  Task<std::size_t> read_some(std::span<std::byte> /*into*/) override {
    co_return fail(errc::closed, "closed");
  }
  Task<void> write_all(ByteView bytes) override {
    if (!bytes.empty()) is_ended_ = bytes.back() == std::byte{'\n'};
    return to_->write_all(bytes);
  }
  void close() override {}
  [[nodiscard]] bool is_ended() const { return is_ended_; }

 private:
  std::shared_ptr<ByteStream> to_;
  bool is_ended_ = true;  // by the end of a line, or nothing was printed
};

// One line in, the output of `simctl <line>` and a line "exit N" out. An output whose last line has
// no end gets one, because the client looks for the line "exit N".
asio::awaitable<void> serve_control(Phone* phone, ByteStreamPtr link) {
  const std::shared_ptr<ByteStream> stream = std::move(link);
  PushbackInput input(stream);
  while (true) {
    const auto line = co_await input.read_line();
    if (!line || !*line) break;
    Shell shell(phone);
    const auto printed = std::make_shared<Lines>(stream);
    const auto status =
        co_await shell.run_text("simctl " + **line, Io{null_stream(), printed, printed});
    const std::string end = std::string(printed->is_ended() ? "" : "\n") + "exit " +
                            std::to_string(status.value_or(1)) + "\n";
    if (!co_await stream->write_all(as_bytes(end))) break;
  }
  stream->close();
}

}  // namespace

struct Simulation::Parts {
  Parts(const asio::any_io_executor& executor, SimOptions with,
        std::shared_ptr<const ScreenSet> screens)
      : options(std::move(with)),
        phone(executor, phone_options(options, std::move(screens))),
        daemon(&phone, daemon_options(options)),
        tasks(executor) {}

  asio::awaitable<void> accept_hosts() {
    while (true) {
      auto link = co_await hosts->accept();
      if (!link && link.error().code() == errc::closed) co_return;
      if (link) daemon.attach(*std::move(link));
    }
  }

  asio::awaitable<void> accept_controls() {
    while (true) {
      auto link = co_await controls->accept();
      if (!link && link.error().code() == errc::closed) co_return;
      if (link) tasks.spawn(serve_control(&phone, *std::move(link)));
    }
  }

  SimOptions options;
  Phone phone;
  Daemon daemon;
  ListenerPtr hosts;
  ListenerPtr controls;
  std::unique_ptr<Wireless> wireless;
  Scope tasks;
};

Simulation::Simulation(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Simulation::~Simulation() = default;

Result<std::unique_ptr<Simulation>> Simulation::create(const asio::any_io_executor& executor,
                                                       const SimOptions& options) {
  std::shared_ptr<const ScreenSet> screens;
  if (!options.screens.empty()) {
    TRY(ScreenSet loaded, ScreenSet::load_directory(options.screens));
    screens = std::make_shared<const ScreenSet>(std::move(loaded));
  }
  auto parts = std::make_unique<Parts>(executor, options, std::move(screens));
  if (!options.authorised.empty()) {
    TRY_VOID(authorise_file(&parts->daemon, options.authorised));
  }
  parts->phone.start();
  return std::unique_ptr<Simulation>(new Simulation(std::move(parts)));
}

Result<std::uint16_t> Simulation::listen() {
  const SimOptions& options = parts_->options;
  TRY(parts_->hosts, listen_tcp(parts_->phone.executor, options.host, options.port));
  parts_->tasks.spawn(parts_->accept_hosts());
  return parts_->hosts->port();
}

Result<std::uint16_t> Simulation::listen_control() {
  const std::string& control = parts_->options.control;
  const auto executor = parts_->phone.executor;
  if (const auto port = whole_number<std::uint16_t>(control)) {
    TRY(parts_->controls, listen_tcp(executor, "127.0.0.1", *port));
  } else {
    TRY(parts_->controls, listen_unix(executor, control));
  }
  parts_->tasks.spawn(parts_->accept_controls());
  return parts_->controls->port();
}

Result<std::uint16_t> Simulation::start_wireless() {
  const SimOptions& options = parts_->options;
  if (!options.wireless.pairing_port && !options.wireless.announce) return std::uint16_t{0};
  Wireless::Phone phone{
      options.host, options.serial, AdbService::plain,
      parts_->hosts ? parts_->hosts->port() : options.port,
      [this](const std::string& host) { [[maybe_unused]] const auto done = authorise(host); }};
  if (options.auth == Admission::tls) phone.service = AdbService::tls_connect;
  parts_->wireless =
      std::make_unique<Wireless>(parts_->phone.executor, options.wireless, std::move(phone));
  TRY(RsaKey own, key());
  TRY_VOID(parts_->wireless->start(std::move(own)));
  return parts_->wireless->pairing_port();
}

void Simulation::attach(ByteStreamPtr link) { parts_->daemon.attach(std::move(link)); }

Result<void> Simulation::authorise(const std::string& public_key_text) {
  return parts_->daemon.authorise(public_key_text);
}

Result<RsaKey> Simulation::key() { return parts_->daemon.key(); }

asio::awaitable<void> Simulation::stop() {
  if (parts_->hosts) parts_->hosts->close();
  if (parts_->controls) parts_->controls->close();
  if (parts_->wireless) co_await parts_->wireless->stop();
  parts_->tasks.cancel();
  co_await parts_->tasks.join();
  co_await parts_->daemon.stop();
  co_await parts_->phone.stop();
}

Phone& Simulation::phone() { return parts_->phone; }

namespace {

Result<Ports> listen_all(Simulation* simulation, const SimOptions& options) {
  Ports ports;
  TRY(ports.hosts, simulation->listen());
  if (!options.control.empty()) {
    TRY(ports.control, simulation->listen_control());
  }
  TRY(ports.pairing, simulation->start_wireless());
  return ports;
}

}  // namespace

Task<void> serve(SimOptions options, std::function<void(const Ports&)> on_listening) {
  const auto executor = co_await asio::this_coro::executor;
  CO_TRY(const auto simulation, Simulation::create(executor, options));
  const auto ports = listen_all(simulation.get(), options);
  if (ports) {
    on_listening(*ports);
    co_await Signal(executor).wait();
  }
  // Cancellation brought us here, and stopping needs to wait.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  co_await simulation->stop();
  if (!ports) co_return std::unexpected(ports.error());
  co_return ok();
}

}  // namespace simdroid
