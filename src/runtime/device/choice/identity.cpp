#include "runtime/device/choice/identity.hpp"

#include <algorithm>

#include "adbproto/client/shell.hpp"
#include "base/text.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"

namespace clawperator {

namespace {

constexpr auto kLimit = std::chrono::milliseconds(2000);

}  // namespace

bool is_shared_serialno(std::string_view serialno) {
  constexpr std::array<std::string_view, 3> kCommon = {"unknown", "0123456789ABCDEF",
                                                       "0123456789abcdef"};
  return serialno.empty() || serialno.starts_with("EMULATOR") ||
         std::ranges::find(kCommon, serialno) != kCommon.end();
}

Identity updated(Identity before, const Identity& now) {
  if (!now.serialno.empty()) before.serialno = now.serialno;
  if (!now.boot_id.empty()) before.boot_id = now.boot_id;
  return before;
}

bool is_same_phone(const Identity& before, const Identity& now) {
  if (!before.serialno.empty() && !now.serialno.empty()) {
    if (before.serialno != now.serialno) return false;
    const bool tells = !before.boot_id.empty() && !now.boot_id.empty();
    return !is_shared_serialno(now.serialno) || !tells || before.boot_id == now.boot_id;
  }
  if (before.serialno.empty() && before.boot_id.empty()) return true;
  return !before.boot_id.empty() && before.boot_id == now.boot_id;
}

Identity parse_identity(std::string_view text) {
  Identity identity;
  identity.serialno = take_line(&text);
  identity.boot_id = take_line(&text);
  return identity;
}

Task<Identity> read_identity(adbproto::Device* device) {
  const auto output = co_await adbproto::run_shell(device, identity_line(), kLimit);
  if (output) co_return parse_identity(output->out);
  if (output.error().code() == errc::refused) co_return Identity{};
  co_return std::unexpected(output.error());
}

Error identity_changed(const std::string& serial, Transport transport, const Identity& before,
                       const Identity& now) {
  ErrorMembers members;
  members.text("hint", transport == Transport::tcp
                           ? "if that is intended: `clawperator disconnect " + serial +
                                 "`, then `clawperator connect " + serial + "`"
                           : "if that is intended: restart the clawperator process that says this");
  members.object("details", ErrorMembers()
                                .text("deviceId", serial)
                                .text("expected", before.serialno)
                                .text("found", now.serialno));
  return {errc::device_identity_changed,
          "another phone answers as " + serial + ": " +
              (now.serialno.empty() ? "it does not say who it is" : now.serialno) + " instead of " +
              (before.serialno.empty() ? "boot " + before.boot_id : before.serialno),
          members.str()};
}

}  // namespace clawperator
