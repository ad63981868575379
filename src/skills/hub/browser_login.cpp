#include "skills/hub/browser_login.hpp"

#include <algorithm>

#include "adbproto/link/socket_stream.hpp"
#include "adbproto/wire/base64.hpp"
#include "base/async/run_stoppable.hpp"
#include "base/async/signal.hpp"
#include "base/random.hpp"
#include "base/system/child_process.hpp"
#include "base/url.hpp"
#include "base/utf8.hpp"
#include "runtime/http/access.hpp"
#include "runtime/http/server.hpp"
#include "skills/hub/answers.hpp"
#include "skills/hub/client.hpp"
#include "skills/hub/errc.hpp"

namespace clawperator::hub {
namespace {

constexpr const char* kThisComputer = "127.0.0.1";
constexpr std::chrono::seconds kLastAnswer(2);
#ifdef __APPLE__
constexpr const char* kOpener = "open";
#else
constexpr const char* kOpener = "xdg-open";
#endif

constexpr std::string_view kPage = R"(<!doctype html>
<html lang="en"><meta charset="utf-8"><title>clawperator hub login</title>
<body><p id="message">Logging in ...</p>
<script>
const line = document.getElementById('message');
const given = new URLSearchParams(location.hash.slice(1));
history.replaceState(null, '', location.pathname);
const [token, registry, state] = ['token', 'registry', 'state'].map(name => given.get(name));
if (!token || !state) {
  line.textContent = 'The hub has sent no token. Close this page and log in once more.';
} else {
  fetch('/token', {method: 'POST', headers: {'Content-Type': 'application/json'},
                   body: JSON.stringify({token, registry, state})})
    .then(answer => answer.json())
    .then(answer => { line.textContent = answer.ok ? 'Logged in. You can close this page.'
                                                   : 'This is the answer to another login, or for another hub.'; })
    .catch(() => { line.textContent = 'clawperator does not wait for it any more.'; });
}
</script></body></html>
)";

std::string base64_url(std::string_view text) {
  std::string encoded = encode_base64(std::as_bytes(std::span(text)));
  encoded.resize(encoded.find_last_not_of('=') + 1);
  std::ranges::replace(encoded, '+', '-');
  std::ranges::replace(encoded, '/', '_');
  return encoded;
}

struct Waiting {
  std::string state{};
  std::string host{};  // as a browser names this computer
  std::optional<Result<std::string>> token{};
  Registry registry{};
  Places places{};
  Signal arrived;
};

http::Response page() {
  http::Response response;
  response.content_type = "text/html; charset=utf-8";
  response.body = kPage;
  response.headers = {{"Cache-Control", "no-store"}, {"Referrer-Policy", "no-referrer"}};
  return response;
}

http::Response take_token(Waiting* waiting, const std::string& body) {
  const auto brought = read_brought_token(body);
  const bool is_ours = brought && !brought->token.empty() &&
                       http::equal_in_constant_time(brought->state, waiting->state);
  const bool is_for_us =
      is_ours && may_get_token(waiting->registry, brought->registry.value_or(""), waiting->places);
  if (is_for_us) {
    waiting->token = brought->token;
  } else if (is_ours) {
    waiting->token =
        fail(errc::hub_not_logged_in,
             "the token is for another registry: " +
                 harmless_text(shown_url(brought->registry.value_or("it does not name it")), "?"));
  } else {
    waiting->token = fail(errc::hub_not_logged_in,
                          brought ? "state mismatch: the browser has answered another login"
                                  : "the browser has brought no token");
  }
  waiting->arrived.notify_all();
  http::Response response;
  response.status = is_for_us ? 200 : 400;
  response.body = is_for_us ? R"({"ok":true})" : R"({"ok":false})";
  return response;
}

Task<http::Response> answer_browser(Waiting* waiting, http::Request request) {
  const std::string* host = request.header("host");
  if (host == nullptr || *host != waiting->host) {
    co_return http::error_response(403, "FORBIDDEN", "the Host header names another host");
  }
  if (request.method == "GET" && (request.path == "/" || request.path == "/callback")) {
    co_return page();
  }
  if (request.method == "POST" && request.path == "/token") {
    co_return take_token(waiting, request.body);
  }
  co_return http::error_response(404, "NOT_FOUND", "there is no such page");
}

// A missing program is no error: the URL was printed.
void open_browser(const std::string& url) {
  ChildCommand command;
  command.words = {kOpener, url};
  command.needed_variables =
      "BROWSER DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS DESKTOP_SESSION "
      "GNOME_* KDE_* WSL*";
  std::ignore = start_detached(command, "/dev/null");
}

Task<void> wait_for_token(Waiting* waiting) {
  co_await wait_until(&waiting->arrived, [waiting] { return waiting->token.has_value(); });
  co_return waiting->token ? ok() : fail(errc::cancelled, "cancelled");
}

}  // namespace

std::string login_url(const std::string& auth_base, std::uint16_t port, const std::string& label,
                      const std::string& state) {
  const std::string back = "http://127.0.0.1:" + std::to_string(port) + "/callback";
  return with_query(auth_base + "/cli/auth",
                    {{"redirect_uri", back}, {"label_b64", base64_url(label)}, {"state", state}});
}

Task<std::string> token_by_browser(Places places, BrowserLogin login) {
  const auto executor = co_await asio::this_coro::executor;
  Waiting waiting{.places = std::move(places), .arrived = Signal(executor)};
  CO_TRY(waiting.registry, co_await run_stoppable([&](const std::stop_token& stop) {
           return find_login(waiting.places, stop);
         }));
  CO_TRY(auto listener, listen_tcp(executor, kThisComputer, 0));
  const std::uint16_t port = listener->port();
  CO_TRY(waiting.state, random_hex(16));
  waiting.host = std::string(kThisComputer) + ":" + std::to_string(port);
  http::Handler handler;
  handler.answer = [&waiting](http::Request request) {
    return answer_browser(&waiting, std::move(request));
  };
  http::Server server(executor, std::move(handler));
  server.listen(std::move(listener));
  const std::string url = login_url(waiting.registry.auth_base, port, login.label, waiting.state);
  if (login.on_url) login.on_url(url);
  if (login.opens_browser) open_browser(url);
  auto arrived =
      co_await with_deadline(wait_for_token(&waiting), login.limit, "the login by browser");
  // The rest must run although the task was cancelled.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  co_await server.stop(kLastAnswer);
  CO_TRY_VOID(std::move(arrived));
  co_return *std::move(waiting.token);
}

}  // namespace clawperator::hub
