#include "skills/serve/agent_skill_routes.hpp"

#include <mutex>
#include <utility>

#include "adbproto/link/blocking.hpp"
#include "adbproto/link/parallel.hpp"
#include "adbproto/link/signal.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_codes.hpp"
#include "runtime/contract/json_text.hpp"
#include "skills/agent/prompt.hpp"
#include "skills/agent/status.hpp"
#include "skills/install/install_skill.hpp"
#include "skills/serve/agent_skill_body.hpp"
#include "skills/serve/program_count.hpp"
#include "skills/watch/skills_watcher.hpp"
#include "skills/workspace/host_facts.hpp"
#include "skills/workspace/skill_files.hpp"
#include "skills/workspace/workspace.hpp"

namespace clawperator::agent_skills {
namespace {

using serve::Call;
using serve::Service;

// What was read of the skills' files, for the next request of this process; one reads at a time.
Result<Workspace> current_workspace(const WorkspaceOptions& options = {}) {
  static std::mutex mutex;
  static SkillFiles files;
  const std::scoped_lock lock(mutex);
  return load_workspace(options, &files);
}

// What the routes of one server share. Only the loop's thread uses it.
struct Told {
  std::uint64_t version = 0;         // of the skills as they are told to those who listen
  Signal* config_changed = nullptr;  // for who watches
};
Told& told() {
  static Told state;
  return state;
}

void tell_change(Service* service, std::string_view reason, const std::string& path) {
  told().version = next_version(told().version, std::chrono::system_clock::now());
  JsonObject data;
  data.text("reason", reason);
  if (!path.empty()) data.text("changedPath", path);
  data.number("version", static_cast<std::int64_t>(told().version));
  service->events.publish("clawperator:agent-skills", data.str());
}

Result<std::string> status() {
  TRY(const Workspace workspace, current_workspace());
  const HostFacts host = host_facts();
  const auto rows = status_rows(workspace.entries, {.config = &workspace.config, .host = &host});
  return report_json(rows,
                     {.workspace_dir = workspace.places.workspace.string(),
                      .managed_dir = workspace.places.managed.string(),
                      .label = workspace.places.label},
                     workspace.config, Detail::all);
}

// Of every agent.
Result<std::string> bins() {
  TRY(const Workspace first, current_workspace());
  std::vector<const Entry*> entries = first.entries;
  std::vector<Workspace> others;
  for (const std::string& folder : first.config.workspaces) {
    if (absolute_path(folder) == first.places.workspace) continue;
    TRY(Workspace other, current_workspace({.workspace = folder}));
    entries.insert(entries.end(), other.entries.begin(), other.entries.end());
    others.push_back(std::move(other));
  }
  return bins_json(entries);
}

Result<InstallRequest> install_request(const InstallBody& body) {
  TRY(const Workspace workspace, current_workspace());
  TRY(const Entry* entry, entry_of(workspace, body.name));
  InstallRequest request;
  request.entry = *entry;
  request.config = workspace.config;
  request.state = workspace.places.state;
  request.install_id = body.install_id;
  request.timeout = body.timeout;
  return request;
}

Task<http::Response> answer_status(Service*, Call) {
  CO_TRY(const std::string json, co_await run_blocking(status));
  co_return serve::ok_answer(json);
}

Task<http::Response> answer_bins(Service*, Call) {
  CO_TRY(const std::string json, co_await run_blocking(bins));
  co_return serve::ok_answer(json);
}

// A server that is to end does not wait for a package manager.
Task<InstallResult> install_until_stopped(Service* service, InstallRequest request) {
  using namespace adbproto::parallel;
  auto first = co_await (
      install_skill(std::move(request)) ||
      adbproto::wait_until(service->stop_asked, [service] { return service->is_stopping; }));
  if (first.index() == 0) co_return std::get<0>(std::move(first));
  co_return fail(errc::cancelled, "the server was stopped; what was begun may be installed");
}

Task<http::Response> answer_install(Service* service, Call call) {
  CO_TRY(const InstallBody body, read_install_body(call.request));
  if (service->programs >= skills::kMostPrograms) {
    co_return fail(errc::too_many_requests, "16 programs run already");
  }
  const skills::CountedProgram counted(service);
  CO_TRY(InstallRequest request, co_await run_blocking([&body] { return install_request(body); }));
  CO_TRY(const InstallResult result, co_await install_until_stopped(service, std::move(request)));
  if (!result.ok) co_return std::unexpected(install_error(result));
  tell_change(service, "manual", "");
  co_return http::Response{.body = install_json(result)};
}

Task<http::Response> answer_update(Service* service, Call call) {
  CO_TRY(const SkillChange change, read_update_body(call.request));
  auto json = co_await run_blocking([&change] { return change_skill(find_places(), change); });
  if (!json && json.error().code() == errc::usage) {
    co_return fail(errc::invalid_body, json.error().message());
  }
  if (!json) co_return std::unexpected(std::move(json).error());
  tell_change(service, "manual", "");
  if (told().config_changed != nullptr) told().config_changed->notify_all();
  co_return http::Response{.body = *std::move(json)};
}

struct Watched {
  std::vector<std::filesystem::path> roots{};  // none: nothing is watched
  std::chrono::milliseconds debounce{};

