#include "runtime/serve/serve.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/async/name_lookup.hpp"
#include "base/files.hpp"
#include "base/number.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "runtime/serve/lone_user.hpp"
#include "runtime/serve/route_table.hpp"
#include "skills/serve/routes_and_tools.hpp"

namespace clawperator::cli {
namespace {

// A token is one line; a longer file is the wrong file.
constexpr std::size_t kMaxTokenFile = 4096;

constexpr std::array kServeOptions{
    Option{"--port", "", Arity::one, "<port>", "the port; default 3000; 0 selects a free one"},
    Option{"--host", "--bind", Arity::one, "<address>",
           "the address to listen on; default 127.0.0.1"},
    Option{"--token", "", Arity::one, "<text>",
           "the token for requests of other users; others can read arguments in ps"},
    Option{"--token-file", "", Arity::one, "<file>",
           "a file of mode 0600 whose first line is the token"},
    Option{"--require-token", "", Arity::none, "",
           "require the token from this user, too; default for root and in containers"},
    Option{"--allow-origin", "", Arity::one, "<origins>",
           "whose pages a browser may let use it: http://localhost:5173, several with commas"},
    Option{"--files", "", Arity::one, "<folder>", "the folder of the files that clients may name"},
};

// Header-safe: HTTP must not split or trim the token. Its length resists guessing.
Result<std::string> checked_token(std::string_view source, std::string_view text) {
  const auto fits = [](char c) { return c > ' ' && c < '\x7f' && c != ';' && c != ','; };
  if (text.size() >= 16 && text.size() <= 512 && std::ranges::all_of(text, fits)) {
    return std::string(text);
  }
  return fail(errc::usage, std::string(source) +
                               " must be 16 to 512 printable characters without blanks, ; and ,");
}

Result<std::string> token_in(const std::string& path) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat found{};
  if (!file.is_open() || ::fstat(file.get(), &found) != 0) {
    return cannot("read", path, errc::io, errno);
  }
  if (found.st_uid != ::geteuid() || (found.st_mode & 077) != 0) {
    return fail(errc::usage,
                "--token-file: " + path + " must belong to this user and have mode 0600");
  }
  TRY(const std::string content, read_file(file, path, kMaxTokenFile));
  return checked_token("--token-file", trimmed(first_line(content)));
}

// From --token, --token-file, CLAWPERATOR_TOKEN; empty: none was given.
Result<std::string> given_token(const Arguments& arguments) {
  const std::string* text = arguments.value("--token");
  const std::string* file = arguments.value("--token-file");
  if (text && file) return fail(errc::usage, "use --token OR --token-file, not both");
  if (text) return checked_token("--token", *text);
  if (file) return token_in(*file);
  const char* variable = std::getenv("CLAWPERATOR_TOKEN");
  if (!variable || *variable == '\0') return std::string();
  return checked_token("CLAWPERATOR_TOKEN", variable);
}

Result<std::uint16_t> read_port(const Arguments& arguments) {
  const std::string* text = arguments.value("--port");
  if (!text) return serve::ServeOptions{}.port;
  if (const auto port = whole_number<std::uint16_t>(*text)) return *port;
  return fail(errc::usage, "--port must be a whole number from 0 to 65535");
}

// Exactly what a browser sends as Origin. `*` is refused: any page could then use the phones.
Result<std::vector<std::string>> read_origins(const Arguments& arguments) {
  std::vector<std::string> origins;
  const std::string* list = arguments.value("--allow-origin");
  for (std::string_view rest = list ? *list : std::string_view(); !rest.empty();) {
    const std::string_view origin = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(origin.size() + 1, rest.size()));
    const auto host = origin.find("://");
    const bool is_web = origin.starts_with("http://") || origin.starts_with("https://");
    const bool is_one = is_web && host + 3 < origin.size() && ascii_lower(origin) == origin &&
                        origin.find_first_of("/ ?#@*", host + 3) == origin.npos;
    if (!is_one) {
      return fail(errc::usage, "--allow-origin: " + clipped(origin) +
                                   " is no origin; name it as the browser sends it: "
                                   "http://localhost:5173");
    }
    origins.emplace_back(origin);
  }
  if (list && origins.empty()) return fail(errc::usage, "--allow-origin: name an origin");
  return origins;
}

std::vector<serve::MoreRoutes> more_routes() {
  return {phone_skills::routes(), agent_skills::routes()};
}

