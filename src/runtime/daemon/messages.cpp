#include "runtime/daemon/messages.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <nlohmann/json.hpp>

#include "adbproto/wire/errc.hpp"
#include "base/error_members.hpp"
#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "base/system/errc.hpp"
#include "runtime/android/errc.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/parse.hpp"
#include "runtime/daemon/frame.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/timing_phases.hpp"
#include "runtime/engine/ulid.hpp"
#include "runtime/image/errc.hpp"
#include "runtime/ui/errc.hpp"

namespace clawperator::daemon {
namespace {

// A struct is written and read by one list of its members: `io(name, member)` puts it into the
// object, or takes it from there; `last` is the last enumerator.
class Writer {
 public:
  void operator()(std::string_view name, const std::string& value) { json_.text(name, value); }
  void operator()(std::string_view name, bool value) { json_.boolean(name, value); }
  void operator()(std::string_view name, std::integral auto value) { json_.number(name, value); }
  template <class Rep, class Period>
  void operator()(std::string_view name, std::chrono::duration<Rep, Period> value) {
    json_.number(name, value.count());
  }
  template <class Enum>
  void operator()(std::string_view name, Enum value, Enum /*last*/) {
    json_.number(name, static_cast<std::int64_t>(value));
  }
  template <class T, class... Last>
  void operator()(std::string_view name, const std::optional<T>& value, Last... last) {
    if (value) (*this)(name, *value, last...);
  }
  template <class Struct>
  void object(std::string_view name, const Struct& value) {
    Writer inner;
    members(inner, value);
    json_.object(name, inner.json_);
  }
  template <class Struct>
  void list(std::string_view name, const std::vector<Struct>& values) {
    json_.json(name, list_json(values, [](const Struct& value) {
                 Writer inner;
                 members(inner, value);
                 return inner.json_.str();
               }));
  }
  JsonObject& json() { return json_; }

 private:
  JsonObject json_;
};

// A member that is absent or of another type keeps its value.
class Reader {
 public:
  explicit Reader(const Json* json) : json_(json) {}

  [[nodiscard]] bool has(std::string_view name) const { return find_member(*json_, name); }
  [[nodiscard]] const Json& member_object(std::string_view name) const {
    static const Json kNone = Json::object();
    const Json* value = find_member(*json_, name);
    return value && value->is_object() ? *value : kNone;
  }
  void operator()(std::string_view name, std::string& into) const {
    if (const std::string* text = string_value(find_member(*json_, name))) into = *text;
  }
  void operator()(std::string_view name, std::optional<std::string>& into) const {
    if (const std::string* text = string_value(find_member(*json_, name))) into = *text;
  }
  void operator()(std::string_view name, bool& into) const {
    const Json* value = find_member(*json_, name);
    if (value && value->is_boolean()) into = value->get<bool>();
  }
  template <std::integral Number>
  void operator()(std::string_view name, Number& into) const {
    constexpr std::int64_t kMost = 1 << 30;  // every int of 32 bits holds it, with either sign
    if (const auto value = number(name)) {
      into = static_cast<Number>(std::clamp(*value, -kMost, kMost));
    }
  }
  template <class Rep, class Period>
  void operator()(std::string_view name, std::chrono::duration<Rep, Period>& into) const {
    // As milliseconds 34 years; as nanoseconds they fit 64 bits.
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    if (const auto value = number(name)) {
      into = std::chrono::duration<Rep, Period>(std::clamp<std::int64_t>(*value, 0, kMost));
    }
  }
  template <class Enum>
  void operator()(std::string_view name, Enum& into, Enum last) const {
    const auto value = number(name);
    if (value && *value >= 0 && *value <= static_cast<std::int64_t>(last)) {
      into = static_cast<Enum>(*value);
    }
  }
  template <class T, class... Last>
  void operator()(std::string_view name, std::optional<T>& into, Last... last) const {
    if (!has(name)) return;
    T value{};
    (*this)(name, value, last...);
    into = value;
  }
  template <class Struct>
  void object(std::string_view name, Struct& into) const {
    Reader inner(&member_object(name));
    members(inner, into);
  }
  template <class Struct>
  void list(std::string_view name, std::vector<Struct>& into) const {
    const Json* values = find_member(*json_, name);
    if (!values || !values->is_array()) return;
    for (const Json& value : *values) {
      if (!value.is_object()) continue;
      Reader inner(&value);
      members(inner, into.emplace_back());
    }
  }

