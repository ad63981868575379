#include "cli/adb/wait_for.hpp"

#include <algorithm>

#include "cli/adb/context.hpp"

namespace clawperator::cli {
namespace {

// Each poll queries every source; a person does not notice a quarter of a second.
constexpr auto kWaitPollInterval = std::chrono::milliseconds(250);
constexpr std::array<std::string_view, 7> kStates = {
    "device", "recovery", "rescue", "sideload", "bootloader", "any", "disconnect"};

constexpr std::array<std::string_view, 3> kTransports = {"any", "usb", "local"};  // by Reachable

std::optional<Reachable> transport_named(std::string_view word) {
  const auto* const at = std::ranges::find(kTransports, word);
  if (at == kTransports.end()) return std::nullopt;
  return static_cast<Reachable>(at - kTransports.begin());
}

// An address that is in no list is dialled.
Task<std::vector<DeviceRow>> list_directly(AdbContext context) {
  CO_TRY(auto rows, co_await own_rows(&context, Detail::states));
  const auto& named = context.target.device;
  CO_TRY(const auto listed, chosen_row(context, rows));
  if (listed || !named || !adbproto::is_device_address(*named)) co_return rows;
  if (auto row = co_await choose_row(&context)) rows.push_back(*std::move(row));
  co_return rows;
}

// With a server, only the devices that it lists exist.
Task<std::vector<DeviceRow>> list_devices_once(AdbContext context) {
  CO_TRY(auto server, co_await find_adb_server(&context));
  if (server) co_return co_await server_rows(&*server);
  co_return co_await list_directly(std::move(context));
}

Task<void> wait_until_over(AdbContext context, Wait wait) {
  context.target.reachable = wait.reachable;
  for (;;) {
    CO_TRY(const auto rows, co_await list_devices_once(context));
    CO_TRY(const bool over, is_over(context, wait, rows));
    if (over) co_return ok();
    co_await sleep_for(kWaitPollInterval);
  }
}

}  // namespace

// `words`: the text after "wait-for-", then optionally a subcommand to run afterwards.
Task<int> adb_wait_for(AdbContext* context, AdbWords words) {
  const auto wait = parse_wait(words.front(), context->target.reachable);
  if (!wait) co_return query_failed(wait.error());
  const auto waited = co_await wait_until_over(*context, *wait);
  if (!waited) co_return query_failed(waited.error());
  if (words.size() == 1) co_return 0;
  co_return co_await run_subcommand(context, words[1], AdbWords(words.begin() + 2, words.end()));
}

Result<Wait> parse_wait(std::string_view words, Reachable standard) {
  if (transport_named(words)) return fail(errc::usage, "short wait-for-: " + std::string(words));
  Wait wait{.reachable = standard};
  std::string_view states = words;
  if (const auto named = transport_named(words.substr(0, words.find('-')))) {
    wait.reachable = *named;
    states.remove_prefix(words.find('-') + 1);
  }
  for (std::size_t at = 0; at <= states.size();) {
    const std::size_t end = std::min(states.find('-', at), states.size());
    const std::string_view state = states.substr(at, end - at);
    if (std::ranges::find(kStates, state) == kStates.end()) {
      const auto transport = kTransports[static_cast<std::size_t>(wait.reachable)];
      return fail(errc::usage,
                  "bad wait-for- state: " + std::string(transport) + "-" + std::string(states));
    }
    wait.states.emplace_back(state);
    at = end + 1;
  }
  return wait;
}

Result<bool> is_over(const AdbContext& context, const Wait& wait,
                     const std::vector<DeviceRow>& rows) {
  TRY(const auto chosen, chosen_row(context, rows));
  const bool there = chosen && answers(chosen->state);
  return std::ranges::any_of(wait.states, [&](const std::string& state) {
    if (state == "disconnect") return !there;
    return there && (state == "any" || state == chosen->state.text());
  });
}

}  // namespace clawperator::cli
