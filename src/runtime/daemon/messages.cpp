#include "runtime/daemon/messages.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_codes.hpp"
#include "runtime/contract/json_document.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/contract/parse.hpp"
#include "runtime/daemon/frame.hpp"

namespace clawperator::daemon {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// Of both `timings` and their names here.
constexpr std::pair<std::string_view, microseconds Timings::*> kPhases[] = {
    {"resolve", &Timings::resolve},     {"attach", &Timings::attach},
    {"preflight", &Timings::preflight}, {"queue", &Timings::queue},
    {"dispatch", &Timings::dispatch},   {"device", &Timings::device},
    {"transfer", &Timings::transfer},   {"parse", &Timings::parse},
    {"total", &Timings::total}};

void add_text(JsonObject& json, std::string_view name, const std::optional<std::string>& value) {
  if (value) json.text(name, *value);
}

// Reads members; what is absent or of another type stays as it is.
class Members {
 public:
  explicit Members(const Json* json) : json_(json) {}

  [[nodiscard]] Members object(std::string_view name) const {
    static const Json kNone = Json::object();
    const Json* value = find_member(*json_, name);
    return Members(value && value->is_object() ? value : &kNone);
  }
  [[nodiscard]] bool has(std::string_view name) const { return find_member(*json_, name); }
  void read(std::string_view name, std::string& into) const {
    if (const std::string* text = string_value(find_member(*json_, name))) into = *text;
  }
  void read(std::string_view name, std::optional<std::string>& into) const {
    if (const std::string* text = string_value(find_member(*json_, name))) into = *text;
  }
  void read(std::string_view name, std::optional<bool>& into) const {
    if (!has(name)) return;
    bool value = false;
    read(name, value);
    into = value;
  }
  void read(std::string_view name, bool& into) const {
    const Json* value = find_member(*json_, name);
    if (value && value->is_boolean()) into = value->get<bool>();
  }
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name) const {
    constexpr double kExact = 9007199254740992;  // read_json's numbers are doubles
    const Json* value = find_member(*json_, name);
    const double number = value && value->is_number() ? value->get<double>() : kExact;
    if (!(std::abs(number) < kExact)) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  template <class Duration>
  void read_duration(std::string_view name, Duration& into) const {
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    if (const auto value = number(name))
      into = Duration(std::clamp<std::int64_t>(*value, 0, kMost));
  }
  // An enumerator by its number, up to `last`.
  template <class Enum>
  void read_enum(std::string_view name, Enum last, Enum& into) const {
    const auto value = number(name);
    if (value && *value >= 0 && *value <= static_cast<std::int64_t>(last)) {
      into = static_cast<Enum>(*value);
    }
  }
  template <class Enum>
  void read_enum(std::string_view name, Enum last, std::optional<Enum>& into) const {
    if (!has(name)) return;
    Enum value{};
    read_enum(name, last, value);
    into = value;
  }
  [[nodiscard]] const Json& json() const { return *json_; }

 private:
  const Json* json_;
};

JsonObject surface_json(const Surface& surface) {
  JsonObject settings;
  for (const auto& [name, value] : surface.settings) settings.text(name, value);
  return JsonObject().text("version", surface.version).object("settings", settings);
}

Surface read_surface(const Members& json) {
  Surface surface;
  json.read("version", surface.version);
  for (const auto& [name, value] : json.object("settings").json().items()) {
    if (const std::string* text = string_value(&value)) surface.settings[name] = *text;
  }
  return surface;
}

JsonObject target_json(const TargetOptions& target) {
  JsonObject json;
  add_text(json, "device", target.device);
  return json.number("transport", static_cast<std::int64_t>(target.transport))
      .boolean("honourAndroidSerial", target.honour_android_serial)
      .number("authorizationMs", target.authorization_limit.count());
}

TargetOptions read_target(const Members& json) {
  TargetOptions target;
  json.read("device", target.device);
  json.read_enum("transport", Transport::tcp, target.transport);
  json.read("honourAndroidSerial", target.honour_android_serial);
  json.read_duration("authorizationMs", target.authorization_limit);
  return target;
}

JsonObject picture_json(const ScreenshotOptions& picture) {
  JsonObject json;
  json.number("format", static_cast<std::int64_t>(picture.format))
      .number("quality", picture.quality)
      .boolean("toMemory", picture.to_memory);
  if (picture.capture) json.number("capture", static_cast<std::int64_t>(*picture.capture));
  if (picture.max_side) json.number("maxSide", *picture.max_side);
  if (picture.marks) json.number("marks", static_cast<std::int64_t>(*picture.marks));
  add_text(json, "defaultPath", picture.default_path);
  return json;
}

int in_int(std::optional<std::int64_t> value, int otherwise) {
  constexpr std::int64_t kMost = 1 << 30;
  return value ? static_cast<int>(std::clamp(*value, -kMost, kMost)) : otherwise;
}

ScreenshotOptions read_picture(const Members& json) {
  ScreenshotOptions picture;
  json.read_enum("format", PictureFormat::jpeg, picture.format);
  picture.quality = in_int(json.number("quality"), picture.quality);
  json.read("toMemory", picture.to_memory);
  json.read_enum("capture", CaptureMethod::raw_frame, picture.capture);
  if (json.has("maxSide")) picture.max_side = in_int(json.number("maxSide"), 1);
  json.read_enum("marks", Marked::actionable, picture.marks);
  json.read("defaultPath", picture.default_path);
  return picture;
}

JsonObject verify_json(const Verify& verify) {
  return JsonObject()
      .number("what", static_cast<std::int64_t>(verify.what))
      .number("stillMs", verify.still.count())
      .number("limitMs", verify.limit.count());
}

Verify read_verify_of(const Members& json) {
  Verify verify;
  json.read_enum("what", Verify::What::settled, verify.what);
  json.read_duration("stillMs", verify.still);
  json.read_duration("limitMs", verify.limit);
  verify.still = std::min(verify.still, kLongestStill);
  verify.limit = std::min(verify.limit, kLongestSettling);
  return verify;
}

JsonObject proof_json(const PictureProof& proof) {
  JsonObject json;
  if (proof.changed) json.boolean("changed", *proof.changed);
  if (proof.settled) json.boolean("settled", *proof.settled);
  return json;
}

PictureProof read_proof(const Members& json) {
  PictureProof proof;
  json.read("changed", proof.changed);
  json.read("settled", proof.settled);
  return proof;
}

JsonObject route_json(const ExecuteResult& result) {
  const adbproto::RouteFacts& facts = result.route_facts;
  JsonObject json;
  json.text("name", result.route).boolean("tls", facts.tls);
  json.boolean("delayedAck", facts.delayed_ack).number("maxPayload", facts.max_payload);
  if (facts.rtt) json.number("rttMicros", facts.rtt->count());
  return json;
}

void read_route(const Members& json, ExecuteResult& result) {
  adbproto::RouteFacts& facts = result.route_facts;
  json.read("name", result.route);
  json.read("tls", facts.tls);
  json.read("delayedAck", facts.delayed_ack);
  facts.max_payload = static_cast<std::uint32_t>(in_int(json.number("maxPayload"), 0));
  if (!json.has("rttMicros")) return;
  microseconds rtt{};
  json.read_duration("rttMicros", rtt);
  facts.rtt = rtt;
}

}  // namespace