// A warning: the connection of a reachable address is not encrypted.
std::string exposure_text(const std::string& host, const serve::TokenFile* made) {
  std::string text =
      "[clawperator] WARN: " + host +
      " can be reached from other computers without TLS: others on the network can read "
      "the token and all answers.\n";
  if (made) text += "Authorization: Bearer " + made->token() + "\n";
  return text;
}

void print_address(const serve::ServeOptions& options, std::uint16_t port,
                   const serve::TokenFile* made, bool verbose) {
  const std::string& host = options.host;
  const std::string name = host.find(':') == host.npos ? host : "[" + host + "]";
  std::string text = adbproto::is_loopback(host) ? std::string() : exposure_text(host, made);
  text += "Clawperator API server listening on http://" + name + ":" + std::to_string(port);
  for (const serve::RouteRow& row : serve::all_routes(more_routes())) {
    if (!verbose) break;
    text.append("\n  ").append(row.method).append(" ").append(row.path);
  }
  if (made) {
    text.append(options.always_requires_token ? "\nRequests" : "\nRequests of other users")
        .append(" need the token in ")
        .append(made->path());
  }
  print_warning(text);
}

Result<serve::ServeOptions> read_options(const Invocation& invocation) {
  const Globals& globals = invocation.globals;
  serve::ServeOptions options;
  TRY(options.port, read_port(invocation.arguments));
  if (const std::string* host = invocation.arguments.value("--host")) options.host = *host;
  if (options.host == "localhost") options.host = "127.0.0.1";
  TRY(options.token, given_token(invocation.arguments));
  options.always_requires_token =
      invocation.arguments.has("--require-token") || !serve::is_lone_user();
  TRY(options.origins, read_origins(invocation.arguments));
  options.defaults = {.target = globals.target,
                      .operator_package = operator_package(globals),
                      .broadcast_action = broadcast_action(globals),
                      .logs = log_options(globals).folder,
                      .versions = {std::string(kVersionText), std::string(kApkCompatText)},
                      .backend = globals.backend};
  options.snapshots = snapshot_store();
  if (const std::string* folder = invocation.arguments.value("--files")) options.files = *folder;
  options.surface = surface_of(globals);
  options.more_routes = more_routes();
  options.more_of_mcp = skills_served::additions();
  return options;
}

// A thousand event streams and the devices' links need more than the usual 1024 descriptors.
void raise_descriptor_limit() {
  constexpr rlim_t kEnough = 8192;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kEnough) return;
  limit.rlim_cur = std::min(limit.rlim_max, kEnough);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// A signal is the normal end of `serve`.
Result<Answer> run_serve(const Invocation& invocation) {
  TRY(auto options, read_options(invocation));
  TRY_VOID(refuse_accept_new(invocation.globals));
  EventLog log(log_options(invocation.globals));
  options.log = &log;
  options.on_listening = [captured = options, verbose = invocation.globals.verbose](
                             std::uint16_t port, const serve::TokenFile* made) {
    print_address(captured, port, made, verbose);
  };
  raise_descriptor_limit();
  warn_of_runtime_folders();
  const auto done = run_task(serve::serve(std::move(options)));
  if (!done && done.error().code() != errc::cancelled) return std::unexpected(done.error());
  return Answer{};
}

}  // namespace

constinit const Command kServe = {
    .name = "serve",
    .usage =
        "[--port <port>] [--host <address>] [--token <text> | --token-file <file>] "
        "[--require-token] [--allow-origin <origins>] [--files <folder>]",
    .summary = "Serve HTTP requests until stopped",
    .details =
        "One process that keeps its devices connected. `GET /` lists the routes, which\n"
        "docs/reference/http.md describes. Other users of this computer must send a token:\n"
        "`Authorization: Bearer <token>`. It is the given one (--token, --token-file,\n"
        "CLAWPERATOR_TOKEN); otherwise each start generates a token in the runtime folder. With\n"
        "--require-token, as root and in containers this user's own programs need it, too.\n"
        "--backend is the default for requests that name none. A request's `path` is a file\n"
        "below --files; without --files the server writes only pictures, into a folder of its\n"
        "own. After SIGTERM or Ctrl-C the work in flight ends; a second signal stops at once.",
    .examples =
        "serve\n"
        "serve --port 8080 --device emulator-5554\n"
        "serve --host 0.0.0.0 --token-file token.txt\n",
    .reach = Reach::host,
    .options = kServeOptions,
    .run = run_serve};

}  // namespace clawperator::cli
