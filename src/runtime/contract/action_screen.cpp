#include "runtime/contract/action_screen.hpp"

#include "runtime/contract/action_row.hpp"

namespace clawperator {
namespace {

using namespace rows;

constexpr std::array kScreenshotParams{use<Screenshot, &Screenshot::path>(
    "path", "a file on this computer; for `serve`, below `--files`")};

void check_screenshot(const Screenshot& shot, const Rules& rules) {
  rules.not_blank_if_given("path", shot.path, " must be a non-empty string");
}

}  // namespace

constinit const ActionRow Snapshot::kRow{
    .name = "snapshot_ui",
    .aliases = "snapshot",
    .summary = "Read the screen as a tree.",
    .own = {.manner = Manner::direct, .name = "snapshot", .step = "snap", .source = kObserves},
    .only_looks = true};

constinit const ActionRow Screenshot::kRow{
    .name = "take_screenshot",
    .aliases = "screenshot capture_screenshot",
    .summary = "Take a picture of the screen.",
    .params = kScreenshotParams,
    .check = check<Screenshot, check_screenshot>,
    .own = {.manner = Manner::plain, .name = "screenshot", .step = "snap", .source = kObserves},
    .only_looks = true};

}  // namespace clawperator