std::string encode_request(const Surface& surface, const ExecuteRequest& request) {
  JsonObject json;
  if (request.traceparent) json.text("traceparent", to_string(*request.traceparent));
  if (request.verify) json.object("verify", verify_json(*request.verify));
  return json.object("surface", surface_json(surface))
      .json("execution", to_json(request.execution))
      .object("target", target_json(request.target))
      .text("operatorPackage", request.operator_package)
      .text("broadcastAction", request.broadcast_action)
      .number("backend", static_cast<std::int64_t>(request.backend))
      .object("picture", picture_json(request.screenshot))
      .boolean("askScreenSize", request.ask_screen_size)
      .number("graceMs", request.grace.count())
      .number("lockPatienceMs", request.lock_patience.count())
      .boolean("awaitService", request.await_service)
      .boolean("timings", request.timings)
      .boolean("wantsEvents", request.on_event || request.on_stage)
      .str();
}

Result<Asked> decode_request(std::string_view text) {
  TRY(const Json document, read_json(text, kMaxRequest));
  const Members json(&document);
  const Json* execution = find_member(document, "execution");
  if (!execution) return fail(errc::protocol, "a request without an execution");
  Asked asked;
  asked.surface = read_surface(json.object("surface"));
  ExecuteRequest& request = asked.request;
  TRY(request.execution, parse_execution(write_json(*execution)));
  request.target = read_target(json.object("target"));
  json.read("operatorPackage", request.operator_package);
  json.read("broadcastAction", request.broadcast_action);
  json.read_enum("backend", Backend::shell, request.backend);
  request.screenshot = read_picture(json.object("picture"));
  if (json.has("verify")) request.verify = read_verify_of(json.object("verify"));
  json.read("askScreenSize", request.ask_screen_size);
  json.read_duration("graceMs", request.grace);
  json.read_duration("lockPatienceMs", request.lock_patience);
  json.read("awaitService", request.await_service);
  json.read("timings", request.timings);
  json.read("wantsEvents", asked.wants_events);
  std::string traceparent;
  json.read("traceparent", traceparent);
  request.traceparent = parse_traceparent(traceparent);
  return asked;
}

