#include <unistd.h>
#include <algorithm>
#include <iterator>
#include <map>

#include "adbproto/client/server_address.hpp"
#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "runtime/device/discovery/announced.hpp"
#include "runtime/device/discovery/device_model.hpp"
#include "runtime/device/discovery/routes.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/resolver/connect.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/device/supervisor/supervisor.hpp"

namespace clawperator::cli {
namespace {

// RFC 6762 (6) delays answers by 20 to 120 ms; a person waits for the list.
constexpr auto kDiscoveryWindow = std::chrono::milliseconds(1000);

constexpr std::array kDevicesOptions{
    Option{"--long", "-l", Arity::none, "",
           "query each device for its properties; add details of its link"},
    Option{"--discover", "", Arity::none, "", "add phones that announce themselves on the network"},
    Option{"--watch", "", Arity::none, "", "print each change as a line of JSON until stopped"},
    Option{"--connect-paired", "", Arity::none, "",
           "with --watch: connect to paired phones as they announce themselves"},
};

// The figures of a direct link; the adb server's own links are not measured.
void add_link(JsonObject& json, const DeviceRow& row) {
  if (row.usb_speed_mbit != 0) json.number("usbSpeedMbit", row.usb_speed_mbit);
  if (!row.facts) return;
  json.boolean("tls", row.facts->tls).boolean("delayedAck", row.facts->delayed_ack);
  if (row.facts->rtt) json.number("rttMicros", row.facts->rtt->count());
  if (row.facts->max_payload != 0) json.number("maxPayload", row.facts->max_payload);
}

std::string row_json(const DeviceRow& row, Detail detail) {
  JsonObject json;
  json.text("serial", row.serial).text("state", row.state.text());
  const auto optional = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) json.text(name, value);
  };
  optional("transport", transport_name(row.transport));
  optional("transportId", row.transport_id ? std::to_string(*row.transport_id) : "");
  optional("identity", row.identity);
  optional("product", row.product);
  optional("model", row.model);
  optional("device", row.device);
  optional("busAddress", row.bus_address);
  optional("service", service_name(row));
  optional("address", row.address);
  optional("obstacle", row.obstacle);
  if (detail == Detail::described) add_link(json, row);
  return json.str();
}

// mDNS discovery runs while the other sources are queried.
Task<std::vector<DeviceRow>> list_and_discover(TargetOptions target, Detail detail) {
  using namespace base::parallel;
  auto [rows, announced] =
      co_await (list_devices(target, detail) && announced_devices(target, kDiscoveryWindow));
  if (!announced) {
    print_warning("[clawperator] WARN: no discovery: " + announced.error().message());
    co_return std::move(rows);
  }
  if (!rows && rows.error().code() != errc::adb_server_failed) co_return std::move(rows);
  std::vector<DeviceRow> all = rows ? *std::move(rows) : std::vector<DeviceRow>{};
  std::ranges::move(*announced, std::back_inserter(all));
  co_return all;
}

std::string event_line(const DeviceEvent& event, Detail detail) {
  static constexpr std::string_view kNames[] = {"added", "changed", "removed"};
  return JsonObject()
             .text("event", kNames[static_cast<std::size_t>(event.kind)])
             .json("device", row_json(event.row, detail))
             .str() +
         "\n";
}

// Keyed by row. A change of a fact that only -l prints is no change without -l.
using Printed = std::map<std::string, std::string>;

bool is_news(Printed* printed, const DeviceEvent& event, const std::string& row) {
  const std::string key = route_key(event.row);
  if (event.kind == DeviceEvent::Kind::removed) return printed->erase(key) != 0;
  return std::exchange((*printed)[key], row) != row;
}

// The present rows for people: a terminal shows one table that changes in place, other outputs get
// one table after the other.
class LiveTable {
 public:
  void take(const DeviceEvent& event) {
    const std::string key = route_key(event.row);
    if (event.kind == DeviceEvent::Kind::removed) {
      rows_.erase(key);
    } else {
      rows_[key] = event.row;
    }
  }

  // False when the reader is gone. Prints no table twice in a row.
  bool show() {
    std::vector<DeviceRow> rows;
    rows.reserve(rows_.size());
    for (const auto& [key, row] : rows_) rows.push_back(row);
    std::string text = printable(devices_for_people(rows));
    if (text == std::exchange(shown_, text)) return true;
    const bool in_place = ::isatty(STDOUT_FILENO) == 1;
    return write_all(Stream::out, in_place ? "\033[H\033[2J" + text : text + "\n");
  }

 private:
  std::map<std::string, DeviceRow> rows_;
  std::string shown_;
};

Task<void> show_table(Supervisor* supervisor) {
  LiveTable table;
  while (table.show()) {
    const auto events = co_await supervisor->next_events();
    if (!events) co_return std::unexpected(events.error());
    for (const DeviceEvent& event : *events) table.take(event);
  }
  co_return ok();
}

// Runs until a signal, or until the reader is gone.
Task<void> print_events(Supervisor* supervisor, Detail detail) {
  if (const auto why = supervisor->why_nothing()) {
    print_warning("[clawperator] WARN: " + why->message() + "; waiting for a device");
  }
  Printed printed;
  bool reader_is_there = true;
  while (reader_is_there) {
    const auto events = co_await supervisor->next_events();
    if (!events) co_return std::unexpected(events.error());
    for (const DeviceEvent& event : *events) {
      if (!is_news(&printed, event, row_json(event.row, detail))) continue;
      reader_is_there = reader_is_there && write_all(Stream::out, event_line(event, detail));
    }
  }
  co_return ok();
}

