// One command's way to its device: look where the answer may be, let choice decide, do that.
//
// The adb server is asked first because it holds every phone that it can, and USB is not even
// started while the server has what was asked for. An address that was named is dialled with the
// patience of connecting, but only if nobody nearer has it; in a listing all are dialled at once.

#include "runtime/device/target.hpp"

#include <algorithm>

#include "runtime/contract/errc.hpp"
#include "runtime/device/choice/choice.hpp"
#include "runtime/device/discovery/routes.hpp"
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

bool uses(Transport asked, Transport source) {
  return asked == Transport::automatic || asked == source;
}

// An adb server holds every phone it can, so USB is looked at only when the server does not have
// what was asked for (`enough`); a listing always looks.
using Enough = std::function<bool(const std::vector<DeviceRow>&)>;

struct Search {
  std::optional<std::string> only;  // nobody else is asked for
  Detail detail = Detail::states;
  Enough enough;
};

Task<Survey> server_and_usb(Routes* routes, const TargetOptions* options, Search search) {
  Survey survey;
  if (uses(options->transport, Transport::server) && !options->server_is_absent) {
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
  if (!uses(options->transport, Transport::usb) || options->transport_id || search.enough(held)) {
    co_return survey;
  }
  CO_TRY(auto usb, co_await routes->of_usb(held, search.only, search.detail));
  std::ranges::move(usb, std::back_inserter(survey.routes));
  co_return survey;
}

std::vector<std::string> targets_to_dial(const TargetOptions& options,
                                         const std::optional<std::string>& only) {
  if (!uses(options.transport, Transport::tcp) || options.transport_id) return {};
  if (options.reachable == Reachable::usb) return {};
  auto targets = read_targets().value_or(TargetList{}).addresses;
  if (only) std::erase_if(targets, [&](const std::string& target) { return target != *only; });
  return targets;
}

// Who was named is dialled as patiently as in connecting, but only if nobody nearer has it.
Task<Survey> survey_one(Routes* routes, const TargetOptions* options, Search search) {
  CO_TRY(auto survey, co_await server_and_usb(routes, options, search));
  auto targets = targets_to_dial(*options, search.only);
  if (targets.empty() || search.enough(survey.rows())) co_return survey;
  CO_TRY(auto dialled,
         co_await routes->of_targets(std::move(targets), search.detail, Patience::named));
  std::ranges::move(dialled, std::back_inserter(survey.routes));
  co_return survey;
}

Task<Survey> survey_all(Routes* routes, const TargetOptions* options, Search search) {
  using namespace adbproto::parallel;
  auto targets = targets_to_dial(*options, {});
  const Detail detail = search.detail;
  auto nearer = server_and_usb(routes, options, std::move(search));
  if (targets.empty()) co_return co_await std::move(nearer);
  auto [survey, dialled] = co_await (
      std::move(nearer) && routes->of_targets(std::move(targets), detail, Patience::listing));
  if (survey && dialled) std::ranges::move(*dialled, std::back_inserter(survey->routes));
  co_return std::move(survey);
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
  CO_TRY(auto survey, co_await survey_all(&routes, &options, std::move(everything)));
  if (survey.server_error && survey.routes.empty()) {
    co_return std::unexpected(*std::move(survey.server_error));
  }
  co_return survey.rows();
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
  co_return co_await routes.open(&route, offer_of(options));
}

namespace {

// What is dialled in any case needs no search.
Task<Survey> survey_for(Routes* routes, const TargetOptions* options, Question question) {
  if (question.serial && question.dialling == Dialling::always) co_return Survey{};
  Search asked{.only = question.serial, .detail = Detail::states, .enough = [=](const auto& rows) {
                 const auto chosen = choose_rows(rows, question);
                 return chosen.has_value() ||
                        chosen.error().code() == errc::multiple_devices_device_id_required;
               }};
  const auto survey_them = question.serial ? survey_one : survey_all;
  co_return co_await survey_them(routes, options, std::move(asked));
}

}  // namespace

Task<DevicePtr> resolve_device(TargetOptions options) {
  const Question question = question_of(options);
  Routes routes(options);
  CO_TRY(auto survey, co_await survey_for(&routes, &options, question));
  CO_TRY(auto device, co_await open_chosen(&routes, &options, &survey, question));
  CO_TRY_VOID(check_state(question, *device));
  co_return device;
}

}  // namespace clawperator
