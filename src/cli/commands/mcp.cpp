// The Model Context Protocol on stdin and stdout: one message a line, and nothing else on stdout.
//
//   stdin --lines--> messages --> mcp::Server, many at a time --replies, progress--> stdout

#include <unistd.h>

#include <deque>
#include <exception>
#include <map>

#include "base/async/parallel.hpp"
#include "base/async/scope.hpp"
#include "base/async/signal.hpp"
#include "base/json_document.hpp"
#include "cli/commands/commands.hpp"
#include "cli/descriptor.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "runtime/act/executors.hpp"
#include "runtime/daemon/client.hpp"
#include "runtime/engine/device_session.hpp"
#include "runtime/log/event_log.hpp"
#include "runtime/mcp/message.hpp"
#include "runtime/mcp/server.hpp"
#include "skills/serve/routes_and_tools.hpp"

namespace clawperator::cli {
namespace {

using namespace base::parallel;

constexpr std::size_t kReadAtOnce = std::size_t{64} << 10;
constexpr std::size_t kMaxInFlight = 1024;  // a client has a few; each holds a coroutine
// Four of the longest messages (kMaxMessage) fit; then reading pauses.
constexpr std::size_t kMaxInFlightBytes = std::size_t{16} << 20;
// About twenty pictures fit; then reading pauses.
constexpr std::size_t kMaxUnread = std::size_t{16} << 20;
// A client that reads nothing for a minute is gone.
constexpr std::chrono::seconds kClientPatience{60};
// A client that has closed its end reads the remaining replies at once, or never.
constexpr std::chrono::milliseconds kDrainLimit{10000};

// Splits a stream into lines; the rest of a line that is too long is discarded.
class Lines {
 public:
  void feed(std::string_view bytes) { buffer_ += bytes; }
  void end() { buffer_ += '\n'; }

  struct Line {
    std::string text{};
    bool too_long = false;
  };
  std::optional<Line> next() {
    const std::size_t end = buffer_.find('\n', searched_);
    if (end == buffer_.npos) {
      searched_ = buffer_.size();
      if (buffer_.size() > mcp::kMaxMessage) {
        is_skipping_ = true;
        buffer_.clear();
        searched_ = 0;
      }
      return std::nullopt;
    }
    Line line{.text = buffer_.substr(0, end), .too_long = is_skipping_ || end > mcp::kMaxMessage};
    buffer_.erase(0, end + 1);
    searched_ = 0;
    is_skipping_ = false;
    if (line.text.ends_with('\r')) line.text.pop_back();
    return line;
  }

 private:
  std::string buffer_;
  std::size_t searched_ = 0;
  bool is_skipping_ = false;
};

// The replies to the messages of a batch, in their order.
struct Batch {
  explicit Batch(std::size_t size) : replies(size), open(size) {}
  std::vector<std::string> replies;
  std::size_t open;  // messages that may still get a reply
};

// The destination of a reply: the client itself, or a batch.
struct ReplyPlace {
  std::shared_ptr<Batch> batch{};
  std::size_t index = 0;
};

// A request without a reply so far.
struct Pending {
  Pending(const asio::any_io_executor& executor, std::size_t size)
      : bytes(size), changed(executor) {}
  std::size_t bytes;  // of its message
  bool is_cancelled = false;
  adbproto::Signal changed;
};

class Conversation {
 public:
  Conversation(const asio::any_io_executor& executor, const mcp::Defaults* defaults,
               const mcp::Additions& more)
      : defaults_(defaults),
        server_(executor, defaults, more),
        requests_(executor),
        executor_(executor),
        queued_(executor),
        changed_(executor),
        in_(executor, STDIN_FILENO, Descriptor::Direction::in),
        out_(executor, STDOUT_FILENO, Descriptor::Direction::out) {}

  // Runs until stdin ends, and first answers everything that was read by then. `closed` when the
  // reader of stdout is gone.
  Task<void> run();