 private:
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name) const {
    constexpr double kExact = 9007199254740992;  // read_json's numbers are doubles
    const Json* value = find_member(*json_, name);
    const double number = value && value->is_number() ? value->get<double>() : kExact;
    if (!(std::abs(number) < kExact)) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }

  const Json* json_;
};

template <class T, class Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

void members(auto& io, Is<TargetOptions> auto& target) {
  io("device", target.device);
  io("transport", target.transport, Transport::tcp);
  io("honourAndroidSerial", target.honour_android_serial);
  io("authorizationMs", target.authorization_limit);
}

void members(auto& io, Is<ScreenshotOptions> auto& picture) {
  io("format", picture.format, PictureFormat::jpeg);
  io("quality", picture.quality);
  io("toMemory", picture.to_memory);
  io("maxSide", picture.max_side);
  io("marks", picture.marks, Marked::actionable);
  io("defaultPath", picture.default_path);
}

void members(auto& io, Is<Verify> auto& verify) {
  io("what", verify.what, Verify::What::settled);
  io("stillMs", verify.still);
}

void members(auto& io, Is<PictureProof> auto& proof) {
  io("changed", proof.changed);
  io("settled", proof.settled);
}

void members(auto& io, Is<Timings> auto& timings) {
  for (const auto& [name, phase] : kTimingPhases) io(name, timings.*phase);
}

void members(auto& io, Is<NodeMatcher> auto& matcher) {
  io("resourceId", matcher.resource_id);
  io("role", matcher.role);
  io("textEquals", matcher.text_equals);
  io("contentDescEquals", matcher.description_equals);
}

void members(auto& io, Is<ShownNode> auto& shown) {
  io("ref", shown.ref);
  io("app", shown.app);
  io("front", shown.front);
  io("class", shown.class_name);
  io("left", shown.bounds.left);
  io("top", shown.bounds.top);
  io("right", shown.bounds.right);
  io("bottom", shown.bounds.bottom);
  io("look", shown.appearance);
  io("window", shown.window);
  io.object("matcher", shown.matcher);
  io("unique", shown.is_unique);
  io("ancestor", shown.ancestor_id);
  io.list("witnesses", shown.witnesses.texts);
  io("container", shown.witnesses.container_id);
  io("by", shown.shown_by);
}

// All members but the execution, the trace, `verify` and the node of a ref.
void members(auto& io, Is<ExecuteRequest> auto& request) {
  io.object("target", request.target);
  io("operatorPackage", request.operator_package);
  io("broadcastAction", request.broadcast_action);
  io("backend", request.backend, Backend::shell);
  io.object("picture", request.screenshot);
  io("askScreenSize", request.ask_screen_size);
  io("graceMs", request.grace);
  io("lockPatienceMs", request.lock_patience);
  io("awaitService", request.await_service);
  io("timings", request.timings);
}

// But for the envelope and the size of the screen.
void members(auto& io, Is<ExecuteResult> auto& result) {
  io("deviceId", result.device_id);
  io("executionId", result.execution_id);
  io("place", result.place);
  io("backend", result.backend, Backend::shell);
  io.object("timings", result.timings);
  io.object("proof", result.proof);
  io("attempts", result.attempts);
  io("hint", result.envelope.hint);
}

JsonObject surface_json(const Surface& surface) {
  JsonObject settings;
  for (const auto& [name, value] : surface.settings) settings.text(name, value);
  return JsonObject().text("version", surface.version).object("settings", settings);
}

Surface read_surface(const Reader& json) {
  Surface surface;
  json("version", surface.version);
  for (const auto& [name, value] : json.member_object("settings").items()) {
    if (const std::string* text = string_value(&value)) surface.settings[name] = *text;
  }
  return surface;
}

Secrets read_secrets(const Json& document) {
  Secrets secrets;
  const Json* texts = find_member(document, "secrets");
  if (!texts || !texts->is_array()) return secrets;
  for (const Json& text : *texts) {
    if (const std::string* secret = string_value(&text)) secrets.add(*secret);
  }
  return secrets;
}

Verify read_verify_of(const Reader& json) {
  Verify verify;
  json.object("verify", verify);
  verify.still = std::min(verify.still, kLongestStill);
  return verify;
}

}  // namespace

