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

// A token is one line; a longer file is another one by mistake.
constexpr std::size_t kMaxTokenFile = 4096;

constexpr std::array kServeOptions{
    Option{"--port", "", Arity::one, "<port>", "default 3000; 0 is any"},
    Option{"--host", "--bind", Arity::one, "<address>", "default 127.0.0.1"},
    Option{"--token", "", Arity::one, "<text>",
           "what requests of other users must bear; others can read it in ps"},
    Option{"--token-file", "", Arity::one, "<file>", "its first line is the token; of mode 0600"},
    Option{"--require-token", "", Arity::none, "",
           "from this user's own programs, too; default for root and in containers"},
    Option{"--files", "", Arity::one, "<folder>", "clients may name files below it"},
};

// In headers, and never split or trimmed there; of a length that is not guessed.
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
                "--token-file: " + path + " is not this user's alone (its owner, and mode 0600)");
  }
  TRY(const std::string content, read_file(file, path, kMaxTokenFile));
  return checked_token("--token-file", trimmed(first_line(content)));
}

// --token, --token-file, CLAWPERATOR_TOKEN; empty: none was given.
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

std::vector<serve::MoreRoutes> more_routes() {
  return {phone_skills::routes(), agent_skills::routes()};
}

// What others can reach goes unencrypted.
std::string exposure_text(const std::string& host, const serve::TokenFile* made) {
  std::string text = "[clawperator] " + host +
                     " can be reached from elsewhere, and without TLS others on the way can read "
                     "the token and all answers.\n";
  if (made) text += "Authorization: Bearer " + made->token() + "\n";
  return text;
}

void tell_address(const serve::ServeOptions& options, std::uint16_t port,
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
  options.more_tools = phone_skills::tools();
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
  TRY_VOID(check_accepts_nobody(invocation.globals));
  EventLog log(log_options(invocation.globals));
  options.log = &log;
  options.on_listening = [told = options, verbose = invocation.globals.verbose](
                             std::uint16_t port, const serve::TokenFile* made) {
    tell_address(told, port, made, verbose);
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
        "[--require-token] [--files <folder>]",
    .summary = "Answer HTTP requests until stopped",
    .details =
        "One process that keeps its devices connected; `GET /` lists the routes, "
        "docs/reference/http.md "
        "describes\nthem. Other users of this computer must send a token as `Authorization: Bearer "
        "<token>`: the one\nthat is given (--token, --token-file, CLAWPERATOR_TOKEN), or one that "
        "is made at each start and\nkept in the runtime folder. --require-token asks this user's "
        "own programs, too; so do root and\ncontainers. --backend holds for requests that name "
        "none. A request's `path` is a file below --files;\nwithout it no file is written for "
        "clients, but for pictures in a folder of the server's own. SIGTERM\nor Ctrl-C lets the "
        "work in flight end; a second one does not.",
    .examples =
        "serve\n"
        "serve --port 8080 --device emulator-5554\n"
        "serve --host 0.0.0.0 --token-file token.txt\n",
    .reach = Reach::host,
    .options = kServeOptions,
    .run = run_serve};

}  // namespace clawperator::cli