 private:
  Task<void> until_read();
  Task<void> room();
  Task<void> read_all();   // always ends with an error, which ends the conversation
  Task<void> write_all();  // until all replies are written
  void take(Lines::Line line);
  void take_batch(std::string_view text);
  void take(mcp::Incoming incoming, std::size_t bytes, const ReplyPlace& place);
  void take(mcp::Message message, std::size_t bytes, const ReplyPlace& place);
  void cancel(const mcp::Message& notification);
  asio::awaitable<void> serve(mcp::Message request, std::shared_ptr<Pending> pending,
                              ReplyPlace place);
  void send(std::string line);
  // An empty reply is not sent.
  void send(std::string reply, const ReplyPlace& place);

  const mcp::Defaults* defaults_;
  mcp::Server server_;
  adbproto::Scope requests_;
  asio::any_io_executor executor_;
  std::map<std::string, std::shared_ptr<Pending>> in_flight_;  // by id
  std::deque<std::string> unsent_;
  std::size_t in_flight_bytes_ = 0;
  std::size_t unsent_bytes_ = 0;
  bool has_batches_ = false;  // depends on the agreed protocol version
  bool is_over_ = false;
  adbproto::Signal queued_;
  adbproto::Signal changed_;  // a line is read, or a reply written
  Descriptor in_;
  Descriptor out_;
};

void Conversation::send(std::string line) {
  line += '\n';
  unsent_bytes_ += line.size();
  unsent_.push_back(std::move(line));
  queued_.notify_all();
}

void Conversation::send(std::string reply, const ReplyPlace& place) {
  if (!place.batch) {
    if (!reply.empty()) send(std::move(reply));
    return;
  }
  place.batch->replies[place.index] = std::move(reply);
  if (--place.batch->open > 0) return;
  std::string line = mcp::batch_reply(place.batch->replies);
  if (!line.empty()) send(std::move(line));
}

Task<void> Conversation::write_all() {
  for (;;) {
    while (unsent_.empty() && !is_over_) co_await queued_.wait();
    if (unsent_.empty()) co_return ok();
    const std::string line = std::move(unsent_.front());
    unsent_.pop_front();
    unsent_bytes_ -= line.size();
    CO_TRY_VOID(co_await out_.write_all(adbproto::as_bytes(line)));
    changed_.notify_all();
  }
}

asio::awaitable<void> Conversation::serve(mcp::Message request, std::shared_ptr<Pending> pending,
                                          ReplyPlace place) {
  auto outcome =
      co_await (server_.answer(request, [this](std::string line) { send(std::move(line)); }) ||
                adbproto::wait_until(&pending->changed, [&] { return pending->is_cancelled; }));
  in_flight_.erase(request.id);
  in_flight_bytes_ -= pending->bytes;
  changed_.notify_all();
  const bool is_answered = outcome.index() == 0;
  send(is_answered ? std::get<0>(std::move(outcome)).json : "", place);
  if (!is_answered && defaults_->log) {
    // A cancelled tool may already have run. Its arguments may contain a password.
    const std::string* tool = string_value(find_member(*request.params, "name"));
    defaults_->log->write(LogLevel::warn, "mcp.cancelled",
                          request.method + " was cancelled; maybe done",
                          JsonObject()
                              .text("id", request.id.substr(0, 64))
                              .text("tool", tool ? tool->substr(0, 64) : ""));
  }
}

void Conversation::cancel(const mcp::Message& notification) {
  const auto found = in_flight_.find(notification.cancels);
  if (found == in_flight_.end()) return;
  found->second->is_cancelled = true;
  found->second->changed.notify_all();
}

void Conversation::take(mcp::Message message, std::size_t bytes, const ReplyPlace& place) {
  if (message.method == "notifications/cancelled") cancel(message);
  if (!message.is_request()) return send("", place);
  if (in_flight_.contains(message.id) || in_flight_.size() >= kMaxInFlight) {
    return send(
        mcp::fault_reply(message.id, mcp::Fault::invalid_request,
                         in_flight_.contains(message.id) ? "a request of this id is in flight"
                                                         : "too many requests in flight")
            .json,
        place);
  }
  if (message.method == "initialize" && message.era == mcp::Era::legacy) {
    has_batches_ = mcp::agreed_version(message) == mcp::kWithBatches;
  }
  bytes += server_.most_bytes(message);
  const auto pending = std::make_shared<Pending>(executor_, bytes);
  in_flight_bytes_ += bytes;
  in_flight_.emplace(message.id, pending);
  requests_.spawn(serve(std::move(message), pending, place));
}

void Conversation::take(mcp::Incoming incoming, std::size_t bytes, const ReplyPlace& place) {
  if (auto* message = std::get_if<mcp::Message>(&incoming)) {
    return take(std::move(*message), bytes, place);
  }
  auto* reply = std::get_if<mcp::Reply>(&incoming);
  send(reply ? std::move(reply->json) : "", place);
}

void Conversation::take_batch(std::string_view text) {
  auto read = mcp::read_batch(text);
  if (auto* reply = std::get_if<mcp::Reply>(&read)) return send(std::move(reply->json));
  auto& messages = std::get<std::vector<mcp::Incoming>>(read);
  const auto batch = std::make_shared<Batch>(messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    take(std::move(messages[i]), text.size() / messages.size(), {batch, i});
  }
}

void Conversation::take(Lines::Line line) {
  if (line.too_long) {
    return send(mcp::fault_reply("", mcp::Fault::parse, "the message is too long").json);
  }
  if (line.text.find_first_not_of(" \t") == std::string::npos) return;
  if (has_batches_ && mcp::is_batch(line.text)) return take_batch(line.text);
  take(mcp::read_message(line.text), line.text.size(), {});
}

Task<void> Conversation::until_read() {
  while (unsent_bytes_ > kMaxUnread) co_await changed_.wait();
  co_return ok();
}

// Waits while the client does not read, and while its unfinished requests are too large.
Task<void> Conversation::room() {
  while (in_flight_bytes_ > kMaxInFlightBytes) co_await changed_.wait();
  co_return co_await adbproto::with_deadline(until_read(), kClientPatience, "the client's reading");
}

Task<void> Conversation::read_all() {
  Lines lines;
  std::vector<std::byte> bytes(kReadAtOnce);
  for (bool goes_on = true; goes_on;) {
    const auto size = co_await in_.read_some(bytes);
    goes_on = size.has_value();
    if (goes_on) {
      lines.feed({reinterpret_cast<const char*>(bytes.data()), *size});
    } else {
      lines.end();
    }
    while (auto line = lines.next()) {
      CO_TRY_VOID(co_await room());
      take(*std::move(line));
    }
  }
  co_await requests_.join();
  is_over_ = true;
  queued_.notify_all();
  co_await adbproto::sleep_for(kDrainLimit);
  co_return fail(errc::limit, "the client does not read");
}

Task<void> Conversation::run() {
  Result<void> end = ok();
  try {
    auto first = co_await (read_all() || write_all());
    end = first.index() == 0 ? std::get<0>(std::move(first)) : std::get<1>(std::move(first));
  } catch (const std::exception&) {
    end = fail(errc::cancelled, "stopped");
  }
  // The cleanup below must run although the task was cancelled.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  requests_.cancel();
  co_await requests_.join();
  co_await server_.stop();
  co_return end;
}

Task<void> converse(const mcp::Defaults* defaults) {
  Conversation conversation(co_await asio::this_coro::executor, defaults,
                            skills_served::additions());
  co_return co_await conversation.run();
}

Task<void> serve_tools(Supervisor* devices, const Invocation* invocation, EventLog* log) {
  const Globals& globals = invocation->globals;
  const auto executor = co_await asio::this_coro::executor;
  DeviceSessions sessions(executor, supervised(devices));
  act::SupervisedExecutor here(devices, &sessions, log);
  daemon::DaemonOrHere acting(&here, daemon_surface(globals));
  mcp::Defaults defaults{.executor = &acting, .target = globals.target};
  defaults.target.honour_android_serial = false;
  defaults.operator_package = operator_package(globals);
  defaults.broadcast_action = broadcast_action(globals);
  defaults.backend = globals.backend;
  defaults.versions = {std::string(kVersionText), std::string(kApkCompatText)};
  defaults.seen = {.by = act::Seen::By::connection,
                   .store = snapshot_store(),
                   .shown = std::make_shared<PerDevice>(),
                   .read = std::make_shared<PerDevice>(),
                   .in_front = std::make_shared<PerDevice>(),
                   .pictures = std::make_shared<PerDevice>()};
  defaults.answered = std::make_shared<std::string>();
  defaults.log = log;
  const auto done = co_await converse(&defaults);
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  co_await sessions.stop();
  co_return done;
}

Result<Answer> run_mcp(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (!words.empty() && words.front() != "serve") {
    return fail(errc::usage, "mcp accepts no argument except the optional word serve");
  }
  if (has_client_options(invocation.arguments)) return answer_mcp_client(invocation);
  TRY_VOID(refuse_accept_new(invocation.globals));
  EventLog log(log_options(invocation.globals));
  warn_of_runtime_folders();
  std::function<Task<void>(Supervisor*)> work = [&](Supervisor* devices) {
    return serve_tools(devices, &invocation, &log);
  };
  const auto done =
      run_task(with_supervisor<void>({.target = invocation.globals.target}, std::move(work)));
  if (!done && done.error().code() != errc::cancelled && done.error().code() != errc::closed) {
    return std::unexpected(done.error());
  }
  return Answer{};
}

constexpr std::array kGuideOptions{
    Option{"--skill", "", Arity::none, "", "print a SKILL.md for agents with skills"},
};

constexpr std::string_view kSkillHead =
    "---\n"
    "name: clawperator\n"
    "description: See and act on an Android phone - read the screen as a compact tree, tap, type, "
    "scroll, open apps and wait. Use when a task happens on an Android device or emulator.\n"
    "compatibility: Needs the clawperator program and a device that adb could reach.\n"
    "---\n\n"
    "The tools named below are those of the MCP server `clawperator mcp`. Where it is not "
    "connected, each "
    "is a command:\n\n"
    "    clawperator snapshot --output brief\n"
    "    clawperator click --ref @3 --output brief --snapshot=diff\n"
    "    clawperator type \"Ada\" --id com.example:id/name --output brief --snapshot=diff\n"
    "    clawperator exec plan.json --output brief\n\n"
    "`clawperator help` lists the others.\n\n";

Result<Answer> run_guide(const Invocation& invocation) {
  const bool skill = invocation.arguments.has("--skill");
  return Answer{.text = std::string(skill ? kSkillHead : "") + std::string(mcp::guide())};
}

}  // namespace

constinit const Command kMcp = {
    .name = "mcp",
    .usage = "[--print-config <client> [--write]]",
    .summary = "Serve tools to an agent on stdin and stdout (Model Context Protocol)",
    .details =
        R"(An agent starts this command as a server. --print-config prints the entry for the agent's settings
        with the path of this program. --write adds the entry to the client's own file and changes nothing
        else there. An existing entry of ours gets the new path; another server of our name stays, and the
        error is CLIENT_ENTRY_TAKEN. --device, --adb-server, --transport, --operator-package and --backend
        become arguments of the entry. `clawperator serve` has the same tools at /mcp. Executions use a
        running daemon or serve of this user. --backend shell works without the Operator app. Ends with 0
        when stdin ends.)",
    .examples =
        "mcp\nmcp --device emulator-5554\nmcp --print-config codex\nmcp --print-config codex "
        "--write\n",
    .options = kMcpClientOptions,
    .run = run_mcp,
    .most_words = 1};

constinit const Command kGuide = {
    .name = "guide",
    .summary = "Print instructions for agents",
    .details =
        "The same instructions as the server of `mcp` gives to agents. --skill prints them as a\n"
        "skill's file; an installed program has it in share/clawperator/skills.",
    .examples = "guide\nguide --skill\n",
    .reach = Reach::host,
    .options = kGuideOptions,
    .run = run_guide};

}  // namespace clawperator::cli