std::string encode_request(const Surface& surface, const ExecuteRequest& request,
                           const std::string& dispatch_id) {
  Writer io;
  io("dispatchId", dispatch_id);
  if (request.traceparent) io("traceparent", to_string(*request.traceparent));
  if (request.verify) io.object("verify", *request.verify);
  if (request.shown) io.object("shown", *request.shown);
  io.json()
      .object("surface", surface_json(surface))
      .json("execution", payload_json(request.execution));
  members(io, request);
  if (!request.secrets.empty()) io.json().strings("secrets", request.secrets.texts());
  io("wantsEvents", request.on_event || request.on_stage);
  return io.json().str();
}

Result<DaemonRequest> decode_request(std::string_view text) {
  TRY(const Json document, read_json(text, kMaxRequest));
  const Reader io(&document);
  const Json* execution = find_member(document, "execution");
  if (!execution) return fail(errc::protocol, "a request without an execution");
  DaemonRequest received;
  received.surface = read_surface(Reader(&io.member_object("surface")));
  ExecuteRequest& request = received.request;
  TRY(request.execution, parse_execution(write_json(*execution)));
  members(io, request);
  request.secrets = read_secrets(document);
  if (io.has("verify")) request.verify = read_verify_of(io);
  if (io.has("shown")) io.object("shown", request.shown.emplace());
  io("wantsEvents", received.wants_events);
  if (std::string id; io("dispatchId", id), is_dispatch_id(id)) {
    request.dispatch_ids = [id, is_taken = false]() mutable {
      return std::exchange(is_taken, true) ? new_dispatch_id() : id;
    };
  }
  std::string traceparent;
  io("traceparent", traceparent);
  request.traceparent = parse_traceparent(traceparent);
  return received;
}

// The envelope, which may be long, stands behind the rest: it is read once.
std::string encode_result(const ExecuteResult& result) {
  Writer io;
  members(io, result);
  if (result.screen) {
    io("width", result.screen->width);
    io("height", result.screen->height);
  }
  if (!result.secrets.empty()) io.json().strings("secrets", result.secrets.texts());
  return io.json().str() + '\0' + to_json(result.envelope);
}

Result<ExecuteResult> decode_result(std::string_view text) {
  const auto end = text.find('\0');
  if (end == text.npos) return fail(errc::protocol, "a result without an envelope");
  TRY(const Json document, read_json(text.substr(0, end), kMaxRequest));
  const Reader io(&document);
  ExecuteResult result;
  TRY(result.envelope, parse_envelope(text.substr(end + 1)));
  members(io, result);
  result.secrets = read_secrets(document);
  if (io.has("width")) {
    result.screen.emplace();
    io("width", result.screen->width);
    io("height", result.screen->height);
  }
  return result;
}

namespace {

// Of what an execution can end with.
constexpr ErrorList kRooms[] = {base::kBaseErrors, base::kSystemErrors, adbproto::kProtocolErrors,
                                kContractErrors,   kAndroidErrors,      kPictureErrors,
                                kScreenErrors,     kDeviceErrors,       kEngineErrors};

const ErrorCode* find_code(std::string_view published) {
  for (const ErrorList room : kRooms) {
    const auto row = std::ranges::find(room, published, &ErrorCode::published);
    if (row != room.end()) return *row;
  }
  return nullptr;
}

}  // namespace

std::string encode_error(const Error& error) {
  return JsonObject()
      .text("code", error.code()->published)
      .text("message", error.message())
      .text("members", error.members())
      .str();
}

Result<Error> decode_error(std::string_view text) {
  TRY(const Json document, read_json(text, kMaxAnswer));
  std::string code;
  std::string message;
  std::string members;
  const Reader io(&document);
  io("code", code);
  io("message", message);
  io("members", members);
  const ErrorCode* row = find_code(code);
  if (!row) return fail(errc::protocol, "an unknown error: " + code);
  return Error(*row, message, members);
}

}  // namespace clawperator::daemon
