#include "runtime/device/identity.hpp"

#include <algorithm>

#include "adbproto/client/shell.hpp"
#include "base/error_members.hpp"
#include "base/text.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/device/errc.hpp"

namespace clawperator {

namespace {

bool is_emulator(std::string_view serialno) { return serialno.starts_with("EMULATOR"); }

std::string name_of(const TrustedPhone& phone) {
  const std::string name =
      phone.serialno.empty() ? "a phone that does not report its identity" : phone.serialno;
  return phone.model.empty() ? name : name + " (" + phone.model + ")";
}

std::string acceptance_hint(const std::string& address) {
  return "if that phone is meant: `clawperator known forget " + address +
         "`, or this command once more with --accept-new. Mostly a phone was replaced, or the "
         "address went to another one.";
}

}  // namespace

bool is_shared_serialno(std::string_view serialno) {
  constexpr std::array<std::string_view, 3> kCommon = {"unknown", "0123456789ABCDEF",
                                                       "0123456789abcdef"};
  return serialno.empty() || is_emulator(serialno) ||
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
    const bool is_comparable = !before.boot_id.empty() && !now.boot_id.empty();
    return !is_shared_serialno(now.serialno) || !is_comparable || before.boot_id == now.boot_id;
  }
  if (before.serialno.empty() && before.boot_id.empty()) return true;
  return !before.boot_id.empty() && before.boot_id == now.boot_id;
}

bool is_same_phone(const TrustedPhone& before, const TrustedPhone& now) {
  if (before.tls && !now.tls) return false;
  if (before.serialno.empty()) return true;
  if (is_emulator(before.serialno)) return is_emulator(now.serialno);
  if (before.serialno != now.serialno) return false;
  const bool is_comparable =
      is_shared_serialno(now.serialno) && !before.model.empty() && !now.model.empty();
  return !is_comparable || before.model == now.model;
}

TrustedPhone learned(TrustedPhone before, const TrustedPhone& now) {
  if (!now.serialno.empty()) before.serialno = now.serialno;
  if (!now.model.empty()) before.model = now.model;
  before.tls = before.tls || now.tls;
  return before;
}

Error phone_changed(const TrustedPhone& before, const TrustedPhone& now) {
  const bool lacks_tls = before.tls && !now.tls;
  ErrorMembers details;
  details.text("deviceId", before.address).text("expected", before.serialno);
  if (!now.serialno.empty()) details.text("found", now.serialno);
  if (lacks_tls) details.boolean("asksForTls", false);
  std::string found = name_of(now);
  if (lacks_tls) found = now.serialno.empty() ? "one without TLS" : found + ", without TLS,";
  // Without a serial number it may be the same phone.
  const char* const answers = now.serialno.empty() ? "may answer" : "answers";
  return {errc::device_identity_changed,
          std::string("another phone ") + answers + " as " + before.address + ": " + found +
              " instead of " + name_of(before) + (lacks_tls ? " with TLS" : "") +
              "; nothing was done there",
          hint_and_details(acceptance_hint(before.address), details)};
}

Identity parse_identity(std::string_view text) {
  Identity identity;
  identity.serialno = take_line(&text);
  identity.boot_id = take_line(&text);
  return identity;
}

Task<Identity> read_identity(adbproto::Device* device, std::chrono::milliseconds limit) {
  const auto output = co_await adbproto::run_shell(device, identity_line(), limit);
  if (output) co_return parse_identity(output->out);
  if (output.error().code() == errc::refused) co_return Identity{};
  co_return std::unexpected(output.error());
}

Error identity_changed(const std::string& serial, Transport transport, const Identity& before,
                       const Identity& now) {
  ErrorMembers members;
  members.text("hint",
               transport == Transport::tcp
                   ? acceptance_hint(serial)
                   : "if that is intended: restart the clawperator process that reports this");
  members.object("details", ErrorMembers()
                                .text("deviceId", serial)
                                .text("expected", before.serialno)
                                .text("found", now.serialno));
  return {errc::device_identity_changed,
          "another phone answers as " + serial + ": " +
              (now.serialno.empty() ? "it does not report its identity" : now.serialno) +
              " instead of " +
              (before.serialno.empty() ? "boot " + before.boot_id : before.serialno),
          members.str()};
}

}  // namespace clawperator
