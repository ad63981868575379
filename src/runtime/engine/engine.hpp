#pragma once
// The one main path: resolve the phone, prepare (the log and the Operator app), take its turn,
// announce the effects, let the backend carry out the plan, add the pictures. `run_backend` in
// engine.cpp reads like this sentence.

#include <filesystem>
#include <map>

#include "base/async/task.hpp"
#include "base/traceparent.hpp"
#include "runtime/contract/envelope.hpp"
#include "runtime/contract/execution.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/contract/secrets.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/engine/verify.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator {

enum class PictureFormat { png, jpeg };

// Which nodes of the screen are marked in its picture: all that cover an area and have a ref, or of
// these the ones that something can be done to now.
enum class Marked { all, actionable };

// How take_screenshot steps are served; the default passes the device's own PNG through.
struct ScreenshotOptions {
  PictureFormat format = PictureFormat::png;
  int quality = 80;             // JPEG only, 1..100
  std::optional<int> max_side;  // pixels; scales down, never up
  // Draws the refs of the execution's own first snapshot.
  std::optional<Marked> marks;
  bool to_memory = false;  // keep the picture in the result instead of writing a file
  std::optional<std::string> default_path{};  // absent: the temp folder, by command id
};

// Who carries an execution out: the Operator app, or the device's own shell.
enum class Backend { operator_app, shell };

// "app" or "shell", the words of every surface.
std::optional<Backend> read_backend(std::string_view word);

// How long records of a result are waited for behind the time of the execution: 2 MB take 8.5 s.
inline constexpr std::chrono::seconds kLongestReceipt{60};

// How long somebody waits in line who only says that he does.
inline constexpr std::chrono::milliseconds kQueuePatience{60000};
// The longest published wait in line; a longer one is a slip of a unit.
inline constexpr std::chrono::milliseconds kMaxPatience{3'600'000};

class DeviceSessions;  // runtime/engine/device_session.hpp
class EventLog;
struct Stage;  // runtime/engine/log_pieces.hpp

struct ExecuteRequest {
  Execution execution;
  Secrets secrets{};                            // of what went before: this may show them, too
  TargetOptions target;                         // --device, --transport, --adb-server
  NamedOperator operator_package;               // by flag, environment or request
  std::optional<std::string> broadcast_action;  // the same; absent: that of the package's family
  // Plans of take_screenshot alone, without marks, wait for no other execution by `shell`.
  Backend backend = Backend::operator_app;
  ScreenshotOptions screenshot;
  std::optional<Verify> verify{};
  // What the plan's one step that takes a node was shown as: nothing is sent but for that.
  std::optional<ShownNode> shown{};
  bool ask_screen_size = false;  // beside everything else; the answer is ExecuteResult::screen
  // How long the envelope is waited for beyond the execution's own timeout.
  std::chrono::milliseconds grace = std::chrono::milliseconds(5000);
  // How long a device is waited for, in line, that is busy with other executions.
  std::chrono::milliseconds lock_patience{0};
  std::optional<Traceparent> traceparent;  // of whoever asks
  // Makes the id that a dispatch goes by on the device; absent: new_dispatch_id. For tests.
  std::function<std::string()> dispatch_ids{};
  bool await_service = true;           // a service that the system is binding again
  bool timings = false;                // errors carry them, too
  DeviceSessions* sessions = nullptr;  // of a process that lives long; must outlive the execution
  // Called with the device's serial as soon as it is reached: an error may come later.
  std::function<void(const std::string& serial)> on_device{};
  // Called with the text of each [Clawperator-Event] line of this command, and with each stage of
  // it that the log tells (`exec --stream`).
  std::function<void(std::string_view)> on_event;
  std::function<void(const Stage&)> on_stage;
  // Awaited once, before anything changes on the device; an error of it ends the execution.
  std::function<Task<void>()> before_effects;
  // How a picture is written; absent: write_output. `bytes` live until the task ends. `path` is
  // that of the step, else ScreenshotOptions::default_path.
  std::function<Task<void>(const std::filesystem::path&, std::string_view bytes)> write_picture;
  // From the name that a step has for its picture to the path here; absent: the name is the path.
  // The phone gets the name.
  std::map<std::string, std::string> picture_paths{};
  // Called with each warning for stderr, also of an execution that fails later.
  std::function<void(std::string_view)> on_warning;
};

// Microseconds by phase, in the order of the published `timings` object. What was dispatched twice
// counts twice.
struct Timings {
  std::chrono::microseconds resolve{}, attach{}, preflight{}, queue{}, dispatch{}, device{},
      transfer{}, parse{}, total{};
};

std::string to_json(const Timings& timings);

struct ExecuteResult {
  Envelope envelope;
  Secrets secrets{};  // what is masked in it; what follows of the same call may show them, too
  std::string device_id;
  std::string execution_id;  // ULID
  Backend backend = Backend::operator_app;
  bool by_daemon = false;  // another process has carried it out
  std::string place;       // its socket of the bus ("usb:1-2"); twins share a serial
  Timings timings;
  std::vector<std::byte> picture;  // ScreenshotOptions::to_memory
  PictureProof proof{};            // ExecuteRequest::verify, where trees do not tell
  int attempts = 1;  // 2: a plan that only looks was dispatched again, its result was lost
  // What was captured, before scaling (of raw frames); else `wm size`, where that was asked for.
  std::optional<ScreenSize> screen;
};

// What this phone alone is called, as long as it stays plugged in there: its place on the bus,
// which twins of one serial do not share; without one its serial.
const std::string& own_name(const ExecuteResult& result);
// What advice calls the device: as whoever asks has named it, else its serial.
const std::string& advised_name(const ExecuteRequest& request, const ExecuteResult& result);

// What reading or writing so many bytes of JSON or XML does to an event loop.
inline constexpr std::size_t kHoldsUpLoop = std::size_t{256} * 1024;
// Whether writing it down would.
bool is_large(const Envelope& envelope);
bool is_large(const Result<ExecuteResult>& result);

// How a target becomes a device: resolve_device, unless somebody keeps devices open or fakes them.
using ResolveDevice = std::function<Task<std::unique_ptr<adbproto::Device>>(TargetOptions)>;

// `request` is validated (parse_execution, override_timeout, check_size). `log` may be absent; it
// must outlive the task.
Task<ExecuteResult> execute(ExecuteRequest request, EventLog* log = nullptr,
                            ResolveDevice resolve = resolve_device);

}  // namespace clawperator
