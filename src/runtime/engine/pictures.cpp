#include "runtime/engine/pictures.hpp"

#include <algorithm>

#include "adbproto/wire/errc.hpp"
#include "base/async/blocking.hpp"
#include "base/system/output_file.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/known_phones.hpp"
#include "runtime/image/errc.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator {

namespace {

std::string path_of(const Screenshot& shot, const ExecuteRequest& request) {
  const ScreenshotOptions& options = request.screenshot;
  if (shot.path) {
    const auto found = request.picture_paths.find(*shot.path);
    return found == request.picture_paths.end() ? *shot.path : found->second;
  }
  if (options.default_path) return *options.default_path;
  return default_picture_path(request.execution.command_id, options.format);
}

constexpr std::string_view kBlackPicture =
    "the picture is black: the app in front forbids pictures, or the screen is off";

std::string_view code_of(const Error& why) {
  if (is_link_error(why)) return errc::link_lost.published;
  const bool is_cancelled = why.code() == errc::cancelled;
  return is_cancelled ? errc::cancelled.published : errc::screenshot_capture_failed.published;
}

// Keeps a remembered duration until a new one differs clearly, so that not every capture writes a
// file.
void keep_duration(std::optional<std::chrono::microseconds>& kept,
                   std::chrono::microseconds measured) {
  if (!kept || measured * 4 < *kept * 3 || measured * 3 > *kept * 4) kept = measured;
}

}  // namespace

asio::awaitable<std::vector<SavedPicture>> Pictures::save(const Result<Capture>* taken) {
  const Result<Capture>& capture = *taken;
  std::vector<SavedPicture> pictures;
  for (const Action& action : job_->request.execution.actions) {
    const auto* shot = action.as<Screenshot>();
    if (!shot) continue;
    SavedPicture picture{.step_id = action.id, .path = {}, .problem = {}, .warning = {}};
    if (capture && capture->black) picture.warning = kBlackPicture;
    const ScreenshotOptions& options = job_->request.screenshot;
    picture.path = path_of(*shot, job_->request);
    if (!capture) {
      picture.problem = capture.error().message();
      picture.code = code_of(capture.error());
    } else if (options.to_memory) {
      picture.path = "-";
    } else {
      const auto& write = job_->request.write_picture;
      const auto bytes = as_text(capture->picture);
      const auto written =
          co_await (write ? write(picture.path, bytes) : write_output(picture.path, bytes));
      if (!written) picture.problem = written.error().message();
    }
    pictures.push_back(std::move(picture));
  }
  co_return pictures;
}

// For the screen in the execution's own snapshot.
Result<std::vector<Mark>> Pictures::wanted_marks() const {
  const std::string* xml = snapshot_text(job_->result.envelope);
  if (!xml)
    return fail(errc::screenshot_capture_failed, "the plan has no snapshot with the nodes to mark");
  TRY(const UiTree tree, parse_hierarchy(*xml));
  return marks_of(tree, *job_->request.screenshot.marks);
}

Task<Capture> Pictures::capture() {
  std::vector<Mark> marks;
  if (job_->request.screenshot.marks) {
    CO_TRY(marks, co_await run_blocking([this] { return wanted_marks(); }));
  }
  co_return co_await capture_screen(
      phone_->device(), job_->request.screenshot, std::move(marks),
      {phone_->memory().faster_capture(), phone_->memory().several_displays,
       phone_->memory().raw_trial()},
      job_->wait_limit());
}

void Pictures::remember_capture_timing(const Capture& capture) {
  const ScreenshotOptions& options = job_->request.screenshot;
  const bool raw = capture.method == CaptureMethod::raw_frame;
  if (!raw) keep_duration(phone_->memory().device_png, capture.total);
  const bool plain = options.format == PictureFormat::png && !options.max_side && !options.marks;
  if (raw && plain) keep_duration(phone_->memory().raw_frame, capture.total);
  if (capture.raw_in_vain) keep_duration(phone_->memory().raw_frame, *capture.raw_in_vain);
  phone_->memory().several_displays = capture.several_displays;
  phone_->remember();
}

// Once a capture has begun, its failure is its step's. Errors of a device that was not reached, or
// that runs no command, are the execution's, as for any other command.
Result<void> Pictures::judge(const Result<Capture>& capture) const {
  if (capture || !job_->is_by_shell() || phone_->has_answered()) return ok();
  const Error& why = capture.error();
  if (is_link_error(why)) {
    return fail(errc::link_lost, why.message());
  }
  if (why.code() != errc::refused) return ok();
  return std::unexpected(closed_shell(phone_->package_name(), phone_->advised_name(), why));
}

// A picture costs more than a tree, and the Operator app has a tree of nearly every screen, which
// uiautomator has not.
asio::awaitable<void> Pictures::look_before() {
  if (!job_->request.verify) co_return;
  const bool by_trees = job_->request.backend == Backend::operator_app &&
                        !job_->request.verify->settles() &&
                        plans_surrounding_snapshots(job_->request.execution);
  if (by_trees) co_return;
  watch_.emplace(phone_->device(), *job_->request.verify, phone_->memory().several_displays);
  co_await watch_->look_before();
}

// Pictures are the proof where there are no trees.
asio::awaitable<void> Pictures::look_after() {
  if (!watch_) co_return;
  const bool has_trees =
      !job_->request.verify->settles() && surrounding_snapshots(job_->result.envelope);
  if (!has_trees) job_->result.proof = co_await watch_->look_after();
}

Task<std::vector<SavedPicture>> Pictures::take() {
  const bool asked = std::ranges::any_of(job_->result.envelope.step_results, [](const auto& step) {
    return step.action_type == "take_screenshot";
  });
  if (!asked) co_return std::vector<SavedPicture>{};
  const auto start = Clock::now();
  using namespace base::parallel;
  // Taking it changes nothing on the phone, so the capture and the identity are queried at once.
  auto [met, capture] = co_await (phone_->meet_by_asking() && this->capture());
  observer_->trace().phase("capture", start);
  const bool is_another = !met && met.error().code() == errc::device_identity_changed;
  if (!is_another) CO_TRY_VOID(judge(capture));
  CO_TRY_VOID(std::move(met));
  if (capture) {
    job_->result.timings.transfer = capture->transfer;
    job_->result.screen = capture->screen;
    job_->result.timings.parse += capture->total - capture->transfer;
    observer_->trace().phase("transfer", start, capture->transfer);
    observer_->trace().phase("parse", start + capture->transfer,
                             capture->total - capture->transfer);
    remember_capture_timing(*capture);
  }
  const bool has_more =
      std::ranges::any_of(job_->request.execution.actions,
                          [](const Action& action) { return !action.is<Screenshot>(); });
  if (!has_more && !capture && capture.error().code() == errc::cancelled) {
    co_return std::unexpected(capture.error());
  }
  // Other steps are done, so a cancelled capture is reported in its own. No file is written for it,
  // so nothing can hang.
  if (!capture) {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  }
  auto pictures = co_await save(&capture);
  if (capture && job_->request.screenshot.to_memory)
    job_->result.picture = std::move(capture->picture);
  co_return pictures;
}

Task<void> Pictures::add() {
  co_await look_after();
  CO_TRY(const auto pictures, co_await take());
  observer_->warn(attach_screenshots(job_->result.envelope, pictures));
  co_return ok();
}

}  // namespace clawperator