// The envelope, which may be long, stands behind the rest: it is read once.
std::string encode_result(const ExecuteResult& result) {
  JsonObject timings;
  for (const auto& [name, phase] : kPhases) timings.number(name, (result.timings.*phase).count());
  JsonObject json;
  json.text("deviceId", result.device_id)
      .text("executionId", result.execution_id)
      .object("route", route_json(result))
      .number("backend", static_cast<std::int64_t>(result.backend))
      .object("timings", timings)
      .object("proof", proof_json(result.proof));
  add_text(json, "hint", result.envelope.hint);
  if (result.screen) {
    json.number("width", result.screen->width).number("height", result.screen->height);
  }
  return json.str() + '\0' + to_json(result.envelope);
}

Result<ExecuteResult> decode_result(std::string_view text) {
  const auto end = text.find('\0');
  if (end == text.npos) return fail(errc::protocol, "a result without an envelope");
  TRY(const Json document, read_json(text.substr(0, end), kMaxRequest));
  const Members json(&document);
  ExecuteResult result;
  TRY(result.envelope, parse_envelope(text.substr(end + 1)));
  json.read("hint", result.envelope.hint);
  json.read("deviceId", result.device_id);
  json.read("executionId", result.execution_id);
  read_route(json.object("route"), result);
  json.read_enum("backend", Backend::shell, result.backend);
  result.proof = read_proof(json.object("proof"));
  const Members timings = json.object("timings");
  for (const auto& [name, phase] : kPhases) timings.read_duration(name, result.timings.*phase);
  if (json.has("width")) {
    result.screen = ScreenSize{static_cast<std::uint32_t>(in_int(json.number("width"), 0)),
                               static_cast<std::uint32_t>(in_int(json.number("height"), 0))};
  }
  return result;
}

std::string encode_error(const Error& error) {
  return JsonObject()
      .text("code", error_row(error.code()).published)
      .text("message", error.message())
      .text("members", error.members())
      .str();
}

Result<Error> decode_error(std::string_view text) {
  TRY(const Json document, read_json(text, kMaxAnswer));
  std::string code;
  std::string message;
  std::string members;
  const Members json(&document);
  json.read("code", code);
  json.read("message", message);
  json.read("members", members);
  const auto row = std::ranges::find(error_table(), code, &ErrorRow::published);
  if (row == error_table().end()) return fail(errc::protocol, "an unknown error: " + code);
  return Error(row->code, message, members);
}

}  // namespace clawperator::daemon
