#include "runtime/device/discovery/device_model.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "runtime/device/supervisor/backoff.hpp"

using namespace adbproto;
using namespace clawperator;
using Kind = DeviceEvent::Kind;

namespace {

DeviceRow held(const std::string& serial, const std::string& id, const std::string& place = {},
               const std::string& state = "device") {
  DeviceRow row{.serial = serial, .state = DeviceState(state), .transport = Transport::server};
  if (!id.empty()) row.transport_id = std::stoull(id);
  row.bus_address = place;
  return row;
}
DeviceRow usb_row(const std::string& serial, const std::string& place,
                  const std::string& state = "device") {
  DeviceRow row{.serial = serial, .state = DeviceState(state), .transport = Transport::usb};
  row.bus_address = place;
  row.bus_number = "usb:1:4";
  return row;
}
DeviceRow tcp_row(const std::string& address, const std::string& state = "device") {
  return {.serial = address, .state = DeviceState(state), .transport = Transport::tcp};
}
// A paired phone, under its name.
DeviceRow followed(const std::string& name, const std::string& address) {
  DeviceRow row = tcp_row(name);
  row.address = address;
  return row;
}
DeviceRow announced(const std::string& name, const std::string& address,
                    AdbService service = AdbService::tls_connect) {
  DeviceRow row{.serial = name, .state = State::announced, .transport = Transport::mdns};
  row.service = service;
  row.address = address;
  return row;
}

// "+server:A -usb:A ~tcp:B"
std::string short_text(const std::vector<DeviceEvent>& events) {
  std::string text;
  for (const DeviceEvent& event : events) {
    text += text.empty() ? "" : " ";
    text += event.kind == Kind::added ? "+" : event.kind == Kind::removed ? "-" : "~";
    text += std::string(transport_name(event.row.transport)) + ":" + event.row.serial;
  }
  return text;
}

struct Step {
  Transport source;
  std::vector<DeviceRow> list;
  const char* events;
};

}  // namespace

TEST_CASE("device model: what each source's list changes", "[unit]") {
  struct Row {
    const char* name;
    std::vector<Step> steps;
  };
  const auto row = GENERATE(values<Row>({
      {"arrival, change of state, departure",
       {{Transport::server, {held("A", "1", "", "offline")}, "+server:A"},
        {Transport::server, {held("A", "1")}, "~server:A"},
        {Transport::server, {held("A", "1")}, ""},
        {Transport::server, {}, "-server:A"}}},
      {"a new transport id is a new way",
       {{Transport::server, {held("A", "1")}, "+server:A"},
        {Transport::server, {held("A", "2")}, "-server:A +server:A"}}},
      {"a phone that the server takes leaves the USB list",
       {{Transport::usb, {usb_row("A", "usb:1-1"), usb_row("B", "usb:1-2")}, "+usb:A +usb:B"},
        {Transport::server, {held("A", "1", "usb:1-1")}, "-usb:A +server:A"},
        {Transport::server, {}, "-server:A +usb:A"}}},
      {"servers that leave out `usb:` mean the same place",
       {{Transport::server, {held("A", "1", "1-1")}, "+server:A"},
        {Transport::usb, {usb_row("A", "usb:1-1", "busy")}, ""}}},
      {"the same serial at another place is another phone",
       {{Transport::server, {held("A", "1", "usb:1-1")}, "+server:A"},
        {Transport::usb, {usb_row("A", "usb:1-3")}, "+usb:A"}}},
      {"a server elsewhere may have another phone at a place of the same name",
       {{Transport::server, {held("A", "1", "usb:1-1")}, "+server:A"},
        {Transport::usb, {usb_row("B", "usb:1-1")}, "+usb:B"}}},
      {"a phone without a serial is known by its place",
       {{Transport::server,
         {held("(no serial number)", "1", "usb:1-1")},
         "+server:(no serial number)"},
        {Transport::usb, {usb_row("usb:1-1", "usb:1-1", "busy")}, ""}}},
      {"a server that names places by bus and device number",
       {{Transport::server, {held("A", "1", "usb:1:4")}, "+server:A"},
        {Transport::usb, {usb_row("A", "usb:1-1", "busy")}, ""}}},
      {"another device number is another phone",
       {{Transport::server, {held("A", "1", "usb:1:5")}, "+server:A"},
        {Transport::usb, {usb_row("A", "usb:1-1")}, "+usb:A"}}},
      {"a server that names no place: the serial decides",
       {{Transport::server, {held("A", "1")}, "+server:A"},
        {Transport::usb, {usb_row("A", "usb:1-1", "busy"), usb_row("B", "usb:1-2")}, "+usb:B"}}},
      {"two that an old server does not distinguish are one",
       {{Transport::server, {held("?", "", "", "no permissions"), held("?", "")}, "+server:?"},
        {Transport::server, {held("?", "", "", "no permissions"), held("?", "")}, ""}}},
      {"two phones with one serial",
       {{Transport::usb, {usb_row("A", "usb:1-1"), usb_row("A", "usb:1-2")}, "+usb:A +usb:A"},
        {Transport::usb, {usb_row("A", "usb:1-2")}, "-usb:A"}}},
      {"an announced phone that is connected is announced no more",
       {{Transport::mdns, {announced("adb-A-x", "10.0.0.2:4711")}, "+mdns:adb-A-x"},
        {Transport::tcp, {tcp_row("10.0.0.2:4711")}, "-mdns:adb-A-x +tcp:10.0.0.2:4711"},
        {Transport::tcp, {}, "-tcp:10.0.0.2:4711 +mdns:adb-A-x"}}},
      {"connected by the server under its own name",
       {{Transport::server,
         {held("adb-A-x._adb-tls-connect._tcp", "4")},
         "+server:adb-A-x._adb-tls-connect._tcp"},
        {Transport::mdns, {announced("adb-A-x", "10.0.0.2:4711")}, ""}}},
      {"followed under its name, announced under another one for the same address",
       {{Transport::tcp, {followed("adb-A-x", "10.0.0.2:4711")}, "+tcp:adb-A-x"},
        {Transport::mdns, {announced("adb-A-x (2)", "10.0.0.2:4711")}, ""}}},
      {"a name that begins like another one's is another phone",
       {{Transport::tcp, {followed("adb-A-xyz", "10.0.0.2:4711")}, "+tcp:adb-A-xyz"},
        {Transport::mdns, {announced("adb-A-x", "10.0.0.3:4711")}, "+mdns:adb-A-x"}}},
      {"who waits for pairing stays announced",
       {{Transport::tcp, {tcp_row("10.0.0.2:4711")}, "+tcp:10.0.0.2:4711"},
        {Transport::mdns,
         {announced("adb-A-x", "10.0.0.2:4711", AdbService::tls_pairing)},
         "+mdns:adb-A-x"}}},
      {"a new address is a change of an announcement",
       {{Transport::mdns, {announced("adb-A-x", "10.0.0.2:4711")}, "+mdns:adb-A-x"},
        {Transport::mdns, {announced("adb-A-x", "10.0.0.9:4711")}, "~mdns:adb-A-x"}}},
  }));
  INFO(row.name);
  DeviceModel model;
  std::vector<DeviceRow> seen;
  for (const Step& step : row.steps) {
    model.replace(step.source, step.list);
    const auto now = model.rows();
    CHECK(short_text(changes(seen, now)) == step.events);
    seen = now;
  }
}