// A signal is the normal end of a watch.
Result<void> watch(SupervisorOptions options, Detail detail, OutputMode mode) {
  const auto done = run_task(with_supervisor<void>(std::move(options), [=](Supervisor* supervisor) {
    return mode == OutputMode::pretty ? show_table(supervisor) : print_events(supervisor, detail);
  }));
  if (!done && done.error().code() == errc::cancelled) return ok();
  return done;
}

// `--device HOST:PORT --transport tcp` names a phone that may be in no list.
bool names_address(const TargetOptions& target) {
  return target.transport == Transport::tcp && target.device &&
         adbproto::parse_device_address(*target.device).has_value();
}

Task<std::vector<DeviceRow>> dialled(TargetOptions target, Detail detail) {
  CO_TRY(auto rows, co_await list_devices(target, detail));
  std::erase_if(rows, [&](const DeviceRow& row) { return row.serial != *target.device; });
  if (!rows.empty()) co_return rows;
  target.readiness = Readiness::any;
  CO_TRY(const auto device, co_await resolve_device(target));
  DeviceRow row{
      .serial = device->serial(), .state = state_of(*device), .transport = Transport::tcp};
  row.facts = device->facts();
  take_banner(*row.facts, &row);
  co_return std::vector<DeviceRow>{std::move(row)};
}

Task<std::vector<DeviceRow>> listed(TargetOptions target, Detail detail, bool discover) {
  if (discover) return list_and_discover(std::move(target), detail);
  if (names_address(target)) return dialled(std::move(target), detail);
  return list_devices(std::move(target), detail);
}

Result<Answer> run_devices(const Invocation& invocation) {
  const auto& arguments = invocation.arguments;
  const TargetOptions& target = invocation.globals.target;
  const Detail detail = arguments.has("--long") ? Detail::described : Detail::states;
  if (arguments.has("--watch")) {
    TRY_VOID(refuse_accept_new(invocation.globals));
    TRY_VOID(watch({.target = target,
                    .discover = arguments.has("--discover"),
                    .connect_paired = arguments.has("--connect-paired"),
                    .detail = detail},
                   detail, invocation.globals.output));
    return Answer{};
  }
  if (arguments.has("--connect-paired")) {
    return fail(errc::usage, "--connect-paired requires --watch.");
  }
  TRY(const auto rows, run_task(listed(target, detail, arguments.has("--discover"))));
  const std::string list =
      list_json(rows, [detail](const DeviceRow& row) { return row_json(row, detail); });
  return Answer{.json = JsonObject().json("devices", list).str(), .text = devices_for_people(rows)};
}

using Connect = Task<std::string> (*)(TargetOptions, std::string);

Result<Answer> run_connect(const Invocation& invocation, Connect connect) {
  const std::string name(invocation.command->name);
  const auto& positionals = invocation.arguments.positionals();
  if (positionals.empty() || is_blank(positionals.front())) {
    return missing_argument(name + " requires an address.", name + " <host:port>");
  }
  TRY(const std::string text, run_task(connect(invocation.globals.target, positionals.front())));
  JsonObject json;
  json.boolean("ok", true).text("address", positionals.front()).text("message", text);
  return Answer{.json = json.str(), .text = text};
}

}  // namespace

constinit const Command kDevices = {
    .name = "devices",
    .usage = "[-l] [--discover] [--watch [--connect-paired]]",
    .summary = "List the devices, one row per way to reach one",
    .details =
        "Lists the devices of a running adb server, of USB and of `connect`. --watch prints\n"
        "lines\n"
        "{\"event\":\"added|changed|removed\",\"device\":{...}}, first for the present devices;\n"
        "with\n"
        "--output pretty a table that follows the changes. --device HOST:PORT --transport tcp\n"
        "dials that phone.",
    .examples = "devices\ndevices -l --output pretty\ndevices --watch\n",
    .reach = Reach::host,
    .options = kDevicesOptions,
    .run = run_devices};

constinit const Command kConnect = {
    .name = "connect",
    .usage = "<host:port|name>",
    .summary = "Add a device that listens on TCP",
    .details =
        "A running adb server adds the device and keeps it. Without a server, or with\n"
        "--transport tcp, this program dials the address itself and keeps it in\n"
        "~/.clawperator/targets.json. A phone on the local network may be given by the name that\n"
        "it announces (`devices --discover`). The first phone that answers at a dialled address\n"
        "is remembered (`known`); another phone there needs --accept-new.",
    .examples = "connect 192.168.1.20:5555\nconnect adb-R58N12ABCDE-xQzWmb\n",
    .reach = Reach::host,
    .run = [](const Invocation& invocation) { return run_connect(invocation, connect_target); },
    .most_words = 1};

constinit const Command kDisconnect = {
    .name = "disconnect",
    .usage = "<host:port|name>",
    .summary = "Forget a device added by connect",
    .details =
        "The device is named as in `connect`: by its address or by its announced name.\n"
        "Long-lived processes drop it, too, even a paired phone that they follow. The phone\n"
        "remains known by that address (`known forget`).",
    .examples = "disconnect 192.168.1.20:5555\n",
    .reach = Reach::host,
    .run = [](const Invocation& invocation) { return run_connect(invocation, disconnect_target); },
    .most_words = 1};

}  // namespace clawperator::cli
