// The pictures of a run: one capture for every step that asked, after the plan, or instead of it
// where nothing else is wanted.

#include <algorithm>

#include "adbproto/wire/errc.hpp"
#include "base/async/blocking.hpp"
#include "base/system/output_file.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/known_phones.hpp"
#include "runtime/engine/run.hpp"
#include "runtime/engine/screenshot.hpp"
#include "runtime/image/errc.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator {

namespace {

std::string default_path(const ExecuteRequest& request) {
  const ScreenshotOptions& options = request.screenshot;
  if (options.default_path) return *options.default_path;
  return default_picture_path(request.execution.command_id, options.format);
}

constexpr std::string_view kBlackPicture =
    "the picture is black: the app in front forbids pictures, or the screen is off";

// A remembered duration is kept until a new one tells something else, so that not every capture
// writes a file.
void keep_duration(std::optional<std::chrono::microseconds>& kept,
                   std::chrono::microseconds measured) {
  if (!kept || measured * 4 < *kept * 3 || measured * 3 > *kept * 4) kept = measured;
}

}  // namespace

asio::awaitable<std::vector<SavedPicture>> Run::save_pictures(const Result<Capture>* taken) {
  const Result<Capture>& capture = *taken;
  std::vector<SavedPicture> pictures;
  for (const Action& action : request_.execution.actions) {
    if (action.type != ActionType::take_screenshot) continue;
    SavedPicture picture{.step_id = action.id, .path = {}, .problem = {}, .warning = {}};
    if (capture && capture->black) picture.warning = kBlackPicture;
    const ScreenshotOptions& options = request_.screenshot;
    picture.path = action.path ? *action.path : default_path(request_);
    if (!capture) {
      picture.problem = capture.error().message();
      picture.link_lost = is_link_error(capture.error());
    } else if (options.to_memory) {
      picture.path = "-";
    } else {
      const auto& write = request_.write_picture;
      const auto bytes = as_text(capture->picture);
      const auto written =
          co_await (write ? write(picture.path, bytes) : write_output(picture.path, bytes));
      if (!written) picture.problem = written.error().message();
    }
    pictures.push_back(std::move(picture));
  }
  co_return pictures;
}

// Of the screen that the execution's own snapshot shows.
Result<std::vector<Mark>> Run::wanted_marks() const {
  const std::string* xml = snapshot_text(result_.envelope);
  if (!xml) return fail(errc::screenshot_capture_failed, "no snapshot tells what is to be marked");
  TRY(const UiTree tree, parse_hierarchy(*xml));
  return marks_of(tree, *request_.screenshot.marks);
}

Task<Capture> Run::capture() {
  std::vector<Mark> marks;
  if (request_.screenshot.marks) {
    CO_TRY(marks, co_await run_blocking([this] { return wanted_marks(); }));
  }
  co_return co_await capture_screen(
      device_.get(), request_.screenshot, std::move(marks),
      {memory_.faster_capture(), memory_.several_displays, memory_.raw_trial()}, wait_limit());
}

void Run::keep_habits(const Capture& capture) {
  const ScreenshotOptions& options = request_.screenshot;
  const bool raw = capture.method == CaptureMethod::raw_frame;
  if (!raw) keep_duration(memory_.device_png, capture.total);
  const bool plain = options.format == PictureFormat::png && !options.max_side && !options.marks;
  if (raw && plain) keep_duration(memory_.raw_frame, capture.total);
  if (capture.raw_in_vain) keep_duration(memory_.raw_frame, *capture.raw_in_vain);
  memory_.several_displays = capture.several_displays;
  remember();
}

// What comes of a capture that began is its step's. A device that was not reached, and one that
// runs no command, are told as they are by any other command.
Result<void> Run::judge_capture(const Result<Capture>& capture) const {
  if (capture || !needs_no_operator() || screen_was_asked_) return ok();
  const Error& why = capture.error();
  if (is_link_error(why)) {
    return fail(errc::link_lost, why.message());
  }
  if (why.code() != errc::refused) return ok();
  return std::unexpected(closed_shell(package_name(), advised_name(request_, result_), why));
}

// A picture costs more than a tree, and the Operator app has a tree of nearly every screen, which
// uiautomator has not.
asio::awaitable<void> Run::look_before() {
  if (!request_.verify) co_return;
  const bool by_trees = request_.backend == Backend::operator_app && !request_.verify->settles() &&
                        plans_surrounding_snapshots(request_.execution);
  if (by_trees) co_return;
  watch_.emplace(device_.get(), *request_.verify, memory_.several_displays);
  co_await watch_->look_before();
}

// Pictures tell it where trees do not.
asio::awaitable<void> Run::look_after() {
  if (!watch_) co_return;
  const bool is_told = !request_.verify->settles() && surrounding_snapshots(result_.envelope);
  if (!is_told) result_.proof = co_await watch_->look_after();
}

// A picture alone: taking it changes nothing on the phone, so that both are asked for at once.
Task<void> Run::meet_by_asking() {
  const auto note = std::exchange(request_.target.meets_later, nullptr);
  if (!note) co_return ok();
  co_return co_await meet_phone(&request_.target, kept_.get(), note.get());
}

Task<std::vector<SavedPicture>> Run::take_pictures() {
  const bool asked = std::ranges::any_of(result_.envelope.step_results, [](const auto& step) {
    return step.action_type == "take_screenshot";
  });
  if (!asked) co_return std::vector<SavedPicture>{};
  const auto start = Clock::now();
  using namespace base::parallel;
  auto [met, capture] = co_await (meet_by_asking() && this->capture());
  trace_.phase("capture", start);
  const bool is_another = !met && met.error().code() == errc::device_identity_changed;
  if (!is_another) CO_TRY_VOID(judge_capture(capture));
  CO_TRY_VOID(std::move(met));
  if (capture) {
    result_.timings.transfer = capture->transfer;
    result_.screen = capture->screen;
    result_.timings.parse += capture->total - capture->transfer;
    trace_.phase("transfer", start, capture->transfer);
    trace_.phase("parse", start + capture->transfer, capture->total - capture->transfer);
    keep_habits(*capture);
  }
  // A cancelled capture is told in its step; nothing is written for it, so nothing can hang.
  if (!capture) {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  }
  auto pictures = co_await save_pictures(&capture);
  if (capture && request_.screenshot.to_memory) result_.picture = std::move(capture->picture);
  co_return pictures;
}

Task<ExecuteResult> Run::add_pictures() {
  co_await look_after();
  CO_TRY(const auto pictures, co_await take_pictures());
  warn(attach_screenshots(result_.envelope, pictures));
  reconcile(result_.envelope, {result_.device_id, package_name(), service_});
  result_.timings.total = base::micros_since(start_);
  closing_event_written_ = true;
  const bool succeeds = result_.envelope.status == EnvelopeStatus::success;
  trace_.end(succeeds ? "success" : "failed", result_.device_id);
  if (log_) {
    JsonObject members = log_members();
    members.text("status", succeeds ? "success" : "failed");
    members.json("timings", to_json(result_.timings));
    log_->write(succeeds ? LogLevel::info : LogLevel::warn, "execution.finished",
                "execution finished", members);
  }
  co_return std::move(result_);
}

}  // namespace clawperator
