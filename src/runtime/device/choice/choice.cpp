#include "runtime/device/choice/choice.hpp"

#include <algorithm>

#include "adbproto/wire/errc.hpp"
#include "base/error_members.hpp"
#include "base/hints.hpp"
#include "runtime/device/errc.hpp"

namespace clawperator {

namespace {

// Each source that was searched, best first, with the devices that it has.
std::string sources_json(const Question& question, const std::vector<DeviceRow>& rows,
                         const std::optional<Error>& server_error) {
  std::vector<Transport> searched;
  for (const Transport source : {Transport::server, Transport::usb, Transport::tcp}) {
    if (question.searched == Transport::automatic || question.searched == source) {
      searched.push_back(source);
    }
  }
  return list_json(searched, [&](Transport source) {
    JsonObject json;
    json.text("source", transport_name(source));
    if (source == Transport::server && server_error) {
      return json.text("problem", server_error->message());
    }
    std::vector<std::string> serials;
    for (const DeviceRow& row : rows) {
      if (row.transport == source) serials.push_back(row.serial);
    }
    return json.strings("devices", serials);
  });
}

Error not_found(const Question& question, const std::vector<DeviceRow>& rows,
                const std::optional<Error>& server_error = std::nullopt) {
  ErrorMembers details;
  details.strings("connected", ready_names(rows));
  details.json("sources", sources_json(question, rows, server_error));
  for (const DeviceRow& row : rows) {
    if (!question.matches(row)) continue;
    details.text("state", row.state.text());
    break;
  }
  const std::string name =
      question.serial ? *question.serial : "transport " + std::to_string(*question.transport_id);
  return {errc::device_not_found, "Device " + name + " not found or not in device state",
          hint_and_details(hints::absent_device.with(), details)};
}

Error no_devices(const std::vector<DeviceRow>& rows) {
  if (rows.empty()) {
    return {errc::no_devices, "No connected devices",
            ErrorMembers().text("hint", hints::no_source.with()).str()};
  }
  ErrorMembers states;
  for (const DeviceRow& row : rows) states.text(row.serial, row.state.text());
  return {errc::no_devices, "No connected devices",
          ErrorMembers().object("details", ErrorMembers().object("states", states)).str()};
}

bool is_named(const DeviceRow& row, const std::string& name) {
  // As adb does: `connect 10.0.0.5` makes 10.0.0.5:5555 of it.
  return row.serial == name || row.serial == name + ":5555" ||
         (!row.bus_address.empty() && row.bus_address == name) ||
         (!row.model.empty() && "model:" + row.model == name) ||
         (!row.product.empty() && "product:" + row.product == name) ||
         (!row.device.empty() && "device:" + row.device == name);
}

// Serials are not unique; places are.
std::vector<std::string> names_of(const std::vector<DeviceRow>& rows) {
  std::vector<std::string> names;
  for (const DeviceRow& row : rows) {
    const bool has_twin = std::ranges::count(rows, row.serial, &DeviceRow::serial) > 1;
    names.push_back(has_twin && !row.bus_address.empty() ? row.bus_address : row.serial);
  }
  return names;
}

// Calls twins by their places.
Error several_devices(const std::vector<DeviceRow>& rows) {
  const auto names = names_of(rows);
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return {
      errc::multiple_devices_device_id_required,
      "Multiple devices connected (" + list + "). " + hints::several_devices.with({names.front()}),
      ErrorMembers().object("details", ErrorMembers().strings("devices", names)).str()};
}

bool may_be_one(const Way& one, const Way& other) {
  if (is_on_usb(one.row) && is_on_usb(other.row)) return false;
  if (one.identity.serialno != other.identity.serialno) return false;
  const std::string& boot = one.identity.boot_id;
  const std::string& other_boot = other.identity.boot_id;
  if (!boot.empty() && !other_boot.empty()) {
    if (boot != other_boot) return false;
  } else if (is_shared_serialno(one.identity.serialno)) {
    return one.row.serial == other.row.serial;
  }
  return !one.identity.serialno.empty() || one.row.serial == other.row.serial;
}

}  // namespace

bool Question::takes(State state) const {
  switch (readiness) {
    case Readiness::android: return state == State::device;
    case Readiness::any: return answers(state);
    case Readiness::listed: return state != State::no_permissions;
  }
  return false;
}

Result<void> check_state(const Question& question, const adbproto::Device& device) {
  const DeviceState state = state_of(device);
  if (question.takes(state)) return ok();
  const Question named{.serial = device.serial()};
  return std::unexpected(not_found(named, {{.serial = device.serial(), .state = state}}));
}

DeviceChoice server_choice(const Question& question) {
  constexpr DeviceReach kReach[] = {DeviceReach::any, DeviceReach::usb, DeviceReach::local};
  return {.transport_id = question.transport_id,
          .serial = question.serial.value_or(""),
          .reach = kReach[static_cast<std::size_t>(question.reachable)]};
}

std::vector<std::string> ready_names(const std::vector<DeviceRow>& rows) {
  std::vector<DeviceRow> ready;
  for (const DeviceRow& row : rows) {
    if (row.state == State::device) ready.push_back(row);
  }
  return names_of(ready);
}

Result<void> check_one_phone(const std::vector<Way>& ways, const Question& question) {
  std::vector<DeviceRow> rows;
  bool is_one = true;
  for (const Way& way : ways) {
    for (std::size_t i = 0; i < rows.size(); ++i) is_one = is_one && may_be_one(way, ways[i]);
    rows.push_back(way.row);
  }
  if (is_one) return ok();
  return std::unexpected(question.dialect->worded(question, &rows.front(), several_devices(rows)));
}

Result<std::vector<std::size_t>> choose_rows(const std::vector<DeviceRow>& rows,
                                             const Question& question) {
  const bool names_one = question.serial || question.transport_id;
  std::vector<std::size_t> chosen;
  std::vector<DeviceRow> same_route;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!question.takes(rows[i].state) || !question.matches(rows[i])) continue;
    chosen.push_back(i);
    if (rows[i].transport == rows[chosen.front()].transport) same_route.push_back(rows[i]);
  }
  if (names_one && same_route.size() > 1) return std::unexpected(several_devices(same_route));
  if (names_one && !chosen.empty()) chosen.resize(1);
  if (!chosen.empty()) return chosen;
  if (names_one) return std::unexpected(not_found(question, rows));
  return std::unexpected(no_devices(rows));
}

