// A probe is short and uses the first link that opens, because no work goes over it. Opening for
// work waits longer, and dials a second link where the phone is far enough for delayed_ack to pay.

#include "runtime/device/discovery/routes.hpp"

#include <algorithm>

#include "adbproto/client/emulator_console.hpp"
#include "adbproto/client/shell.hpp"
#include "adbproto/client/usb_client.hpp"
#include "adbproto/wire/errc.hpp"
#include "base/async/scope.hpp"
#include "base/at_exit.hpp"
#include "base/error_members.hpp"
#include "base/hints.hpp"
#include "base/system/environment.hpp"
#include "base/text.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/device/discovery/announced.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/forwarded_device.hpp"
#include "runtime/device/known_phones.hpp"
#include "runtime/device/start_server.hpp"

namespace clawperator {

using std::chrono::milliseconds;

namespace {

constexpr auto kDialLimit = milliseconds(1500);  // in a listing: a dead address never answers
// Twice kDialLimit: dialling and a greeting; a listing waits for the slowest.
constexpr auto kProbeLimit = milliseconds(3000);
constexpr auto kUsbProbeLimit = milliseconds(4000);  // it may drop off the bus once and come back
constexpr auto kDeviceLimit = milliseconds(5000);    // also of each service it opens
static_assert(kUsbProbeLimit < kDeviceLimit, "a listing must not wait for the reset");
constexpr auto kConsoleLimit = milliseconds(1000);  // on this computer
// Some `getprop`; without them the row has the banner's values.
constexpr auto kDescribeLimit = milliseconds(2000);

Error server_failed(const ServerAddress& address, const Error& why) {
  if (why.code() == errc::cancelled) return why;
  ErrorMembers members;
  members.text("hint", hints::no_source.with() +
                           (has_adb_program() ? hints::start_server.with() : std::string()));
  members.object("details", ErrorMembers().text("server", address.to_string()));
  return {errc::adb_server_failed,
          "no adb server answers at " + address.to_string() + ": " + why.message(), members.str()};
}

}  // namespace

State route_state(const Error& error) {
  if (error.code() == errc::device_unauthorized) return State::unauthorized;
  if (error.code() == errc::usb_no_permission) return State::no_permissions;
  return error.code() == errc::usb_busy ? State::busy : State::offline;
}

void take_banner(const adbproto::RouteFacts& facts, DeviceRow* row) {
  if (!facts.product.empty()) row->product = facts.product;
  if (!facts.model.empty()) row->model = facts.model;
  if (!facts.device.empty()) row->device = facts.device;
}

asio::awaitable<void> describe(Device* device, DeviceRow* row) {
  take_banner(device->facts(), row);
  const auto output = co_await adbproto::run_shell(device, product_line(), kDescribeLimit);
  if (!output || output->exit_status.value_or(0) != 0) co_return;
  std::string_view text = output->out;
  for (std::string* member : {&row->identity, &row->product, &row->model, &row->device}) {
    const std::string_view line = take_line(&text);
    if (!line.empty()) *member = line;
  }
}

KeyOffer offer_of(const TargetOptions& options) {
  return {options.authorization_limit, options.on_notice};
}

Routes::Routes(TargetOptions options)
    : options_(std::move(options)),
      surroundings_(surroundings_of(options_)),
      dialled_(options_.meets_later ? options_.meets_later : std::make_shared<DialNote>()) {}

Result<ServerClient> Routes::server() const {
  TRY(auto address, adbproto::choose_server_address(options_.adb_server, environment_variable));
  return ServerClient(std::move(address));
}

Error Routes::server_failure(const Error& why) const {
  const auto client = server();
  return client ? server_failed(client->address(), why) : client.error();
}

Task<ServerClient> Routes::answering_server() {
  CO_TRY(auto client, server());
  CO_TRY_VOID(co_await of_server(Detail::states));
  co_return client;
}

// That no server listens is the one failure that --start-server can cure.
Task<std::vector<Route>> Routes::of_server(Detail detail) {
  CO_TRY(auto client, server());
  auto lines = co_await client.devices(ListFormat::detailed);
  if (!lines && lines.error().code() == errc::io && options_.start_server) {
    CO_TRY_VOID(co_await start_adb_server(client.address()));
    lines = co_await client.devices(ListFormat::detailed);
  }
  if (!lines) co_return std::unexpected(server_failed(client.address(), lines.error()));
  std::vector<Route> routes;
  routes.reserve(lines->size());
  for (const DeviceLine& line : *lines) routes.push_back({.row = server_row(line)});
  if (detail == Detail::states) co_return routes;
  co_return co_await probe_all(std::move(routes), detail);
}

Task<std::shared_ptr<UsbBus>> Routes::usb_bus() {
  if (!bus_) {
    if (!surroundings_->start_usb) co_return fail(errc::unsupported, "no USB in this system");
    CO_TRY(bus_, surroundings_->start_usb(co_await asio::this_coro::executor));
  }
  co_return bus_;
}

Task<std::vector<Route>> Routes::of_usb(std::vector<DeviceRow> held,
                                        std::optional<std::string> only, Detail detail) {
  std::vector<Route> routes;
  const auto bus = co_await usb_bus();
  if (!bus && options_.transport == Transport::usb) {
    co_return fail(errc::no_devices, "No connected devices: " + bus.error().message());
  }
  if (!bus) co_return routes;
  std::vector<UsbDevice> phones = co_await (*bus)->devices();
  for (UsbDevice& phone : phones) {
    if (std::ranges::any_of(held, [&](const DeviceRow& row) { return holds(row, phone); }))
      continue;
    if (only && *only != phone.serial && *only != phone.address) continue;
    routes.push_back({.row = usb_row(phone), .usb = std::move(phone)});
  }
  co_return co_await probe_all(std::move(routes), detail);
}

Task<std::vector<Route>> Routes::of_targets(std::vector<std::string> targets, Detail detail,
                                            Patience patience) {
  std::vector<Route> routes;
  routes.reserve(targets.size());
  for (std::string& target : targets) {
    routes.push_back(
        {.row = {
             .serial = std::move(target), .state = State::offline, .transport = Transport::tcp}});
  }
  co_return co_await probe_all(std::move(routes), detail, patience);
}

// All at once: a dead address must not hold up the others. The probes own what they write to,
// because a cancelled wait ends before them.
asio::awaitable<std::vector<Route>> Routes::probe_all(std::vector<Route> routes, Detail detail,
                                                      Patience patience) {
  if (routes.empty()) co_return routes;
  const auto shared = std::make_shared<std::vector<Route>>(std::move(routes));
  adbproto::Scope probes(co_await asio::this_coro::executor);
  const AtExit stop([&] { probes.cancel(); });  // a cancelled wait cancels the probes, too
  for (std::size_t i = 0; i < shared->size(); ++i) {
    probes.spawn([](Routes self, std::shared_ptr<std::vector<Route>> all, std::size_t at,
                    Detail how_much, Patience how_long) -> asio::awaitable<void> {
      co_await self.probe(&(*all)[at], how_much, how_long);
    }(*this, shared, i, detail, patience));
  }
  co_await probes.join();
  co_return std::move(*shared);
}

// A listing does not wait for a dead address as long as connecting does; a named device may be far
// away.
Task<DevicePtr> Routes::open_to_probe(Route* route, Patience patience) {
  DirectOptions direct = direct_options(KeyOffer::kNever);
  if (!route->usb && patience == Patience::named) {
    co_return co_await open_direct(route, std::move(direct));
  }
  direct.dial_limit = kDialLimit;
  co_return co_await with_deadline(open_direct(route, std::move(direct)),
                                   route->usb ? kUsbProbeLimit : kProbeLimit,
                                   "connecting to " + route->row.serial);
}

asio::awaitable<void> Routes::probe(Route* route, Detail detail, Patience patience) {
  if (route->row.transport == Transport::server) {
    if (detail == Detail::states || route->row.state != State::device) co_return;
    const auto held = co_await open(route, KeyOffer::kNever);
    if (held) co_await describe(held->get(), &route->row);
    co_return;
  }
  auto device = co_await open_to_probe(route, patience);
  if (device && detail == Detail::described)
    device = co_await open_if_far(route, *std::move(device));
  if (!device) {
    route->row.state = route_state(device.error());
    if (route->row.obstacle.empty() && route->usb) route->row.obstacle = device.error().message();
    route->problem = device.error();
    co_return;
  }
  route->device = *std::move(device);
  route->row.state = state_of(*route->device);
  route->row.facts = route->device->facts();
  take_banner(*route->row.facts, &route->row);
  if (detail == Detail::described) co_await describe(route->device.get(), &route->row);
}

asio::awaitable<DeviceRow> Routes::describe_usb_phone(UsbDevice phone) {
  Route route{.row = usb_row(phone), .usb = std::move(phone)};
  co_await probe(&route, Detail::described, Patience::listing);
  co_return std::move(route.row);
}

asio::awaitable<DeviceRow> Routes::describe_server_row(DeviceRow row) {
  Route route{.row = std::move(row)};
  co_await probe(&route, Detail::described, Patience::listing);
  co_return std::move(route.row);
}

DirectOptions Routes::direct_options(KeyOffer offer) const {
  DirectOptions direct;
  direct.limit = kDeviceLimit;
  direct.delayed_ack = adbproto::DelayedAck::automatic;
  direct.keys = surroundings_->load_keys;
  direct.authorization_limit = offer.limit;
  direct.on_state = [notice = std::move(offer.on_notice)](adbproto::LinkState state) {
    if (notice && state == adbproto::LinkState::authorizing) {
      notice("waiting for this computer's key to be allowed on the phone's screen");
    }
  };
  return direct;
}

Task<DevicePtr> Routes::open_usb(UsbDevice phone, DirectOptions direct) {
  CO_TRY(auto bus, co_await usb_bus());
  CO_TRY(auto device,
         co_await adbproto::connect_usb_device(bus.get(), std::move(phone), std::move(direct)));
  co_return forward_to(std::move(device), std::move(bus));
}

Task<adbproto::DeviceAddress> Routes::address_of(DeviceRow row) {
  if (!row.address.empty()) co_return adbproto::parse_device_address(row.address);
  if (const auto name = instance_name(row.serial)) {
    co_return co_await announced_address(surroundings_, *name);
  }
  // An emulator's adb is on the port after its console's. Without the console, what listens there
  // is another program.
  if (const auto console = adbproto::console_port(row.serial)) {
    const auto name = co_await adbproto::emulator_command(*console, {}, "avd name", kConsoleLimit);
    if (!name && name.error().code() == errc::cancelled) co_return std::unexpected(name.error());
    if (!name) co_return fail(errc::io, "no emulator's console answers: " + name.error().message());
    co_return adbproto::parse_device_address("127.0.0.1:" + std::to_string(*console + 1));
  }
  co_return adbproto::parse_device_address(row.serial);
}

// One link, the first that comes.
Task<DevicePtr> Routes::open_direct(Route* route, DirectOptions direct) {
  if (route->usb) co_return co_await open_usb(*route->usb, std::move(direct));
  const auto limit = direct.dial_limit.value_or(direct.limit);
  CO_TRY(auto address,
         co_await with_deadline(address_of(route->row), limit, "looking for " + route->row.serial));
  route->dialled = address;
  const bool is_named = !route->row.address.empty() || instance_name(route->row.serial) ||
                        adbproto::console_port(route->row.serial);
  std::string serial = is_named ? route->row.serial : address.to_string();
  direct.rtt = route->rtt;
  direct.early = options_.early;
  CO_TRY(dialled_->known, read_known_phones());
  const TrustedPhone* const known = dialled_->known->find(serial);
  if (known && known->tls && !options_.accept_new) {
    direct.without_tls = phone_changed(*known, {.address = known->address});
    direct.early.reset();
  }
  CO_TRY(auto device, co_await adbproto::connect_device(std::move(address), std::move(serial),
                                                        std::move(direct)));
  route->rtt = device->facts().rtt;
  co_return device;
}

Task<void> Routes::meet(const Device* device, Identity now) const {
  return meet_phone(&options_, device, std::move(now), dialled_.get());
}

Task<void> Routes::meet(Device* device) const {
  return meet_phone(&options_, device, dialled_.get());
}

Task<DevicePtr> Routes::open_if_far(const Route* route, DevicePtr device) {
  if (!route->dialled) co_return device;
  co_return co_await adbproto::connect_again_if_far(std::move(device), *route->dialled,
                                                    direct_options(KeyOffer::kNever));
}

Task<DevicePtr> Routes::dial(std::string target, KeyOffer offer) {
  Route route{.row = {.serial = target, .transport = Transport::tcp}};
  auto device = co_await open(&route, offer);
  const bool absent = !device && (device.error().code() == errc::io ||
                                  device.error().code() == errc::deadline_exceeded);
  if (!absent) co_return device;
  co_return std::unexpected(Error(errc::device_not_found,
                                  "Device " + target + " not found: " + device.error().message(),
                                  {}, device.error().system_error()));
}

Task<DevicePtr> Routes::open(Route* route, KeyOffer offer) {
  if (route->row.transport != Transport::server) {
    auto device = std::move(route->device);
    if (!device) {
      CO_TRY(device, co_await open_direct(route, direct_options(offer)));
    }
    co_return co_await open_if_far(route, std::move(device));
  }
  CO_TRY(auto client, server());
  if (const auto id = route->row.transport_id) {
    co_return co_await client.device(*id, route->row.serial, route->row.bus_address);
  }
  co_return co_await client.device(route->row.serial);
}

}  // namespace clawperator
