#include "runtime/serve/request_body.hpp"

#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/act/aim.hpp"
#include "runtime/serve/errc.hpp"

namespace clawperator::serve {
namespace {

constexpr std::size_t kMaxBody = 1 << 20;  // above http::Limits::body, which decides before
constexpr std::string_view kMissingBody = "Invalid or missing JSON body";

// Zero without `queue`: a time alone does not request a wait.
Result<std::chrono::milliseconds> read_queue_limit(const Json& body) {
  const Json* queue = find_member(body, "queue");
  const Json* limit = find_member(body, "queueTimeoutMs");
  if (queue && !queue->is_boolean()) {
    return fail(errc::invalid_body, "'queue' must be true or false");
  }
  if (limit && !queue) return fail(errc::invalid_body, "'queueTimeoutMs' needs 'queue': true");
  const auto given = whole_value(limit, 1, kMaxPatience.count());
  if (limit && !given) {
    return fail(errc::invalid_body, "'queueTimeoutMs' must be a whole number from 1 to " +
                                        std::to_string(kMaxPatience.count()));
  }
  if (!queue || !queue->get<bool>()) return std::chrono::milliseconds::zero();
  return given ? std::chrono::milliseconds(*given) : kQueuePatience;
}

// Of a body or a query, which have an error each.
Result<std::optional<Backend>> judge_backend(const std::string* word, Errc otherwise) {
  const auto backend = word ? clawperator::read_backend(*word) : std::nullopt;
  if (backend) return backend;
  return fail(otherwise, "'backend' must be app or shell");
}

// Reads a time and removes its member. The error of a bad one contains its range.
Result<std::chrono::milliseconds> take_time(Json& body, std::string_view name,
                                            std::chrono::milliseconds otherwise,
                                            std::chrono::milliseconds most) {
  const Json* value = find_member(body, name);
  if (!value) return otherwise;
  const auto given = whole_value(value, 0, most.count());
  if (!given) {
    return fail(errc::invalid_body, "'" + std::string(name) +
                                        "' must be a whole number from 0 to " +
                                        std::to_string(most.count()));
  }
  body.erase(std::string(name));
  return std::chrono::milliseconds(*given);
}

}  // namespace

Result<std::optional<Verify>> take_verify(Json& body) {
  if (!body.is_object()) return std::nullopt;
  const Json* word = find_member(body, "verify");
  if (!word && find_member(body, "settleMs")) {
    return fail(errc::invalid_body, "'settleMs' needs 'verify'");
  }
  if (!word) return std::nullopt;
  const std::string* text = string_value(word);
  const auto what = text ? read_verify(*text) : std::nullopt;
  if (!what) return fail(errc::invalid_body, "'verify' must be changed or settled");
  Verify verify{.what = *what};
  body.erase("verify");
  TRY(verify.still, take_time(body, "settleMs", verify.still, kLongestStill));
  return verify;
}

Result<std::optional<act::Observation>> take_observation(Json& body) {
  const Json* word = body.is_object() ? find_member(body, "observe") : nullptr;
  if (!word) return std::nullopt;
  const std::string* name = string_value(word);
  const auto format = name ? act::read_tree_format(*name) : std::nullopt;
  if (!format) return fail(errc::invalid_body, "'observe' must be compact, xml or nodes");
  act::Observation observe{.format = *format};
  body.erase("observe");
  Json both = body;  // `verify` has the same time
  Json& its = find_member(body, "verify") ? both : body;
  TRY(observe.settle, take_time(its, "settleMs", observe.settle, kLongestStill));
  return observe;
}

Result<std::optional<std::string>> read_ref(const Json& body) {
  const Json* value = body.is_object() ? find_member(body, "ref") : nullptr;
  if (!value) return std::nullopt;
  if (const std::string* ref = string_value(value)) return *ref;
  return fail(errc::invalid_body, "'ref' must be a text: HASH@n");
}

Result<std::optional<std::size_t>> read_nth(const Json& body) {
  const Json* value = body.is_object() ? find_member(body, "nth") : nullptr;
  if (!value) return std::nullopt;
  if (const auto nth = whole_value(value, 1, act::kMostNth)) return static_cast<std::size_t>(*nth);
  return fail(errc::invalid_body, "'nth' must be a whole number from 1 on");
}

Result<std::optional<std::chrono::milliseconds>> read_patience(const Json& body) {
  if (!body.is_object() || !find_member(body, "patience")) return std::nullopt;
  Json its = body;
  TRY(const auto patience, take_time(its, "patience", {}, kLongestPatience));
  return patience;
}

Result<bool> read_flag(const Json& body, std::string_view name) {
  const Json* flag = body.is_object() ? find_member(body, name) : nullptr;
  if (!flag) return false;
  if (flag->is_boolean()) return flag->get<bool>();
  return fail(errc::invalid_body, "'" + std::string(name) + "' must be true or false");
}

bool is_json(const http::Request& request) {
  const std::string* type = request.header("content-type");
  if (!type) return false;
  const std::string name = ascii_lower(type->substr(0, type->find(';')));
  return trimmed(name) == "application/json";
}

Result<Json> read_body(const http::Request& request) {
  if (request.body.empty() || !is_json(request)) {
    return fail(errc::invalid_body, std::string(kMissingBody));
  }
  auto body = read_callers_json(request.body, kMaxBody);
  if (!body || !body->is_structured()) return fail(errc::invalid_json, "Malformed JSON body");
  return body;
}

Result<Json> read_object_body(const http::Request& request) {
  TRY(Json body, read_body(request));
  if (!body.is_object()) return fail(errc::invalid_body, std::string(kMissingBody));
  return body;
}

Result<Json> read_optional_body(const http::Request& request) {
  if (request.body.empty() || !is_json(request)) return Json::object();
  return read_body(request);
}

Result<Target> read_target(const Json& body) {
  Target target;
  if (const Json* device = find_member(body, "deviceId")) {
    const std::string* text = string_value(device);
    if (!text) return fail(errc::invalid_device_id, "'deviceId' must be a string");
    if (!text->empty()) target.device = *text;
  }
  for (const std::string_view name : {"operatorPackage", "receiverPackage"}) {
    const Json* package = find_member(body, name);
    if (!package || target.operator_package) continue;
    const std::string start = "'" + std::string(name) + "' must be a ";
    const std::string* text = string_value(package);
    if (!text) return fail(errc::invalid_operator_package, start + "string");
    if (is_blank(*text)) return fail(errc::invalid_operator_package, start + "non-empty string");
    target.operator_package = *text;
  }
  TRY(target.queue_limit, read_queue_limit(body));
  if (const Json* backend = find_member(body, "backend")) {
    TRY(target.backend, judge_backend(string_value(backend), errc::invalid_body));
  }
  return target;
}

Result<bool> read_flag(const http::Request& request, std::string_view name, bool otherwise) {
  const std::string* value = request.parameter(name);
  if (!value || *value == "true") return value ? true : otherwise;
  if (*value == "false") return false;
  return fail(errc::invalid_query, "'" + std::string(name) + "' must be true or false");
}

Result<std::chrono::milliseconds> read_queue_limit(const http::Request& request) {
  const std::string* queue = request.parameter("queue");
  const std::string* limit = request.parameter("queueTimeoutMs");
  TRY(const bool waits, read_flag(request, "queue", false));
  if (limit && !queue) return fail(errc::invalid_query, "'queueTimeoutMs' needs 'queue=true'");
  const int most = static_cast<int>(kMaxPatience.count());
  const auto given = limit ? whole_number<int>(*limit) : std::optional<int>();
  if (limit && (!given || *given < 1 || *given > most)) {
    return fail(errc::invalid_query,
                "'queueTimeoutMs' must be a whole number from 1 to " + std::to_string(most));
  }
  if (!waits) return std::chrono::milliseconds::zero();
  return given ? std::chrono::milliseconds(*given) : kQueuePatience;
}

Result<std::optional<Backend>> read_backend(const http::Request& request) {
  const std::string* word = request.parameter("backend");
  return word ? judge_backend(word, errc::invalid_query) : std::nullopt;
}

Result<std::string> read_execution(const Json& body) {
  const Json* execution = find_member(body, "execution");
  if (!execution || !is_truthy(*execution)) {
    return fail(errc::missing_execution, "Missing 'execution' in body");
  }
  return write_json(*execution);
}

Result<std::optional<std::string>> read_path(const Json& body) {
  const Json* path = find_member(body, "path");
  if (!path) return std::nullopt;
  const std::string* text = string_value(path);
  if (!text || is_blank(*text)) {
    return fail(errc::invalid_path, "'path' must be a non-empty string");
  }
  return *text;
}

}  // namespace clawperator::serve
