// The routes of agent skills.

#include <algorithm>
#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/async/blocking.hpp"
#include "base/async/parallel.hpp"
#include "base/async/signal.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/serve/errc.hpp"
#include "runtime/serve/request_body.hpp"
#include "runtime/serve/run_program.hpp"
#include "skills/agent/installer.hpp"
#include "skills/agent/rules/errc.hpp"
#include "skills/agent/rules/prompt.hpp"
#include "skills/agent/rules/status.hpp"
#include "skills/agent/skill_files.hpp"
#include "skills/agent/skills_watcher.hpp"
#include "skills/agent/workspace.hpp"
#include "skills/serve/routes_and_tools.hpp"

namespace clawperator::agent_skills {
namespace {

// The bodies of POST /agent-skills/install and /update. Pure.
struct InstallBody {
  std::string name{};
  std::string install_id{};
  std::optional<std::chrono::milliseconds> timeout{};
  bool dry_run = false;
};

// Reads the members of one method's body. invalid_body with the text of the agent's host: "invalid
// skills.install params: at root: must have required property 'name'".
class BodyReader {
 public:
  BodyReader(const Json& body, std::string_view method) : body_(body), method_(method) {}

  [[nodiscard]] std::unexpected<Error> refuse(std::string_view where,
                                              const std::string& what) const {
    return fail(errc::invalid_body, "invalid " + std::string(method_) + " params: at " +
                                        std::string(where) + ": " + what);
  }

  [[nodiscard]] Result<void> only(std::string_view known) const {
    for (const auto& [name, value] : body_.get_ref<const Json::object_t&>()) {
      if (!is_one_of(name, known)) return refuse("root", "unexpected property '" + name + "'");
    }
    return ok();
  }

  [[nodiscard]] Result<std::string> text(const char* name) const {
    const Json* value = find_member(body_, name);
    if (value == nullptr) {
      return refuse("root", "must have required property '" + std::string(name) + "'");
    }
    const std::string* found = string_value(value);
    const std::string where = "/" + std::string(name);
    if (found == nullptr) return refuse(where, "must be string");
    if (found->empty()) return refuse(where, "must NOT have fewer than 1 characters");
    return *found;
  }

