#include "runtime/serve/serve.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>

#include "adbproto/link/name_lookup.hpp"
#include "agent_skills/serve/agent_skill_routes.hpp"
#include "base/files.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/serve/route_table.hpp"
#include "skills/serve/routes_and_tools.hpp"

namespace clawperator::cli {
namespace {

constexpr std::size_t kMaxTokenFile = 4096;

constexpr std::array kServeOptions{
    Option{"--port", "", Arity::one, "<port>", "default 3000; 0 is any"},
    Option{"--host", "--bind", Arity::one, "<address>", "default 127.0.0.1"},
    Option{"--token", "", Arity::one, "<text>",
           "what requests must bear; others can read it in ps"},
    Option{"--token-file", "", Arity::one, "<file>", "its first line is the token"},
};

// In headers, and never split or trimmed there.
Result<std::string> checked_token(std::string_view source, std::string_view text) {
  const auto fits = [](char c) { return c > ' ' && c < '\x7f' && c != ';' && c != ','; };
  if (!text.empty() && text.size() <= 512 && std::ranges::all_of(text, fits)) {
    return std::string(text);
  }
  return fail(errc::usage, std::string(source) +
                               " must be 1 to 512 printable characters without blanks, ; and ,");
}

// --token, --token-file, CLAWPERATOR_TOKEN; empty: none was given.
Result<std::string> given_token(const Arguments& arguments) {
  const std::string* text = arguments.value("--token");
  const std::string* file = arguments.value("--token-file");
  if (text && file) return fail(errc::usage, "use --token OR --token-file, not both");
  if (text) return checked_token("--token", *text);
  if (file) {
    TRY(const std::string content, read_file(*file, kMaxTokenFile));
    return checked_token("--token-file", trimmed(first_line(content)));
  }
  const char* variable = std::getenv("CLAWPERATOR_TOKEN");
  if (!variable || *variable == '\0') return std::string();
  return checked_token("CLAWPERATOR_TOKEN", variable);
}

// Whoever can reach this machine could drive its phones.
Result<std::string> token_for(const Arguments& arguments, std::string_view host) {
  TRY(std::string token, given_token(arguments));
  if (!token.empty() || adbproto::is_loopback(host)) return token;
  TRY(token, serve::random_token());
  print_warning("[clawperator] " + std::string(host) +
                " can be reached from elsewhere. Requests need this header:\n"
                "Authorization: Bearer " +
                token);
  return token;
}

Result<std::uint16_t> read_port(const Arguments& arguments) {
  const std::string* text = arguments.value("--port");
  if (!text) return serve::ServeOptions{}.port;
  if (const auto port = whole_number<std::uint16_t>(*text)) return *port;
  return fail(errc::usage, "--port must be a whole number from 0 to 65535");
}

std::vector<serve::MoreRoutes> more_routes() {
  return {skills::skill_routes(), agent_skills::agent_skill_routes()};
}

void tell_address(const std::string& host, std::uint16_t port, bool verbose) {
  const std::string name = host.find(':') == host.npos ? host : "[" + host + "]";
  std::string text =
      "Clawperator API server listening on http://" + name + ":" + std::to_string(port);
  for (const serve::RouteRow& row : serve::all_routes(more_routes())) {
    if (!verbose) break;
    text.append("\n  ").append(row.method).append(" ").append(row.path);
  }
  print_warning(text);
}

Result<serve::ServeOptions> read_options(const Invocation& invocation) {
  const Globals& globals = invocation.globals;
  serve::ServeOptions options;
  TRY(options.port, read_port(invocation.arguments));
  if (const std::string* host = invocation.arguments.value("--host")) options.host = *host;
  if (options.host == "localhost") options.host = "127.0.0.1";
  TRY(options.token, token_for(invocation.arguments, options.host));
  options.defaults = {.target = globals.target,
                      .operator_package = operator_package(globals),
                      .broadcast_action = broadcast_action(globals),
                      .logs = log_options(globals).folder,
                      .versions = {std::string(kVersionText), std::string(kApkCompatText)},
                      .backend = globals.backend};
  options.snapshots = snapshot_store();
  options.surface = surface_of(globals);
  options.more_routes = more_routes();
  options.more_tools = skills::tools_where_skills_are();
  const bool verbose = globals.verbose;
  options.on_listening = [host = options.host, verbose](std::uint16_t port) {
    tell_address(host, port, verbose);
  };
  return options;
}

// A thousand readers of events and the devices' links are more than the usual 1024 descriptors.
void raise_descriptor_limit() {
  constexpr rlim_t kEnough = 8192;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kEnough) return;
  limit.rlim_cur = std::min(limit.rlim_max, kEnough);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// A signal is how it ends well.
Result<Answer> run_serve(const Invocation& invocation) {
  TRY(auto options, read_options(invocation));
  EventLog log(log_options(invocation.globals));
  options.log = &log;
  log.keep_secret(options.token);
  raise_descriptor_limit();
  const auto done = run_task(serve::serve(std::move(options)));
  if (!done && done.error().code() != errc::cancelled) return std::unexpected(done.error());
  return Answer{};
}

}  // namespace

constinit const Command kServe = {
    .name = "serve",
    .usage = "[--port <port>] [--host <address>] [--token <text> | --token-file <file>]",
    .summary = "Answer HTTP requests until stopped",
    .details =
        "One process that keeps its devices connected; `GET /` lists the routes, docs/http.md "
        "describes\nthem. Requests bear the token (--token, --token-file, CLAWPERATOR_TOKEN) as "
        "`Authorization:\nBearer <token>`. On an address that others can reach there always is "
        "one: where none is given\nit is made and printed. --backend holds for requests that name "
        "none. SIGTERM or Ctrl-C lets the work in flight end; a second one does not.",
    .examples =
        "serve\n"
        "serve --port 8080 --device emulator-5554\n"
        "serve --host 0.0.0.0 --token-file token.txt\n",
    .reach = Reach::host,
    .options = kServeOptions,
    .run = run_serve};

}  // namespace clawperator::cli
