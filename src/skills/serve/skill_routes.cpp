// The routes of skills of the registry.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "adbproto/wire/errc.hpp"
#include "base/async/blocking.hpp"
#include "base/async/parallel.hpp"
#include "base/async/signal.hpp"
#include "base/json_text.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/engine/ulid.hpp"
#include "runtime/host/errc.hpp"
#include "runtime/host/verbs/shell_verb.hpp"
#include "runtime/serve/errc.hpp"
#include "runtime/serve/request_body.hpp"
#include "runtime/serve/run_program.hpp"
#include "skills/phone/output_lines.hpp"
#include "skills/phone/repo.hpp"
#include "skills/phone/rules/errc.hpp"
#include "skills/phone/rules/registry.hpp"
#include "skills/phone/run_skill.hpp"
#include "skills/phone/validate.hpp"
#include "skills/serve/routes_and_tools.hpp"

namespace clawperator::phone_skills {
namespace {

// The body of POST /skills/:id/run, checked in the published order. Pure.
struct RunBody {
  serve::Target target{};
  SkillCall call{};
};

Result<std::vector<std::string>> read_args(const Json& body) {
  std::vector<std::string> args;
  const Json* given = find_member(body, "args");
  if (given == nullptr) return args;
  if (!given->is_array()) return fail(errc::invalid_args, "'args' must be an array");
  for (const Json& value : *given) {
    args.push_back(js_text(value));
    if (args.back().contains('\0')) return fail(errc::invalid_args, "'args' must not contain NUL");
  }
  return args;
}

Result<std::optional<std::chrono::milliseconds>> read_timeout(const Json& body) {
  const Json* given = find_member(body, "timeoutMs");
  if (given == nullptr) return std::nullopt;
  const auto ms = whole_value(given, 1, kLongestRun.count());
  if (ms) return std::chrono::milliseconds(*ms);
  return fail(errc::invalid_timeout_ms, "'timeoutMs' must be a positive integer");
}

Result<std::optional<std::string>> read_expected(const Json& body) {
  const Json* given = find_member(body, "expectContains");
  if (given == nullptr) return std::nullopt;
  const std::string* text = string_value(given);
  if (text != nullptr) return *text;
  return fail(errc::invalid_expect_contains, "'expectContains' must be a string");
}

// invalid_body, invalid_json, invalid_device_id, invalid_operator_package, invalid_args,
// invalid_timeout_ms, invalid_expect_contains.
Result<RunBody> read_run_body(const http::Request& request, std::string skill_id) {
  const auto no_object = fail(errc::invalid_body, "Request body must be a JSON object");
  // A body that is not read would be a run of something else.
  if (!request.body.empty() && !serve::is_json(request)) return no_object;
  TRY(const Json json, serve::read_optional_body(request));
  if (!json.is_object()) return no_object;
  RunBody body;
  TRY(body.target, serve::read_target(json));
  body.call.skill_id = std::move(skill_id);
  TRY(body.call.args, read_args(json));
  TRY(body.call.timeout, read_timeout(json));
  TRY(body.call.expect_contains, read_expected(json));
  return body;
}

using serve::Call;
using serve::Service;

std::optional<std::string> query_of(const http::Request& request, std::string_view name) {
  const std::string* value = request.parameter(name);
  return value ? std::optional(*value) : std::nullopt;
}

Result<std::string> listing(const Query& query) {
  TRY(const Repo repo, load_repo());
  return listing_json(search(repo.registry, query));
}

Result<std::string> one_skill(const std::string& id) {
  TRY(const Repo repo, load_repo());
  TRY(const Skill* skill, skill_of(repo, id));
  return JsonObject().json("skill", skill->json).str();
}

Task<http::Response> answer_skills(Service*, Call call) {
  const Query query{.app = query_of(call.request, "app"),
                    .intent = query_of(call.request, "intent"),
                    .keyword = query_of(call.request, "keyword")};
  CO_TRY(const std::string json, co_await run_blocking([&query] { return listing(query); }));
  co_return serve::ok_answer(json);
}

Task<http::Response> answer_skill(Service*, Call call) {
  const std::string& id = call.parameters.at(0);
  CO_TRY(const std::string json, co_await run_blocking([&id] { return one_skill(id); }));
  co_return serve::ok_answer(json);
}

// Each line that the script prints, to who listens.
std::function<void(ChildStream, std::string_view)> publish_lines(Service* service,
                                                                 const std::string& skill_id) {
  auto lines = std::make_shared<OutputLines>(
      [service, skill_id, run = new_ulid()](ChildStream stream, const std::string& line) {
        const std::string_view name = stream == ChildStream::out ? "stdout" : "stderr";
        JsonObject data;
        data.text("skillId", skill_id).text("runId", run).text("stream", name).text("line", line);
        service->events.publish("clawperator:skill", data.str());
      });
  return [lines](ChildStream stream, std::string_view text) { lines->take(stream, text); };
}

RunRequest request_for(Service* service, RunBody body) {
  RunRequest request;
  request.call = std::move(body.call);
  request.target = target_of(*service->defaults, body.target.device);
  request.operator_package = body.target.operator_package ? body.target.operator_package
                                                          : service->defaults->operator_package;
  request.resolve = supervised(service->devices);
  request.on_output = publish_lines(service, request.call.skill_id);
  request.log = service->log;
  return request;
}

Result<std::string> validated(const std::string& id) {
  TRY(const Repo repo, load_repo());
  TRY(const Skill* skill, skill_of(repo, id));
  TRY(const Checks checks, validate_skill(repo, *skill, DryRun::yes));
  return validation_json(repo, *skill, checks, DryRun::yes);
}

Task<http::Response> answer_validate(Service*, Call call) {
  const std::string& id = call.parameters.at(0);
  CO_TRY(const std::string json, co_await run_blocking([&id] { return validated(id); }));
  co_return serve::ok_answer(json);
}

Task<http::Response> answer_run(Service* service, Call call) {
  CO_TRY(RunBody body, read_run_body(call.request, call.parameters.at(0)));
  CO_TRY(const Outcome outcome,
         co_await serve::run_program(service, run_skill(request_for(service, std::move(body))),
                                     "skills", "what the script had begun may be done"));
  const bool failed = outcome.kind == Outcome::Kind::failed;
  co_return http::Response{.status = failed ? outcome.code->http_status : 200,
                           .body = http_body(outcome)};
}

constexpr serve::Parameter kQuery[] = {
    {"app", R"({"type":"string"})", "the applicationId, exactly"},
    {"intent", R"({"type":"string"})", "the intent, exactly"},
    {"keyword", R"({"type":"string"})", "the best match comes first"}};
constexpr serve::RequestForm kWhichSkills{.query = kQuery};
constexpr serve::RequestForm kRunForm{.body_schema = "SkillRunRequest", .may_lack_body = true};
constexpr Errc kListErrors[] = {errc::registry_read_failed};
constexpr Errc kOneErrors[] = {errc::registry_read_failed, errc::skill_not_found};
constexpr Errc kValidateErrors[] = {errc::registry_read_failed, errc::skill_not_found,
                                    errc::skill_validation_failed};
constexpr Errc kRunErrors[] = {errc::invalid_json,
                               errc::invalid_body,
                               errc::invalid_device_id,
                               errc::invalid_operator_package,
                               errc::invalid_args,
                               errc::invalid_timeout_ms,
                               errc::invalid_expect_contains,
                               errc::skill_script_not_found,
                               errc::skill_execution_failed,
                               errc::skill_execution_timeout,
                               errc::skill_output_assertion_failed,
                               errc::skill_validation_failed,
                               errc::skill_result_parse_failed,
                               errc::skill_agent_cli_unavailable,
                               errc::multiple_devices_device_id_required,
                               errc::no_devices,
                               errc::skill_not_found,
                               errc::device_not_found,
                               errc::device_not_interactive,
                               errc::payload_too_large,
                               errc::too_many_requests,
                               errc::registry_read_failed,
                               errc::adb_server_failed};

constexpr serve::RouteRow kRows[] = {
    {"GET", "/skills", answer_skills,
     "the skills of the registry: ?app=, ?intent=, ?keyword=", "Skills", kListErrors, kWhichSkills},
    {"GET", "/skills/:skillId", answer_skill, "one skill", "Skill", kOneErrors},
    {"POST", "/skills/:skillId/validate", answer_validate, "check a skill's files",
     "SkillValidated", kValidateErrors},
    {"POST", "/skills/:skillId/run", answer_run, "run a skill's script on a device", "SkillRun",
     kRunErrors, kRunForm}};

}  // namespace

serve::MoreRoutes routes() { return {kRows, kSkillSchemas}; }

}  // namespace clawperator::phone_skills
