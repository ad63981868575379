#pragma once
// The one main path: resolve the phone, prepare (the log and the Operator app), take its turn,
// announce the effects, let the backend carry out the plan, add the pictures. In engine.cpp
// `execute` has the stages up to the phone, `run_backend` those after it.

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

// The nodes that are marked in a picture: all that cover an area and have a ref, or only those of
// them that accept an action now.
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

// The backend of an execution: the Operator app, or the device's own shell.
enum class Backend { operator_app, shell };

// "app" or "shell", the words of every surface.
std::optional<Backend> read_backend(std::string_view word);

// How long the records of a result may take after the execution's own time: 2 MB take 8.5 s.
inline constexpr std::chrono::seconds kLongestReceipt{60};

// The default wait in line, where the caller asks for one without a length.
inline constexpr std::chrono::milliseconds kQueuePatience{60000};
// The longest wait in line; a longer one is a mistaken unit.
inline constexpr std::chrono::milliseconds kMaxPatience{3'600'000};

class DeviceSessions;  // runtime/engine/device_session.hpp
class EventLog;
struct Stage;  // runtime/engine/log_pieces.hpp

struct ExecuteRequest {
  Execution execution;
  Secrets secrets{};               // of an earlier call: this answer may show them, too
  TargetOptions target;            // --device, --transport, --adb-server
  NamedOperator operator_package;  // by flag, environment or request
  std::optional<std::string> broadcast_action;  // the same; absent: that of the package's family
  // A plan of take_screenshot alone, without marks, does not wait for other executions by `shell`.
  Backend backend = Backend::operator_app;
  ScreenshotOptions screenshot;
  std::optional<Verify> verify{};
  // The shown fields of the plan's one step that takes a node: the engine sends nothing for another
  // node.
  std::optional<ShownNode> shown{};
  // queried beside everything else; the answer is ExecuteResult::screen
  bool ask_screen_size = false;
  // How long to wait for the envelope beyond the execution's own timeout.
  std::chrono::milliseconds grace = std::chrono::milliseconds(5000);
  // How long to wait in line for a device that is busy with other executions.
  std::chrono::milliseconds lock_patience{0};
  bool gives_way = false;                  // LockLines::Request
  std::optional<Traceparent> traceparent;  // of the caller
  // Makes the id of a dispatch on the device; absent: new_dispatch_id. For tests.
  std::function<std::string()> dispatch_ids{};
  bool await_service = true;           // wait for a service that the system is binding again
  bool timings = false;                // in errors, too
  DeviceSessions* sessions = nullptr;  // of a process that lives long; must outlive the execution
  // Called with the device's serial as soon as it is reached; the execution may fail after that.
  std::function<void(const std::string& serial)> on_device{};
  // Called with the text of each [Clawperator-Event] line of this command, and with each of its
  // stages that the log shows (`exec --stream`).
  std::function<void(std::string_view)> on_event;
  std::function<void(const Stage&)> on_stage;
  // Awaited once, before anything changes on the device; its error ends the execution.
  std::function<Task<void>()> before_effects;
  // How a picture is written; absent: write_output. `bytes` live until the task ends. `path`: that
  // of the step, else ScreenshotOptions::default_path.
  std::function<Task<void>(const std::filesystem::path&, std::string_view bytes)> write_picture;
  // From a step's name for its picture to the path here; absent: the name is the path. The phone
  // gets the name.
  std::map<std::string, std::string> picture_paths{};
  // Called with each warning for stderr, also of an execution that fails later.
  std::function<void(std::string_view)> on_warning;
};

// Microseconds by phase, in the order of the published `timings` object. For a plan that was
// dispatched twice they are sums.
struct Timings {
  std::chrono::microseconds resolve{}, attach{}, preflight{}, queue{}, dispatch{}, device{},
      transfer{}, parse{}, total{};
};

std::string to_json(const Timings& timings);

struct ExecuteResult {
  Envelope envelope;
  Secrets secrets{};  // masked in the answer; a later answer of the same call may show them, too
  std::string device_id;
  std::string execution_id;  // ULID
  Backend backend = Backend::operator_app;
  bool by_daemon = false;  // another process carried it out
  std::string place;       // its socket of the bus ("usb:1-2"); twins share a serial
  Timings timings;
  std::vector<std::byte> picture;  // ScreenshotOptions::to_memory
  PictureProof proof{};            // for ExecuteRequest::verify, where trees prove nothing
  int attempts = 1;  // 2: a plan that changes nothing was dispatched again, its result was lost
  // The size of the captured frame before scaling; else `wm size`, where it was queried.
  std::optional<ScreenSize> screen;
};

// The unique name of this phone while it stays plugged in there: its place on the bus, which twins
// of one serial do not share; without one its serial.
const std::string& own_name(const ExecuteResult& result);
// The device's name in advice: the caller's own, else its serial.
const std::string& advised_name(const ExecuteRequest& request, const ExecuteResult& result);

// JSON or XML of this size is read and written beside the event loop, which it would hold up.
inline constexpr std::size_t kHoldsUpLoop = std::size_t{256} * 1024;
// Whether writing it would hold up the loop.
bool is_large(const Envelope& envelope);
bool is_large(const Result<ExecuteResult>& result);

// How a target becomes a device: resolve_device, or the function of a process that keeps devices
// open, or of a test.
using ResolveDevice = std::function<Task<std::unique_ptr<adbproto::Device>>(TargetOptions)>;

// `request` is validated (parse_execution, override_timeout, check_size). `log` may be absent; it
// must outlive the task.
Task<ExecuteResult> execute(ExecuteRequest request, EventLog* log = nullptr,
                            ResolveDevice resolve = resolve_device);

}  // namespace clawperator