  bool operator==(const Watched&) const = default;
};

Result<Watched> what_to_watch() {
  TRY(const Workspace workspace, find_workspace({}));
  const Config& config = workspace.config;
  Watched watched{.debounce = std::chrono::milliseconds(config.watch_debounce_ms)};
  if (config.watch) watched.roots = watched_roots(workspace.places, config);
  return watched;
}

void log_watching(Service* service, const std::string& what) {
  if (service->log) service->log->write(LogLevel::warn, "agent_skills.watch", what, {});
}

// Tells of changes until something else is to be watched.
Task<void> watch_these(Service* service, Watched watched, Signal* config_changed) {
  using namespace adbproto::parallel;
  const auto executor = co_await asio::this_coro::executor;
  WatchOptions options{.roots = watched.roots, .debounce = watched.debounce};
  options.warn = [service](const std::string& what) { log_watching(service, what); };
  SkillsWatcher watcher(executor, std::move(options));
  for (;;) {
    auto first = co_await (watcher.next() || config_changed->wait());
    if (first.index() == 0) {
      CO_TRY(const WatchEvent event, std::get<0>(std::move(first)));
      tell_change(service, "watch", event.changed_path);
    }
    if (adbproto::is_cancelled(co_await asio::this_coro::cancellation_state)) co_return ok();
    const auto now = co_await run_blocking(what_to_watch);
    if (now && *now != watched) co_return ok();
  }
}

// A configuration that cannot be read is read again after a while.
Task<void> watch(Service* service, Signal* config_changed) {
  constexpr auto kLater = std::chrono::seconds(5);
  bool was_told = false;
  for (;;) {
    const auto watched = co_await run_blocking(what_to_watch);
    if (adbproto::is_cancelled(co_await asio::this_coro::cancellation_state)) co_return ok();
    if (!watched) {
      if (!std::exchange(was_told, true)) log_watching(service, watched.error().message());
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
  told().config_changed = &config_changed;
  const auto ended = co_await watch(service, &config_changed);
  told().config_changed = nullptr;
  if (!ended && ended.error().code() != errc::cancelled) {
    log_watching(service, "agent skills are not watched: " + ended.error().message());
  }
}

constexpr serve::RequestForm kInstallForm{.body_schema = "AgentSkillInstallRequest"};
constexpr serve::RequestForm kUpdateForm{.body_schema = "AgentSkillUpdateRequest"};
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
     "AgentSkillStatus", kReadErrors},
    {"GET", "/agent-skills/bins", answer_bins, "every program that agent skills need",
     "AgentSkillBins", kReadErrors},
    {"POST", "/agent-skills/install", answer_install, "install what an agent skill needs",
     "AgentSkillInstall", kInstallErrors, kInstallForm},
    {"POST", "/agent-skills/update", answer_update, "enable an agent skill, give it its key",
     "AgentSkillUpdate", kUpdateErrors, kUpdateForm}};

constexpr serve::OpenApiSchema kAgentSchemas[] = {
    {"AgentSkillStatus",
     R"({"type":"object","required":["ok","workspaceDir","managedSkillsDir","skills"],)"
     R"("properties":{"ok":{"const":true},"workspaceDir":{"type":"string"},)"
     R"("managedSkillsDir":{"type":"string"},"skills":{"type":"array","items":{"type":"object",)"
     R"("required":["name","description","source","filePath","skillKey","eligible","missing"]}}}})"},
    {"AgentSkillBins",
     R"({"type":"object","required":["ok","bins"],"properties":{)"
     R"("ok":{"const":true},"bins":{"type":"array","items":{"type":"string"}}}})"},
    {"AgentSkillInstallRequest",
     R"({"type":"object","additionalProperties":false,"required":["name","installId"],)"
     R"("properties":{"name":{"type":"string","minLength":1},)"
     R"("installId":{"type":"string","minLength":1},"timeoutMs":{"type":"integer","minimum":1000}}})"},
    {"AgentSkillInstall",
     R"({"type":"object","required":["ok","message","stdout","stderr","code"],"properties":{)"
     R"("ok":{"const":true},"message":{"type":"string"},"stdout":{"type":"string"},)"
     R"("stderr":{"type":"string"},"code":{"type":["integer","null"]}}})"},
    {"AgentSkillUpdateRequest",
     R"({"type":"object","additionalProperties":false,"required":["skillKey"],"properties":{)"
     R"("skillKey":{"type":"string","minLength":1},"enabled":{"type":"boolean"},)"
     R"("apiKey":{"type":"string"},"env":{"type":"object","additionalProperties":{"type":"string"}}}})"},
    {"AgentSkillUpdate",
     R"({"type":"object","required":["ok","skillKey","config"],"properties":{"ok":{"const":true},)"
     R"("skillKey":{"type":"string"},"config":{"type":"object"}}})"},
};

}  // namespace

serve::MoreRoutes agent_skill_routes() {
  return {.rows = kAgentRows, .schemas = kAgentSchemas, .meanwhile = watch_meanwhile};
}

}  // namespace clawperator::agent_skills
