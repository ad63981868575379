#include "runtime/engine/shell_backend/shell_hand.hpp"

#include <algorithm>

#include "base/async/blocking.hpp"
#include "base/async/task.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/engine/device_input.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/screen_size.hpp"
#include "runtime/engine/shell_backend/steps.hpp"
#include "runtime/engine/ulid.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator {
namespace {

using std::chrono::milliseconds;

constexpr auto kDumpLimit = milliseconds(30000);   // uiautomator waits 10 s at most for idleness
constexpr auto kInputTime = milliseconds(30000);   // of one call: a text takes a while
constexpr auto kStartLimit = milliseconds(25000);  // `am start -W` waits for the app's first screen
constexpr auto kQuestionLimit = milliseconds(10000);  // as preflight's kCommandLimit
constexpr int kLooksAfterStop = 5;
// With kLooksAfterStop tries a process has 0.8 s to end.
constexpr auto kBetweenLooks = milliseconds(200);

// Longer than the longest time that the settings offer for a long press, and slow enough for a list
// to follow the finger.
constexpr int kLongPressMs = 1800;
constexpr int kSwipeMs = 400;

constexpr int kMoveEnd = 123;
constexpr int kDelete = 67;
constexpr int kForwardDelete = 112;
constexpr std::size_t kKeysInOneCall = 200;
// 20 calls; a longer text stays in part, and reading the field back shows that.
constexpr std::size_t kMaxErased = 4000;

constexpr std::size_t kLargeXml = 256 * 1024;  // bytes; parsing them would hold up the loop

InputPoint input_point(Point at) { return {at.x, at.y}; }

void add_keys(std::vector<int>& keys, int key, std::size_t count) {
  keys.insert(keys.end(), std::min(count, kMaxErased), key);
}

std::vector<Words> calls_of(const std::vector<int>& keys) {
  std::vector<Words> calls;
  for (std::size_t at = 0; at < keys.size(); at += kKeysInOneCall) {
    const std::size_t count = std::min(kKeysInOneCall, keys.size() - at);
    calls.push_back(keyevents_words(std::span(keys).subspan(at, count)));
  }
  return calls;
}

Seen read_screen(ScreenDump dump) {
  auto tree = parse_hierarchy(dump.xml);
  if (!tree) return std::unexpected("uiautomator's tree cannot be read: " + tree.error().message());
  const ScreenNow now = parse_screen_now(dump.behind);
  if (now.size) tree->screen = *now.size;
  if (!now.keyboard.is_empty()) tree->keyboard = now.keyboard;
  return SeenScreen{*std::move(tree), std::move(dump.xml)};
}

}  // namespace

ShellHand::ShellHand(adbproto::Device* device, Rungs rungs, Clock::time_point deadline, Warn warn)
    : device_(device), channel_(device, rungs), deadline_(deadline), warn_(std::move(warn)) {}

milliseconds ShellHand::left() const {
  const auto left = std::chrono::duration_cast<milliseconds>(deadline_ - Clock::now());
  return std::max(left, milliseconds(0));
}

Task<ScreenDump> ShellHand::dump() {
  const auto limit = std::max(std::min(kDumpLimit, left()), milliseconds(1));
  const auto output =
      co_await run_command_line(device_, screen_dump_line(ascii_lower(new_ulid())), limit);
  if (output) co_return read_screen_dump(output->out, output->err);
  if (output.error().code() != errc::deadline_exceeded) co_return std::unexpected(output.error());
  co_return ScreenDump{
      DumpOutcome::failed, {}, "it did not end within " + std::to_string(limit.count()) + " ms"};
}

Task<Seen> ShellHand::look(bool insists) {
  CO_TRY(ScreenDump seen, co_await dump());
  if (insists && is_worth_a_retry(seen.outcome) && left() > milliseconds(0)) {
    warn_("uiautomator: " + seen.said + "; read once more");
    CO_TRY(seen, co_await dump());
  }
  if (seen.outcome != DumpOutcome::whole) co_return Seen(std::unexpected(why_no_tree(seen)));
  if (seen.xml.size() <= kLargeXml) co_return read_screen(std::move(seen));
  co_return co_await run_blocking(
      [dump = std::move(seen)]() mutable -> Result<Seen> { return read_screen(std::move(dump)); });
}

Task<void> ShellHand::input(std::vector<Words> calls) {
  has_acted_ = true;
  co_return co_await perform_calls(&channel_, device_->serial(), std::move(calls), kInputTime);
}

Task<void> ShellHand::tap(Point at) {
  std::vector<Words> calls(1, tap_words(input_point(at)));
  co_return co_await input(std::move(calls));
}

Task<void> ShellHand::press_long(Point at) {
  std::vector<Words> calls(1, swipe_words(input_point(at), input_point(at), kLongPressMs));
  co_return co_await input(std::move(calls));
}

Task<void> ShellHand::swipe(Point from, Point to) {
  std::vector<Words> calls(1, swipe_words(input_point(from), input_point(to), kSwipeMs));
  co_return co_await input(std::move(calls));
}

Task<void> ShellHand::press_key(int key) {
  std::vector<Words> calls(1, keyevent_words(key));
  co_return co_await input(std::move(calls));
}

Task<void> ShellHand::erase(std::size_t before, std::size_t behind) {
  std::vector<int> keys(1, kMoveEnd);
  add_keys(keys, kDelete, before);
  add_keys(keys, kForwardDelete, behind);
  co_return co_await input(calls_of(keys));
}

Task<void> ShellHand::type(std::string text) {
  std::vector<Words> calls;
  for (const std::string& piece : input_text_pieces(text)) calls.push_back(text_words(piece));
  co_return co_await input(std::move(calls));
}

Task<ShellHand::Launcher> ShellHand::find_launcher(std::string package) {
  CO_TRY(const auto output,
         co_await channel_.run(AndroidService::package, launcher_activity_words(package),
                               kQuestionLimit));
  Launcher launcher{read_launcher_activity(output.out), false};
  launcher.is_unknown =
      !launcher.component && output.out.find("No activity found") == std::string::npos;
  co_return launcher;
}

Task<StartAnswer> ShellHand::start(Words words) {
  has_acted_ = true;
  CO_TRY(const auto output,
         co_await channel_.run(AndroidService::activity, std::move(words), kStartLimit));
  co_return read_start(output.out, output.err);
}

Task<bool> ShellHand::stop(std::string package) {
  has_acted_ = true;
  CO_TRY(const auto stopped, co_await channel_.run(AndroidService::activity,
                                                   force_stop_words(package), kQuestionLimit));
  if (stopped.exit_status != 0) {
    co_return fail(errc::device_shell_unavailable,
                   "the device did not stop " + package + ": " + stopped.text());
  }
  // The process is killed while we query it.
  for (int looks = 1;; ++looks) {
    CO_TRY(const auto processes,
           co_await run_command_line(device_, process_ids_line(package), kQuestionLimit));
    if (trimmed(processes.out).empty()) co_return true;
    if (looks == kLooksAfterStop) co_return false;
    co_await adbproto::sleep_for(kBetweenLooks);
  }
}

}  // namespace clawperator
