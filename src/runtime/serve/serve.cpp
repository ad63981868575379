#include "runtime/serve/serve.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/async/scope.hpp"
#include "base/json_text.hpp"
#include "runtime/daemon/daemon_server.hpp"
#include "runtime/daemon/errc.hpp"
#include "runtime/http/server.hpp"
#include "runtime/serve/client_files.hpp"
#include "runtime/serve/executors.hpp"
#include "runtime/serve/outcome.hpp"
#include "runtime/serve/route_table.hpp"
#include "runtime/serve/routes.hpp"

namespace clawperator::serve {
namespace {

void log_request(EventLog* log, const http::Request& request) {
  if (!log || !log->enabled(LogLevel::info)) return;
  JsonObject members;
  members.text("method", request.method).text("path", request.path);
  log->write(LogLevel::info, "serve.http.request", request.method + " " + request.path, members);
}

// Later starts have larger ids, which still are whole numbers in JavaScript.
std::uint64_t start_of_ids() {
  using namespace std::chrono;
  const auto now = duration_cast<milliseconds>(system_clock::now().time_since_epoch());
  return static_cast<std::uint64_t>(now.count()) * 1000;
}

// A stranger must not fill the log.
constexpr std::size_t kMostAMinute = 60;  // one a second shows that an attempt goes on

void log_refusal(Service* service, const http::Request& request, int status) {
  if (!service->log || (status != 401 && status != 403 && status != 429)) return;
  const auto now = Clock::now();
  if (now - service->refusals_since >= std::chrono::minutes(1)) {
    service->refusals_since = now;
    service->refusals = 0;
  }
  if (++service->refusals > kMostAMinute) return;
  const std::string peer = request.peer ? request.peer->name : std::string();
  JsonObject members;
  members.number("status", status).text("method", request.method).text("path", request.path);
  members.text("peer", peer).boolean("moreAreDropped", service->refusals == kMostAMinute);
  service->log->write(LogLevel::warn, "serve.http.refused", std::to_string(status) + " for " + peer,
                      members);
}

FoundRoute route_of(const Service* service, const http::Request& request) {
  return find_route(*service->routes, request.method, request.segments);
}

std::optional<http::Response> refuse(Service* service, const http::Request& request,
                                     const FoundRoute& found) {
  auto entry = found.row ? found.row->entry : http::Entry::guarded;
  if (wants_page(request)) entry = http::Entry::open;
  auto refusal = http::refuse(*service->access, request, entry);
  if (refusal) log_refusal(service, request, refusal->status);
  if (!refusal && !found.row) refusal = no_route(request, found.allowed);
  if (refusal) http::allow_reading(*service->access, request, &*refusal);
  return refusal;
}

Task<http::Response> answer(Service* service, http::Request request) {
  log_request(service->log, request);
  // While the body came, the user's process may have left and another taken its socket: check
  // again.
  FoundRoute found = route_of(service, request);
  if (auto refusal = refuse(service, request, found)) co_return *std::move(refusal);
  http::Response readable;
  http::allow_reading(*service->access, request, &readable);
  CO_TRY(auto response, co_await answer_request(service, std::move(found), std::move(request)));
  std::ranges::move(readable.headers, std::back_inserter(response.headers));
  co_return response;
}

http::Handler handler_of(Service* service) {
  http::Handler handler;
  handler.answer = [service](http::Request request) { return answer(service, std::move(request)); };
  // The body is read only for a request that is allowed and has a route.
  handler.admit = [service](const http::Request& head) {
    if (auto allowed = http::preflight(*service->access, head)) return allowed;
    return refuse(service, head, route_of(service, head));
  };
  return handler;
}

// The tools of POST /mcp use the devices of the routes.
mcp::Defaults defaults_of(Service* service, Executor* executor) {
  const Defaults& own = *service->defaults;
  return {.executor = executor,
          .target = own.target,
          .operator_package = own.operator_package,
          .broadcast_action = own.broadcast_action,
          .backend = own.backend,
          .versions = own.versions,
          .seen = service->seen,
          .log = service->log};
}

// By which this user's commands come; nothing where another process has it.
std::unique_ptr<daemon::DaemonServer> open_daemon_server(const asio::any_io_executor& executor,
                                                         const ServeOptions* options,
                                                         Service* service, Signal* stop) {
  if (!options->surface) return nullptr;
  auto opened = daemon::DaemonServer::open(
      executor, {.surface = *options->surface,
                 .devices = service->devices,
                 .sessions = service->sessions,
                 .log = options->log,
                 .on_stop = [stop] { stop->notify_all(); },
                 .on_done =
                     [service](const Execution* execution, const Result<ExecuteResult>* result) {
                       return publish_command(service, execution, result);
                     }});
  return opened ? *std::move(opened) : nullptr;
}

// Nothing where the caller gave a token: a file of an earlier server has another one.
Result<std::unique_ptr<TokenFile>> own_token(const ServeOptions& options, std::uint16_t port) {
  if (options.token.empty()) return TokenFile::make(options.host, port);
  TokenFile::remove(options.host, port);
  return nullptr;
}

asio::awaitable<void> until_stopped(Signal* stop) {
  co_await stop->wait();
  // The rest must run although the task was cancelled.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
}

Task<void> serve_devices(Supervisor* devices, const ServeOptions* options) {
  const auto executor = co_await asio::this_coro::executor;
  CO_TRY(const auto files, ClientFiles::open(options->files));
  auto listener = listen_tcp(executor, options->host, options->port);
  if (!listener) {
    co_return fail(errc::serve_failed, "Failed to start server: " + listener.error().message());
  }
  const std::uint16_t port = (*listener)->port();
  CO_TRY(auto made, own_token(*options, port));
  DeviceSessions sessions(executor, supervised(devices));
  const std::vector<RouteRow> routes = all_routes(options->more_routes);
  Service service{.defaults = &options->defaults,
                  .devices = devices,
                  .sessions = &sessions,
                  .log = options->log,
                  .seen = {.store = options->snapshots, .in_front = std::make_shared<PerDevice>()},
                  .files = files.get(),
                  .events = EventHub(executor, start_of_ids()),
                  .stages = EventHub(executor)};
  http::Guesses guesses;
  const http::AccessPolicy access{.hosts = {options->host},
                                  .origins = options->origins,
                                  .token = made ? made->token() : options->token,
                                  .always_requires_token = options->always_requires_token,
                                  .sessions = &service.browsers,
                                  .guesses = &guesses};
  service.access = &access;
  if (options->log) options->log->keep_secret(access.token);
  Signal stop(executor), stop_requested(executor);
  service.stop_requested = &stop_requested;
  service.routes = &routes;
  service.more_routes = options->more_routes;
  const Json schemas = all_schemas(options->more_routes);
  service.schemas = &schemas;
  ToolExecutor acting(&service);
  const mcp::Defaults defaults = defaults_of(&service, &acting);
  mcp::Server tools(executor, &defaults, options->more_of_mcp);
  service.tools = &tools;
  http::Server server(executor, handler_of(&service));
  server.listen(*std::move(listener));
  const auto daemon_server = open_daemon_server(executor, options, &service, &stop);
  if (options->on_listening) options->on_listening(port, made.get());
  adbproto::Scope meanwhile(executor);
  meanwhile.spawn(publish_devices(&service));
  for (const MoreRoutes& each : options->more_routes) {
    if (each.meanwhile != nullptr) meanwhile.spawn(each.meanwhile(&service));
  }
  co_await until_stopped(&stop);
  made.reset();  // another server may have its own there as soon as this one does not listen
  meanwhile.cancel();
  service.is_stopping = true;
  stop_requested.notify_all();
  sessions.lines().close();
  co_await server.stop(daemon::kDrainLimit);
  if (daemon_server) co_await daemon_server->stop();
  co_await tools.stop();
  co_await sessions.stop();
  co_await meanwhile.join();
  co_return fail(errc::cancelled, "stopped");
}

}  // namespace

Task<void> serve(ServeOptions options) {
  const SupervisorOptions supervised{.target = options.defaults.target};
  const ServeOptions* lasting = &options;
  std::function<Task<void>(Supervisor*)> work = [lasting](Supervisor* devices) {
    return serve_devices(devices, lasting);
  };
  co_return co_await with_supervisor<void>(supervised, std::move(work));
}

}  // namespace clawperator::serve
