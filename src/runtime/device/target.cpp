// One command's way to its device: look where the answer may be, let choice decide, do that.
//
// The adb server is asked first because it holds every phone that it can, and USB is not even
// started while the server has what was asked for. An address that was named is dialled with the
// patience of connecting, but only if nobody nearer has it; in a listing all are dialled at once.

#include "runtime/device/target.hpp"

#include <algorithm>

#include "adbproto/wire/errc.hpp"
#include "runtime/device/choice/choice.hpp"
#include "runtime/device/discovery/routes.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/known_phones.hpp"
#include "runtime/device/target_file.hpp"

namespace clawperator {

namespace {

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
  [[nodiscard]] std::vector<Candidate> candidates() const {
    std::vector<Candidate> all;
    all.reserve(routes.size());
    for (const Route& route : routes) all.push_back({route.row, route.problem});
    return all;
  }
};

// An adb server holds every phone it can, so USB is looked at only when the server does not have
// what was asked for (`enough`); a listing always looks.
using Enough = std::function<bool(const std::vector<DeviceRow>&)>;

struct Search {
  const Question* only = nullptr;  // names a device: nobody else is asked for
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

// Who was named is dialled as patiently as in connecting, but only if nobody nearer has it.
// Otherwise all addresses are dialled while the others are asked.
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

// Two transports of one phone are one device; which they are, only the phone can tell. A way that
// does not open may lead to another phone: never is it passed over for those that do.
Task<DevicePtr> open_only(Routes* routes, Survey* survey, std::vector<std::size_t> chosen,
                          Question question) {
  std::vector<Way> ways;
  Result<DevicePtr> first = fail(errc::link_lost, "");
  for (const std::size_t at : chosen) {
    Route& route = survey->routes[at];
    ways.push_back({.row = route.row, .identity = {}});
    auto device = co_await routes->open(&route, KeyOffer::kNever);
    if (device) ways.back().identity = (co_await read_identity(device->get())).value_or(Identity{});
    if (!first) first = std::move(device);
  }
  CO_TRY_VOID(check_one_phone(ways, question));
  co_return first;
}

// An adb server that was just started takes the phones one after the other.
Task<DevicePtr> from_holder(Routes* routes, const adbproto::UsbDevice* phone) {
  for (int i = 0; i < kHandOverTries; ++i) {
    CO_TRY(auto held, co_await routes->of_server(Detail::states));
    for (Route& route : held) {
      if (route.row.state != State::device || !holds(route.row, *phone)) continue;
      co_return co_await routes->open(&route, KeyOffer::kNever);
    }
    co_await sleep_for(kHandOverPause);
  }
  co_return fail(errc::device_not_found, "the adb server does not have it");
}

Task<DevicePtr> open_chosen(Routes* routes, const TargetOptions* options, Survey* survey,
                            Question question) {
  const Decision decision = decide(survey->candidates(), question, survey->server_error);
  if (const auto* open = std::get_if<Open>(&decision)) {
    if (open->rows.size() > 1) co_return co_await open_only(routes, survey, open->rows, question);
    co_return co_await routes->open(&survey->routes[open->rows.front()], KeyOffer::kNever);
  }
  if (const auto* connect = std::get_if<Connect>(&decision)) {
    co_return co_await routes->open(&survey->routes[connect->row], offer_of(*options));
  }
  if (const auto* dial = std::get_if<Dial>(&decision)) {
    co_return co_await routes->dial(dial->address, offer_of(*options));
  }
  const auto& refusal = std::get<Refuse>(decision);
  const bool server_answers = !options->server_is_absent && !survey->server_error;
  if (refusal.held && options->transport == Transport::automatic && server_answers) {
    auto device = co_await from_holder(routes, &*survey->routes[*refusal.held].usb);
    if (device) co_return device;
  }
  co_return std::unexpected(refusal.why);
}

}  // namespace

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
  CO_TRY_VOID(co_await meet_phone(&options, device.get()));
  co_return device;
}

Task<DevicePtr> resolve_device(TargetOptions options) {
  const Question question = question_of(options);
  Routes routes(options);
  Search asked{.only = question.serial ? &question : nullptr,
               .detail = Detail::states,
               .enough = [=](const auto& rows) {
                 const auto chosen = choose_rows(rows, question);
                 return chosen.has_value() ||
                        chosen.error().code() == errc::multiple_devices_device_id_required;
               }};
  Survey found;
  const bool is_only_dialled = question.serial && question.dialling == Dialling::always;
  if (!is_only_dialled) {
    CO_TRY(found, co_await survey(&routes, &options, std::move(asked)));
  }
  CO_TRY(auto device, co_await open_chosen(&routes, &options, &found, question));
  CO_TRY_VOID(check_state(question, *device));
  if (!options.meets_later) CO_TRY_VOID(co_await meet_phone(&options, device.get()));
  co_return device;
}

}  // namespace clawperator
