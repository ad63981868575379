#include "cli/adb/wait_for.hpp"

#include <algorithm>
#include <array>

#include "cli/adb/context.hpp"

namespace clawperator::cli {
namespace {

using adbproto::DeviceLine;
using adbproto::Errc;
using adbproto::Result;
using adbproto::Task;
using Words = std::vector<std::string>;

constexpr auto kLook = std::chrono::milliseconds(250);
constexpr std::array<std::string_view, 7> kStates = {
    "device", "recovery", "rescue", "sideload", "bootloader", "any", "disconnect"};

std::optional<Reachable> transport_named(std::string_view word) {
  if (word == "any") return Reachable::any;
  if (word == "usb") return Reachable::usb;
  if (word == "local") return Reachable::local;
  return std::nullopt;
}

std::string_view name_of(Reachable reachable) {
  constexpr std::string_view kNames[] = {"any", "usb", "local"};
  return kNames[static_cast<std::size_t>(reachable)];
}

// One look at the list: nothing yet, there, or an error that waiting cannot cure.
Result<bool> is_reached(const AdbContext& context, const Wait& wait,
                        const std::vector<DeviceLine>& lines) {
  std::vector<const DeviceLine*> chosen;
  for (const DeviceLine& line : lines) {
    if (is_chosen(context, line)) chosen.push_back(&line);
  }
  if (chosen.size() > 1) return std::unexpected(several_chosen(context));
  if (wait.state == "disconnect") return chosen.empty();
  if (chosen.empty()) return false;
  return wait.state == "any" || chosen.front()->state == wait.state;
}

Task<void> wait_by_tracker(const AdbContext* context, Wait wait, adbproto::ServerClient server) {
  CO_TRY(auto tracker, co_await server.track_devices(adbproto::ListFormat::detailed));
  for (;;) {
    CO_TRY(const auto lines, co_await tracker->next());
    CO_TRY(const bool reached, is_reached(*context, wait, lines));
    if (reached) co_return adbproto::ok();
  }
}

// A serial that is an address and stands in no list is dialled.
Task<std::vector<DeviceLine>> look(const AdbContext* context) {
  CO_TRY(auto lines, co_await list_lines(context, Look::states));
  const bool listed =
      std::ranges::any_of(lines, [&](const DeviceLine& line) { return is_chosen(*context, line); });
  if (listed || !context->target.device) co_return lines;
  if (auto line = co_await choose_line(context)) lines.push_back(*std::move(line));
  co_return lines;
}

Task<void> wait_by_looking(const AdbContext* context, Wait wait) {
  for (;;) {
    CO_TRY(const auto lines, co_await look(context));
    CO_TRY(const bool reached, is_reached(*context, wait, lines));
    if (reached) co_return adbproto::ok();
    co_await adbproto::sleep_for(kLook);
  }
}

// `words`: what follows "wait-for-", then perhaps a subcommand for afterwards.
Task<int> run_wait_for(AdbContext* context, Words words) {
  const auto wait = parse_wait(words.front(), context->target.reachable);
  if (!wait) co_return query_failed(wait.error());
  AdbContext of_wait = *context;
  of_wait.target.reachable = wait->reachable;
  auto server = co_await find_adb_server(context);
  if (!server) co_return query_failed(server.error());
  const auto reached = *server ? co_await wait_by_tracker(&of_wait, *wait, **server)
                               : co_await wait_by_looking(&of_wait, *wait);
  if (!reached) co_return query_failed(reached.error());
  if (words.size() == 1) co_return 0;
  co_return co_await run_subcommand(context, words[1], Words(words.begin() + 2, words.end()));
}

}  // namespace

Result<Wait> parse_wait(std::string_view words, Reachable standard) {
  Wait wait{.reachable = standard, .state = std::string(words)};
  const std::size_t dash = words.find('-');
  if (transport_named(words)) {
    return adbproto::fail(Errc::usage, "short wait-for-: " + std::string(words));
  }
  if (const auto named = transport_named(words.substr(0, dash)); named && dash != words.npos) {
    wait = {.reachable = *named, .state = std::string(words.substr(dash + 1))};
  }
  if (std::ranges::find(kStates, wait.state) == kStates.end()) {
    return adbproto::fail(Errc::usage, "bad wait-for- state: " +
                                           std::string(name_of(wait.reachable)) + "-" + wait.state);
  }
  return wait;
}

constinit const AdbCommand kAdbWaitFor = {
    "wait-for-", " wait-for[-TRANSPORT]-STATE [SUBCOMMAND]",
    "wait for device, recovery, rescue, sideload, bootloader, any or disconnect", run_wait_for};

}  // namespace clawperator::cli