 private:
  const Json& body_;
  std::string_view method_;
};

Result<InstallBody> read_install_body(const http::Request& request) {
  constexpr double kLeast = 1000;  // published: "must be >= 1000"
  // An infinite number must stay in range; install_limit cuts it further.
  constexpr double kMost = 1e9;
  TRY(const Json json, serve::read_object_body(request));
  const BodyReader reader(json, "skills.install");
  TRY_VOID(reader.only("name installId timeoutMs dryRun"));
  InstallBody body;
  TRY(body.name, reader.text("name"));
  TRY(body.install_id, reader.text("installId"));
  if (const Json* dry_run = find_member(json, "dryRun")) {
    if (!dry_run->is_boolean()) return reader.refuse("/dryRun", "must be boolean");
    body.dry_run = dry_run->get<bool>();
  }
  const Json* timeout = find_member(json, "timeoutMs");
  if (timeout == nullptr) return body;
  const double ms = timeout->is_number() ? timeout->get<double>() : std::nan("");
  if (std::isnan(ms) || ms != std::floor(ms)) return reader.refuse("/timeoutMs", "must be integer");
  if (ms < kLeast) return reader.refuse("/timeoutMs", "must be >= 1000");
  body.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(std::min(ms, kMost)));
  return body;
}

Result<SkillChange> read_update_body(const http::Request& request) {
  TRY(const Json json, serve::read_object_body(request));
  const BodyReader reader(json, "skills.update");
  TRY_VOID(reader.only("skillKey enabled apiKey env"));
  SkillChange change;
  TRY(change.key, reader.text("skillKey"));
  if (const Json* enabled = find_member(json, "enabled")) {
    if (!enabled->is_boolean()) return reader.refuse("/enabled", "must be boolean");
    change.enabled = enabled->get<bool>();
  }
  if (const Json* api_key = find_member(json, "apiKey")) {
    const std::string* text = string_value(api_key);
    if (text == nullptr) return reader.refuse("/apiKey", "must be string");
    change.api_key = *text;
  }
  const Json* env = find_member(json, "env");
  if (env == nullptr) return change;
  if (!env->is_object()) return reader.refuse("/env", "must be object");
  for (const auto& [name, value] : env->get_ref<const Json::object_t&>()) {
    const std::string* text = string_value(&value);
    if (text == nullptr) return reader.refuse("/env/" + name, "must be string");
    change.env.emplace_back(name, *text);
  }
  return change;
}

using serve::Call;
using serve::Service;

// Shared by the routes of one server. Only the loop's thread uses it.
struct Shared {
  std::uint64_t version = 0;         // of the skills, in the last event
  Signal* config_changed = nullptr;  // wakes the watcher
};
Shared& shared() {
  static Shared state;
  return state;
}

void publish_change(Service* service, std::string_view reason, const std::string& path) {
  shared().version = next_version(shared().version, std::chrono::system_clock::now());
  JsonObject data;
  data.text("reason", reason);
  if (!path.empty()) data.text("changedPath", path);
  data.number("version", static_cast<std::int64_t>(shared().version));
  service->events.publish("clawperator:agent-skills", data.str());
}

Result<std::string> status(const std::optional<std::string>& agent) {
  TRY(const Workspace workspace, current_workspace({.agent = agent}));
  const HostFacts host = host_facts();
  const auto rows = status_rows(workspace.entries, {.config = &workspace.config, .host = &host});
  return report_json(workspace, rows, Detail::all);
}

// For every agent.
Result<std::string> bins() {
  TRY(const Workspace first, current_workspace());
  std::vector<const Entry*> entries = first.entries;
  std::vector<Workspace> others;
  for (const AgentConfig& agent : first.config.agents) {
    const std::string& folder = agent.workspace;
    if (folder.empty() || absolute_path(folder) == first.folders.workspace) continue;
    TRY(Workspace other, current_workspace({.workspace = folder}));
    entries.insert(entries.end(), other.entries.begin(), other.entries.end());
    others.push_back(std::move(other));
  }
  return bins_json(entries);
}

Result<InstallerRequest> read_installer(const InstallBody& body) {
  TRY(const Workspace workspace, current_workspace());
  TRY(const Entry* entry, entry_of(workspace, body.name));
  return InstallerRequest{.entry = *entry,
                          .config = workspace.config,
                          .state = workspace.folders.state,
                          .install_id = body.install_id,
                          .timeout = body.timeout};
}

Task<InstallResult> install(InstallBody body) {
  CO_TRY(InstallerRequest request, co_await run_blocking([&] { return read_installer(body); }));
  co_return co_await run_installer(std::move(request));
}

Result<std::string> plan_of(const InstallBody& body) {
  TRY(const InstallerRequest request, read_installer(body));
  return dry_run_json(request);
}

Task<http::Response> answer_status(Service*, Call call) {
  const std::string* given = call.request.parameter("agentId");
  const auto agent = given ? std::optional(*given) : std::nullopt;
  CO_TRY(const std::string json, co_await run_blocking([&agent] { return status(agent); }));
  co_return serve::ok_answer(json);
}

// Of the skills that can be used here, as `agent-skills prompt` prints it.
Result<std::string> prompt(const std::optional<std::string>& agent) {
  TRY(const Workspace workspace, current_workspace({.agent = agent}));
  const HostFacts host = host_facts();
  const auto eligible =
      eligible_entries(workspace.entries, {.config = &workspace.config, .host = &host}, {});
  const Prompt text = format_prompt(eligible, workspace.config.limits, "");
  return JsonObject()
      .text("prompt", text.text)
      .number("skills", static_cast<std::int64_t>(eligible.size() - text.left_out))
      .number("leftOut", static_cast<std::int64_t>(text.left_out))
      .str();
}

Task<http::Response> answer_prompt(Service*, Call call) {
  const std::string* given = call.request.parameter("agentId");
  const auto agent = given ? std::optional(*given) : std::nullopt;
  CO_TRY(const std::string json, co_await run_blocking([&agent] { return prompt(agent); }));
  co_return serve::ok_answer(json);
}

Task<http::Response> answer_bins(Service*, Call) {
  CO_TRY(const std::string json, co_await run_blocking(bins));
  co_return serve::ok_answer(json);
}

Task<http::Response> answer_install(Service* service, Call call) {
  CO_TRY(InstallBody body, read_install_body(call.request));
  if (body.dry_run) {
    CO_TRY(const std::string json, co_await run_blocking([&] { return plan_of(body); }));
    co_return serve::ok_answer(json);
  }
  CO_TRY(const InstallResult result,
         co_await serve::run_program(service, install(std::move(body)), "programs",
                                     "what was begun may be installed"));
  if (!result.ok) co_return std::unexpected(install_error(result));
  publish_change(service, "manual", "");
  co_return http::Response{.body = install_json(result)};
}

Task<http::Response> answer_update(Service* service, Call call) {
  CO_TRY(const SkillChange change, read_update_body(call.request));
  auto json =
      co_await run_blocking([&change] { return change_skill(find_skill_folders(), change); });
  if (!json && json.error().code() == errc::usage) {
    json = with_code(errc::invalid_body, std::move(json));
  }
  if (!json) co_return std::unexpected(std::move(json).error());
  publish_change(service, "manual", "");
  if (shared().config_changed != nullptr) shared().config_changed->notify_all();
  co_return http::Response{.body = *std::move(json)};
}

struct Watched {
  std::vector<std::filesystem::path> roots{};  // none: no folder is watched
  std::chrono::milliseconds debounce{};
  std::vector<std::string> warnings{};  // of the configuration

