#include "runtime/daemon/door.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/daemon/talk.hpp"
#include "runtime/device/environment.hpp"
#include "runtime/engine/log_pieces.hpp"

namespace clawperator::daemon {
namespace {

constexpr auto kRequestLimit = std::chrono::seconds(5);
constexpr auto kFarewellLimit = std::chrono::seconds(30);
constexpr auto kAfterFailedAccept = std::chrono::milliseconds(100);
constexpr std::size_t kMaxConnections = 256;
constexpr std::size_t kMaxSocketPath = 107;

std::string stage_text(const Stage& stage) {
  std::string text(stage.name);
  text.append(1, '\0').append(stage.operation).append(1, '\0').append(stage.detail);
  return text;
}

// What the execution tells while it goes on.
void tell(ExecuteRequest& request, Talk* talk, bool wants_events) {
  request.on_warning = [talk](std::string_view text) { talk->say(FrameKind::warning, text); };
  request.target.on_notice = [talk](std::string_view text) { talk->say(FrameKind::notice, text); };
  request.write_picture = [talk](const std::filesystem::path& path, std::string_view bytes) {
    return talk->save(path, bytes);
  };
  request.before_effects = [talk] {
    talk->say(FrameKind::begun, "");
    return talk->sent();
  };
  if (!wants_events) return;
  request.on_event = [talk](std::string_view text) { talk->say(FrameKind::event, text); };
  request.on_stage = [talk](const Stage& stage) { talk->say(FrameKind::stage, stage_text(stage)); };
}

void tell_outcome(Talk* talk, const Result<ExecuteResult>& result) {
  if (!result) return talk->say(FrameKind::failure, encode_error(result.error()));
  if (!result->picture.empty()) talk->say(FrameKind::picture, as_text(result->picture));
  talk->say(FrameKind::result, encode_result(*result));
}

// How many are running, however one ends.
class Running {
 public:
  explicit Running(std::size_t* count) : count_(count) { ++*count_; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() { --*count_; }

 private:
  std::size_t* count_;
};

}  // namespace

Result<std::string> socket_path() {
  TRY(const auto folder, runtime_folder());
  std::string path = (folder / "clawperator-daemon.sock").string();
  if (path.size() <= kMaxSocketPath) return path;
  return fail(errc::invalid_argument, "too long for a socket: " + path);
}

namespace {

// Nothing where another process has it.
base::FileHandle take_lock(const std::string& path) {
  base::FileHandle lock(
      ::open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (lock.is_open() && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) lock.reset();
  return lock;
}

}  // namespace

Result<bool> socket_is_free() {
  TRY(const std::string path, socket_path());
  return take_lock(path).is_open();
}

Door::Door(const asio::any_io_executor& executor, DoorOptions options, std::string path,
           base::FileHandle lock)
    : options_(std::move(options)),
      path_(std::move(path)),
      lock_(std::move(lock)),
      accepting_(executor),
      connections_(executor) {}

// A process that was killed leaves its socket behind; the lock went with it.
Result<std::unique_ptr<Door>> Door::open(const asio::any_io_executor& executor,
                                         DoorOptions options) {
  TRY(const std::string path, socket_path());
  base::FileHandle lock = take_lock(path);
  if (!lock.is_open()) return fail(errc::serve_failed, "another process answers at " + path);
  ::unlink(path.c_str());
  auto listener = listen_unix(executor, path);
  if (!listener) return fail(errc::serve_failed, listener.error().message());
  ::chmod(path.c_str(), 0600);
  std::unique_ptr<Door> door(new Door(executor, std::move(options), path, std::move(lock)));
  door->accepting_.spawn(
      door->accept(std::make_shared<adbproto::ListenerPtr>(*std::move(listener))));
  return door;
}

Door::~Door() { ::unlink(path_.c_str()); }

asio::awaitable<void> Door::accept(std::shared_ptr<adbproto::ListenerPtr> listener) {
  for (;;) {
    auto stream = co_await (*listener)->accept();
    if (!stream && stream.error().code() == errc::closed) co_return;
    if (!stream) {
      co_await sleep_for(kAfterFailedAccept);
    } else if (connections_.size() < kMaxConnections) {
      connections_.spawn(serve(*std::move(stream)));
    }
  }
}

asio::awaitable<void> Door::serve(ByteStreamPtr stream) {
  if (adbproto::peer_user(stream.get()) != ::getuid()) co_return;
  const Running running(&running_);
  [[maybe_unused]] const auto answered = co_await answer(stream.get());
  last_use_ = Clock::now();
}

Task<void> Door::answer(ByteStream* stream) {
  FrameReader frames(kMaxRequest);
  CO_TRY(Frame frame,
         co_await with_deadline(read_frame(stream, &frames), kRequestLimit, "a request"));
  if (frame.kind == FrameKind::request) {
    co_return co_await run_execution(stream, &frames, std::move(frame.payload));
  }
  if (frame.kind != FrameKind::status && frame.kind != FrameKind::stop) {
    co_return fail(errc::protocol, "a frame that asks nothing");
  }
  const std::string answer = encode_frame(FrameKind::result, status());
  CO_TRY_VOID(co_await with_deadline(stream->write_all(as_bytes(answer)), kRequestLimit, "status"));
  if (frame.kind == FrameKind::stop && options_.on_stop) options_.on_stop();
  co_return ok();
}

Task<void> Door::run_execution(ByteStream* stream, FrameReader* frames, std::string request) {
  using namespace adbproto::parallel;
  const auto executor = co_await asio::this_coro::executor;
  auto asked = decode_request(request);
  const bool fits = asked && asked->surface == options_.surface;
  Talk talk(executor, stream, frames);
  adbproto::Scope writing(executor);
  writing.spawn(talk.write());
  std::optional<Result<ExecuteResult>> result;
  if (fits) {
    ++executions_;
    const Execution execution = asked->request.execution;
    asked->request.sessions = options_.sessions;
    tell(asked->request, &talk, asked->wants_events);
    co_await (keep(execute(std::move(asked->request), options_.log, supervised(options_.devices)),
                   &result) ||
              talk.listen());
    if (!result) result.emplace(fail(errc::cancelled, "cancelled"));
    if (options_.on_done) options_.on_done(execution, *result);
  }
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  if (result) {
    tell_outcome(&talk, *result);
  } else {
    talk.say(FrameKind::declined, asked ? "its settings differ" : asked.error().message());
  }
  talk.finish();
  const auto told = co_await run_within(writing.join(), kFarewellLimit, "the outcome");
  if (!told) writing.cancel();
  co_await writing.join();
  co_return told;
}

std::string Door::status() const {
  std::string devices;
  for (const DeviceRow& row : options_.devices->rows()) {
    devices += (devices.empty() ? "" : ",") + JsonObject()
                                                  .text("serial", row.serial)
                                                  .text("state", row.state.text())
                                                  .text("transport", transport_name(row.transport))
                                                  .str();
  }
  const auto up = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started_);
  return JsonObject()
      .boolean("running", true)
      .number("pid", ::getpid())
      .text("version", options_.surface.version)
      .text("socket", path_)
      .number("uptimeMs", up.count())
      .number("executions", static_cast<std::int64_t>(executions_))
      .json("devices", "[" + devices + "]")
      .str();
}

asio::awaitable<void> Door::stop(std::chrono::milliseconds patience) {
  accepting_.cancel();
  co_await accepting_.join();
  [[maybe_unused]] const auto late =
      co_await run_within(connections_.join(), patience, "the executions in flight");
  connections_.cancel();
  co_await connections_.join();
}

asio::awaitable<void> Door::wait_for_idleness(std::chrono::milliseconds limit) {
  for (;;) {
    const auto idle = running_ != 0 ? Clock::duration::zero() : Clock::now() - last_use_;
    if (idle >= limit) co_return;
    co_await sleep_for(limit - idle);
  }
}

}  // namespace clawperator::daemon