namespace {

// Indices of the candidates that match the question, ready or not.
using Matching = std::vector<std::size_t>;

// The only match with `property`; none where several have it, because the choice between them is
// open.
std::optional<std::size_t> only_one(const std::vector<Candidate>& candidates,
                                    const Matching& matching, bool (*property)(const Candidate&)) {
  const auto holds = [&](std::size_t at) { return property(candidates[at]); };
  if (std::ranges::count_if(matching, holds) != 1) return std::nullopt;
  return *std::ranges::find_if(matching, holds);
}

// A phone whose owner could accept our key. Only a link of our own can carry that request.
bool is_locked(const Candidate& one) {
  return one.row.transport != Transport::server && one.row.state == State::unauthorized;
}

// A problem whose text helps the user to solve it.
bool has_useful_problem(const Candidate& one) {
  const Errc code = one.problem ? one.problem->code() : errc::unknown;
  return code == errc::usb_busy || code == errc::usb_no_permission ||
         code == errc::device_unauthorized || code == errc::device_identity_changed;
}

bool is_near(const Candidate& one) { return one.row.transport != Transport::tcp; }

// A phone on USB that does not answer. A listing gives up early. Connecting may reset the phone,
// which also interrupts its other uses of USB: only for the chosen one.
bool is_mute(const Candidate& one) {
  return one.row.transport == Transport::usb && one.row.state == State::offline && one.problem &&
         one.problem->code() == errc::deadline_exceeded;
}

bool dials(const Question& question, const Matching& matching) {
  if (!question.serial) return false;
  return question.dialling == Dialling::always ||
         (question.dialling == Dialling::unlisted && matching.empty());
}

// Whether a device that no source has is not there. Of a list that could not be read, and was the
// only one, that is not known.
bool is_absent(const Question& question, const std::optional<Error>& server_error) {
  if (!question.serial || question.dialect != &kOwnDialect) return false;
  return !server_error || (server_error->code() == errc::adb_server_failed &&
                           question.searched == Transport::automatic);
}

bool is_own_way(const Question& question, const DeviceRow& row) {
  if (question.transport_id && row.transport_id != question.transport_id) return false;
  const Reachable reachable = question.reachable;
  if (reachable != Reachable::any && is_on_usb(row) != (reachable == Reachable::usb)) return false;
  return !question.serial || is_named(row, *question.serial);
}

}  // namespace

constinit const Dialect kOwnDialect{
    .matches = is_own_way,
    .worded = [](const Question&, const DeviceRow*, Error error) { return error; }};

// In this order, because each next step costs more or reports less: what is ready; a phone that its
// owner can make ready; an address that need not be in a list; why the named one is not ready;
// waking it; and only then that there is nothing. A server that is down is the reason only where
// nothing else is known.
Decision decide(const std::vector<Candidate>& candidates, const Question& question,
                const std::optional<Error>& server_error) {
  std::vector<DeviceRow> rows;
  Matching matching;
  for (const Candidate& candidate : candidates) {
    if (question.matches(candidate.row)) matching.push_back(rows.size());
    rows.push_back(candidate.row);
  }
  const auto refuse = [&](Error why) {
    const DeviceRow* best = matching.empty() ? nullptr : &rows[matching.front()];
    return Refuse{question.dialect->worded(question, best, std::move(why))};
  };
  auto chosen = choose_rows(rows, question);
  if (chosen) return Open{*std::move(chosen)};
  Error why = chosen.error();
  if (why.code() == errc::multiple_devices_device_id_required) return refuse(std::move(why));
  const auto locked = only_one(candidates, matching, is_locked);
  if (locked && question.offers_key) return Connect{*locked};
  if (!locked && dials(question, matching)) {
    return Dial{*question.serial, not_found(question, rows, server_error)};
  }
  if (const auto at = only_one(candidates, matching, has_useful_problem)) {
    Refuse refusal = refuse(*candidates[*at].problem);
    if (candidates[*at].problem->code() == errc::usb_busy) refusal.held = at;
    return refusal;
  }
  const auto near = only_one(candidates, matching, is_near);
  if (near && is_mute(candidates[*near])) return Connect{*near};
  if (matching.empty() && is_absent(question, server_error)) {
    return refuse(not_found(question, rows, server_error));
  }
  if (server_error && matching.empty() && ready_names(rows).empty()) return refuse(*server_error);
  if (matching.size() != 1 || !candidates[matching.front()].problem) return refuse(std::move(why));
  const Error& problem = *candidates[matching.front()].problem;
  return refuse({why.code(), why.message() + ": " + problem.message(), why.members()});
}

}  // namespace clawperator