  bool operator==(const Watched&) const = default;
};

Result<Watched> find_watched() {
  TRY(const Workspace workspace, find_workspace({}));
  return Watched{watched_roots(workspace),
                 std::chrono::milliseconds(workspace.config.watch_debounce_ms),
                 workspace.config.warnings};
}

void log_watching(Service* service, const std::string& what) {
  if (service->log) service->log->write(LogLevel::warn, "agent_skills.watch", what, {});
}

// Reports changes until other folders are to be watched.
Task<void> watch_these(Service* service, Watched watched, Signal* config_changed) {
  using namespace base::parallel;
  const auto executor = co_await asio::this_coro::executor;
  WatchOptions options{.roots = watched.roots, .debounce = watched.debounce};
  options.warn = [service](const std::string& what) { log_watching(service, what); };
  SkillsWatcher watcher(executor, std::move(options));
  for (;;) {
    auto first = co_await (watcher.next() || config_changed->wait());
    if (first.index() == 0) {
      CO_TRY(const WatchEvent event, std::get<0>(std::move(first)));
      publish_change(service, "watch", event.changed_path);
    }
    if (adbproto::is_cancelled(co_await asio::this_coro::cancellation_state)) co_return ok();
    const auto now = co_await run_blocking([] { return find_watched(); });
    if (now && *now != watched) co_return ok();
  }
}

// After a while reads a configuration again that could not be read.
Task<void> watch(Service* service, Signal* config_changed) {
  // A person corrects the file within minutes; each try costs one read.
  constexpr auto kLater = std::chrono::seconds(5);
  bool was_logged = false;
  std::vector<std::string> warned;
  for (;;) {
    const auto watched = co_await run_blocking([] { return find_watched(); });
    if (watched && watched->warnings != warned) {
      warned = watched->warnings;
      for (const std::string& each : warned) log_watching(service, each);
    }
    if (adbproto::is_cancelled(co_await asio::this_coro::cancellation_state)) co_return ok();
    if (!watched) {
      if (!std::exchange(was_logged, true)) log_watching(service, watched.error().message());
      co_await sleep_for(kLater);
    } else if (watched->roots.empty()) {
      co_await config_changed->wait();
    } else {
      CO_TRY_VOID(co_await watch_these(service, *watched, config_changed));
    }
    if (adbproto::is_cancelled(co_await asio::this_coro::cancellation_state)) co_return ok();
  }
}

asio::awaitable<void> watch_meanwhile(Service* service) {
  Signal config_changed(co_await asio::this_coro::executor);
  shared().config_changed = &config_changed;
  const auto ended = co_await watch(service, &config_changed);
  shared().config_changed = nullptr;
  if (!ended && ended.error().code() != errc::cancelled) {
    log_watching(service, "agent skills are not watched: " + ended.error().message());
  }
}

constexpr serve::RequestForm kInstallForm{.body_schema = "AgentSkillInstallRequest",
                                          .judges_members = true};
constexpr serve::RequestForm kUpdateForm{.body_schema = "AgentSkillUpdateRequest",
                                         .judges_members = true};
constexpr serve::Parameter kStatusQuery[] = {
    {"agentId", R"({"type":"string"})",
     "an agent of the configuration (agents.list); absent: the default agent"}};
constexpr serve::RequestForm kStatusForm{.query = kStatusQuery};
constexpr Errc kStatusErrors[] = {errc::agent_config_invalid, errc::file_unreadable, errc::usage};
constexpr Errc kReadErrors[] = {errc::agent_config_invalid, errc::file_unreadable};
constexpr Errc kInstallErrors[] = {errc::invalid_json,          errc::invalid_body,
                                   errc::agent_skill_not_found, errc::agent_install_failed,
                                   errc::agent_config_invalid,  errc::too_many_requests,
                                   errc::payload_too_large};
constexpr Errc kUpdateErrors[] = {errc::invalid_json,         errc::invalid_body,
                                  errc::agent_config_invalid, errc::file_unreadable,
                                  errc::file_write_failed,    errc::deadline_exceeded,
                                  errc::payload_too_large};

constexpr serve::RouteRow kAgentRows[] = {
    {"GET", "/agent-skills/status", answer_status, "every agent skill and what it lacks",
     "AgentSkillStatus", kStatusErrors, kStatusForm},
    {"GET", "/agent-skills/bins", answer_bins, "every program that agent skills need",
     "AgentSkillBins", kReadErrors},
    {"GET", "/agent-skills/prompt", answer_prompt, "the agent skills in a model's prompt",
     "AgentSkillPrompt", kStatusErrors, kStatusForm},
    {"POST",
     "/agent-skills/install",
     answer_install,
     "install what an agent skill needs",
     "AgentSkillInstall",
     kInstallErrors,
     kInstallForm,
     {},
     http::Entry::session},
    {"POST",
     "/agent-skills/update",
     answer_update,
     "enable an agent skill, give it its key",
     "AgentSkillUpdate",
     kUpdateErrors,
     kUpdateForm,
     {},
     http::Entry::session}};

}  // namespace

Result<Workspace> current_workspace(const WorkspaceOptions& options) {
  static std::mutex mutex;
  static SkillFiles files;
  const std::scoped_lock lock(mutex);
  return load_workspace(options, &files);
}

serve::MoreRoutes routes() { return {.rows = kAgentRows, .meanwhile = watch_meanwhile}; }

}  // namespace clawperator::agent_skills
