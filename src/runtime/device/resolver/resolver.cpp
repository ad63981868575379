// One command's way to its device: search the sources, let choice decide, carry the decision out.
//
// The adb server comes first because it holds every phone that it can, and USB is not even started
// while the server has a match. A named address is dialled with the limit of connecting, but only
// if no nearer source has it; in a listing all are dialled at once.

#include "runtime/device/resolver/resolver.hpp"

#include <algorithm>

#include "adbproto/client/emulator_console.hpp"
#include "adbproto/wire/errc.hpp"
#include "base/async/name_lookup.hpp"
#include "base/system/environment.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/resolver/transports.hpp"
#include "runtime/device/target_file.hpp"

namespace clawperator {

namespace {

// One second in all: a new server takes the phones one by one, and a command waits for it:
constexpr auto kHandOverPause = std::chrono::milliseconds(200);
constexpr int kHandOverTries = 5;

struct Survey {
  std::vector<Route> routes;  // best first: server, usb, tcp
  std::optional<Error> server_error;

  [[nodiscard]] std::vector<DeviceRow> rows() const {
    std::vector<DeviceRow> rows;
    rows.reserve(routes.size());
    for (const Route& route : routes) rows.push_back(route.row);
    return rows;
  }
};

// An adb server holds every phone it can, so USB is scanned only when the server has no match
// (`enough`); a listing always scans it.
using Enough = std::function<bool(const std::vector<DeviceRow>&)>;

struct Search {
  const Question* only = nullptr;  // names a device: no other one is probed
  Detail detail = Detail::states;
  Enough enough;
};

Task<Survey> server_and_usb(Routes* routes, const TargetOptions* options, Search search) {
  Survey survey;
  if (options->uses(Transport::server) && !options->server_is_absent) {
    auto found = co_await routes->of_server(search.detail);
    if (found) {
      survey.routes = *std::move(found);
    } else if (found.error().code() == errc::invalid_argument) {
      co_return std::unexpected(found.error());
    } else {
      survey.server_error = found.error();
    }
  }
  const auto held = survey.rows();
  if (!options->uses(Transport::usb) || options->transport_id || search.enough(held)) {
    co_return survey;
  }
  const auto serial = search.only != nullptr ? search.only->serial : std::nullopt;
  CO_TRY(auto usb, co_await routes->of_usb(held, serial, search.detail));
  std::ranges::move(usb, std::back_inserter(survey.routes));
  co_return survey;
}

std::vector<std::string> targets_to_dial(const TargetOptions& options, const Question* only) {
  if (!options.uses(Transport::tcp) || options.transport_id) return {};
  if (options.reachable == Reachable::usb) return {};
  auto targets = read_targets(options.on_notice).value_or(TargetList{}).addresses;
  std::erase_if(targets, [&](const std::string& target) {
    return only != nullptr && !only->matches({.serial = target, .transport = Transport::tcp});
  });
  return targets;
}

// A named address is dialled with the limit of connecting, but only if no nearer source has it.
// Otherwise all addresses are dialled while the other sources are read.
Task<Survey> survey(Routes* routes, const TargetOptions* options, Search search) {
  using namespace base::parallel;
  std::vector<std::string> targets;
  if (search.only == nullptr) targets = targets_to_dial(*options, nullptr);
  if (targets.empty()) {
    CO_TRY(auto found, co_await server_and_usb(routes, options, search));
    if (search.only == nullptr || search.enough(found.rows())) co_return found;
    targets = targets_to_dial(*options, search.only);
    CO_TRY(auto dialled,
           co_await routes->of_targets(std::move(targets), search.detail, Patience::named));
    std::ranges::move(dialled, std::back_inserter(found.routes));
    co_return found;
  }
  auto [found, dialled] =
      co_await (server_and_usb(routes, options, search) &&
                routes->of_targets(std::move(targets), search.detail, Patience::listing));
  if (found && dialled) std::ranges::move(*dialled, std::back_inserter(found->routes));
  co_return std::move(found);
}

// One command opens a way for itself.
class OwnTransports final : public Transports<DevicePtr> {
 public:
  OwnTransports(Routes* routes, const TargetOptions* options, Survey survey)
      : routes_(routes), options_(options), survey_(std::move(survey)) {}

  [[nodiscard]] Found found() const override {
    Found found{.server_error = survey_.server_error};
    for (const Route& route : survey_.routes) {
      found.candidates.push_back({route.row, route.problem});
    }
    return found;
  }
  Task<DevicePtr> open(std::size_t at, KeyOffer offer) override {
    return routes_->open(&survey_.routes[at], std::move(offer));
  }
  Task<DevicePtr> dial(std::string address, KeyOffer offer) override {
    return routes_->dial(std::move(address), std::move(offer));
  }
  asio::awaitable<Identity> identity(std::size_t /*at*/, Device* device) override {
    co_return (co_await read_identity(device)).value_or(Identity{});
  }
  Task<DevicePtr> open_from_holder(std::size_t at) override;