TEST_CASE("device model: the best route comes first, in any order of the sources", "[unit]") {
  DeviceModel model;
  model.replace(Transport::mdns, {announced("adb-M-x", "10.0.0.7:1")});
  model.replace(Transport::tcp, {tcp_row("10.0.0.2:5555")});
  model.replace(Transport::usb, {usb_row("U", "usb:1-1")});
  model.replace(Transport::server, {held("S", "1")});
  std::string order;
  for (const DeviceRow& row : model.rows())
    order += std::string(transport_name(row.transport)) + " ";
  CHECK(order == "server usb tcp mdns ");
}

TEST_CASE("device model: who answers is known as long as the way exists", "[unit]") {
  DeviceModel model;
  model.replace(Transport::server, {held("10.0.0.2:5555", "1")});
  const std::string key = route_key(model.rows().front());
  model.learn(key, "SN-1");
  CHECK(model.rows().front().identity == "SN-1");
  model.replace(Transport::server, {held("10.0.0.2:5555", "1", "", "offline")});
  CHECK(model.rows().front().identity == "SN-1");
  model.replace(Transport::server, {held("10.0.0.2:5555", "2")});
  CHECK(model.rows().front().identity.empty());
  model.learn(key, "SN-1");  // too late: that way is gone
  model.replace(Transport::server, {held("10.0.0.2:5555", "1")});
  CHECK(model.rows().front().identity.empty());
}

TEST_CASE("backoff: 250 ms, doubling to its longest, and from the start after a success",
          "[unit]") {
  Backoff backoff;
  std::vector<long> waits(6);
  for (long& wait : waits) wait = backoff.next().count();
  CHECK(waits == std::vector<long>{250, 500, 1000, 2000, 3000, 3000});
  backoff.reset();
  CHECK(backoff.next().count() == 250);
  Backoff lazy(kServerPause);
  for (long& wait : waits) wait = lazy.next().count();
  CHECK(waits == std::vector<long>{250, 500, 1000, 2000, 4000, 8000});
  CHECK(lazy.next() == kServerPause);
}

// A reader that only hears of changes knows what is there.
TEST_CASE("device model: changes, applied in order, give the new list", "[unit]") {
  std::minstd_rand random(11);
  DeviceModel model;
  std::map<std::string, DeviceRow> known;
  std::vector<DeviceRow> seen;
  for (int i = 0; i < 2000; ++i) {
    const auto source = static_cast<Transport>(1 + random() % 4);
    std::vector<DeviceRow> list;
    for (char name = 'A'; name < 'E'; ++name) {
      if (random() % 2 == 0) continue;
      const std::string serial(1, name);
      const std::string state = random() % 3 == 0 ? "offline" : "device";
      const std::string place = "usb:1-" + serial;
      if (source == Transport::server)
        list.push_back(held(serial, std::to_string(name), place, state));
      if (source == Transport::usb) list.push_back(usb_row(serial, place, state));
      if (source == Transport::tcp) list.push_back(tcp_row(serial, state));
      if (source == Transport::mdns) list.push_back(announced(serial, serial));
    }
    model.replace(source, list);
    const auto now = model.rows();
    for (const DeviceEvent& event : changes(seen, now)) {
      const std::string key = route_key(event.row);
      const bool was_there = known.contains(key);
      REQUIRE(was_there == (event.kind != Kind::added));
      if (event.kind == Kind::removed) known.erase(key);
      if (event.kind != Kind::removed) known[key] = event.row;
    }
    REQUIRE(known.size() == now.size());
    for (const DeviceRow& row : now) REQUIRE(known[route_key(row)] == row);
    seen = now;
  }
}