 private:
  Routes* routes_;
  const TargetOptions* options_;
  Survey survey_;
};

// An adb server that was just started takes the phones one after the other.
Task<DevicePtr> OwnTransports::open_from_holder(std::size_t at) {
  const bool server_answers = !options_->server_is_absent && !survey_.server_error;
  const int tries =
      options_->transport == Transport::automatic && server_answers ? kHandOverTries : 0;
  for (int i = 0; i < tries; ++i) {
    CO_TRY(auto held, co_await routes_->of_server(Detail::states));
    for (Route& route : held) {
      if (route.row.state != State::device || !holds(route.row, *survey_.routes[at].usb)) continue;
      co_return co_await routes_->open(&route, KeyOffer::kNever);
    }
    co_await sleep_for(kHandOverPause);
  }
  co_return fail(errc::device_not_found, "the adb server does not have it");
}

// The server's version is not read first: each request costs time.
Task<DevicePtr> chosen_by_server(const Routes* routes, const Question* question) {
  CO_TRY(auto server, routes->server());
  co_return co_await server.device(server_choice(*question));
}

bool is_final(const TargetOptions& options, const Result<DevicePtr>& device) {
  if (device || options.adb_server || options.transport == Transport::server) return true;
  return device.error().code() != errc::io && device.error().code() != errc::adb_server_failed;
}

// In the list of a server on another computer, 127.0.0.1:5555 and emulator-5554 are devices of that
// computer. What has that name here is another device.
bool may_dial_unlisted(const TargetOptions& options, const std::string& serial) {
  const bool is_emulator = adbproto::console_port(serial).has_value();
  if (!is_emulator && !adbproto::is_device_address(serial)) return false;
  const auto address = adbproto::parse_device_address(serial);
  const bool is_of_this_computer = is_emulator || (address && base::is_loopback(address->host));
  return !is_of_this_computer ||
         !adbproto::is_server_named(options.adb_server, environment_variable);
}

}  // namespace

Question question_of(const TargetOptions& options) {
  Question question{.serial = options.device,
                    .transport_id = options.transport_id,
                    .reachable = options.reachable,
                    .readiness = options.readiness,
                    .offers_key = options.authorization_limit.count() > 0};
  // -t, -d and -e name a device better than the environment does.
  const bool is_open = !options.device && !options.transport_id &&
                       options.reachable == Reachable::any && options.honour_android_serial;
  if (is_open) question.serial = environment_variable("ANDROID_SERIAL");
  if (options.dialect != nullptr) question.dialect = options.dialect;
  if (options.transport == Transport::tcp) question.dialling = Dialling::always;
  question.searched = options.transport;
  if (options.transport == Transport::automatic && question.serial &&
      may_dial_unlisted(options, *question.serial)) {
    question.dialling = Dialling::unlisted;
  }
  return question;
}

void stay_on(TargetOptions* options, const std::string& serial) {
  const Question question = question_of(*options);
  if (question.serial || question.transport_id) return;
  options->device = serial;
  options->honour_android_serial = false;
}

Task<std::vector<DeviceRow>> list_devices(TargetOptions options, Detail detail) {
  Routes routes(options);
  Search everything{.only = {}, .detail = detail, .enough = [](const auto&) { return false; }};
  CO_TRY(auto found, co_await survey(&routes, &options, std::move(everything)));
  if (found.server_error && found.routes.empty()) {
    co_return std::unexpected(*std::move(found.server_error));
  }
  co_return found.rows();
}

Task<DevicePtr> open_row(TargetOptions options, DeviceRow row) {
  Routes routes(options);
  Route route{.row = std::move(row)};
  if (route.row.transport == Transport::usb) {
    CO_TRY(const auto bus, co_await routes.usb_bus());
    const auto phones = co_await bus->devices();
    for (const auto& phone : phones) {
      if (phone.address == route.row.bus_address) route.usb = phone;
    }
    if (!route.usb) {
      co_return fail(errc::device_not_found, "no phone at " + route.row.bus_address);
    }
  }
  CO_TRY(auto device, co_await routes.open(&route, offer_of(options)));
  CO_TRY_VOID(co_await routes.meet(device.get()));
  co_return device;
}

Task<DevicePtr> resolve_device(TargetOptions options) {
  const Question question = question_of(options);
  Routes routes(options);
  const bool uses_server = options.uses(Transport::server) && !options.server_is_absent;
  if (question.dialect->server_chooses && uses_server) {
    auto device = co_await chosen_by_server(&routes, &question);
    if (is_final(options, device)) co_return device;
    options.server_is_absent = !options.start_server;
  }
  const auto refused = [&](const Error& why) {
    return std::unexpected(question.dialect->worded(question, nullptr, why));
  };
  Search search{.only = question.serial ? &question : nullptr,
                .detail = Detail::states,
                .enough = [=](const auto& rows) {
                  const auto chosen = choose_rows(rows, question);
                  return chosen.has_value() ||
                         chosen.error().code() == errc::multiple_devices_device_id_required;
                }};
  Result<Survey> found;
  const bool is_only_dialled = question.serial && question.dialling == Dialling::always;
  if (!is_only_dialled) found = co_await survey(&routes, &options, std::move(search));
  // A banner has the model behind an address, and the error lists the addresses that answer. Phones
  // on USB stay closed: another name is meant. `clawperator adb` polls, and its error lists
  // nothing.
  const bool may_dial =
      question.serial && question.dialling == Dialling::never && question.dialect == &kOwnDialect;
  if (found && may_dial && std::ranges::none_of(found->rows(), [&](const DeviceRow& row) {
        return question.matches(row);
      })) {
    CO_TRY(auto dialled, co_await routes.of_targets(targets_to_dial(options, nullptr),
                                                    Detail::states, Patience::listing));
    std::ranges::move(dialled, std::back_inserter(found->routes));
  }
  if (!found) co_return refused(found.error());
  OwnTransports transports(&routes, &options, *std::move(found));
  auto device = co_await resolve(&transports, question, offer_of(options));
  if (!device) co_return refused(device.error());
  if (const auto fit = check_state(question, **device); !fit) co_return refused(fit.error());
  if (options.meets_later) co_return device;
  const auto met = co_await routes.meet(device->get());
  if (!met) co_return refused(met.error());
  co_return device;
}

}  // namespace clawperator
