#include "runtime/engine/channel.hpp"

#include <algorithm>
#include <charconv>

#include "adbproto/client/shell.hpp"
#include "adbproto/wire/errc.hpp"
#include "adbproto/wire/services.hpp"
#include "adbproto/wire/shell_commands.hpp"
#include "base/text.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/engine/errc.hpp"

namespace clawperator {

namespace {

// Linux takes 131071 bytes as one argument of `sh -c`.
constexpr std::size_t kMaxArgument = 100'000;

CommandOutput output_of(ShellOutput output) {
  return {output.exit_status.value_or(0), std::move(output.out), std::move(output.err)};
}

// adbd runs abb inside its own process, so there is no exit status: the packet that should carry it
// always contains 1. Only text on stderr means a failure.
CommandOutput output_of_abb(ShellOutput output) {
  const int status = trimmed(output.err).empty() ? 0 : 1;
  return {status, std::move(output.out), std::move(output.err)};
}

// Cuts off the status that the legacy shell's line prints after the command's own output.
Result<CommandOutput> cut_status(ShellOutput whole) {
  const std::string printed = std::move(whole.out);
  CommandOutput output;
  output.err = std::move(whole.err);
  const auto at = printed.rfind(kStatusMark);
  const std::string_view number =
      at == std::string::npos ? std::string_view{}
                              : trimmed(std::string_view(printed).substr(at + kStatusMark.size()));
  const char* const end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, output.exit_status);
  // Without its line break the number may be cut.
  if (error != std::errc{} || stop != end || !printed.ends_with('\n')) {
    return fail(errc::protocol,
                "command ended without its status: " + std::string(trimmed(printed)));
  }
  output.out = printed.substr(0, at);
  return output;
}

Task<ShellOutput> write_and_read(Device* device, std::string script) {
  using adbproto::ShellId;
  CO_TRY(auto stream, co_await device->open(adbproto::shell_v2_raw("sh")));
  script += '\n';
  CO_TRY_VOID(
      co_await stream->write_all(encode_shell_packet(ShellId::standard_in, as_bytes(script))));
  CO_TRY_VOID(co_await stream->write_all(encode_shell_packet(ShellId::close_stdin, {})));
  co_return co_await adbproto::read_shell_output(stream.get(), Framing::shell_v2);
}

}  // namespace

std::string CommandOutput::text() const {
  std::string said = err;
  [[maybe_unused]] const auto warnings = adbproto::take_linker_warnings(&said);
  const std::string_view from_err = trimmed(said);
  return std::string(from_err.empty() ? trimmed(out) : from_err);
}

Task<CommandOutput> run_script(Device* device, std::string script,
                               std::chrono::milliseconds deadline) {
  if (!device->features().has("shell_v2") || script.size() + 1 > adbproto::kMaxShellPayload) {
    co_return fail(errc::payload_too_large, "command of " + std::to_string(script.size()) +
                                                " bytes does not fit this device's shell");
  }
  CO_TRY(auto output, co_await with_deadline(write_and_read(device, std::move(script)), deadline,
                                             "device shell"));
  co_return output_of(std::move(output));
}

Task<CommandOutput> run_command_line(Device* device, std::string line,
                                     std::chrono::milliseconds deadline) {
  if (!device->features().has("shell_v2")) {
    std::string name = adbproto::shell_v1(status_line(line));
    if (name.size() > device->max_service_size()) {
      co_return fail(errc::payload_too_large, "command of " + std::to_string(line.size()) +
                                                  " bytes does not fit this device's shell");
    }
    CO_TRY(auto output,
           co_await adbproto::run_service(device, std::move(name), Framing::raw, deadline));
    co_return cut_status(std::move(output));
  }
  std::string name = adbproto::shell_v2_raw(line);
  if (name.size() > device->max_service_size() || line.size() > kMaxArgument) {
    co_return co_await run_script(device, std::move(line), deadline);
  }
  CO_TRY(auto output,
         co_await adbproto::run_service(device, std::move(name), Framing::shell_v2, deadline));
  co_return output_of(std::move(output));
}

CommandChannel::CommandChannel(Device* device, Rungs rungs) : device_(device), rungs_(rungs) {}

Rung CommandChannel::first_rung(AndroidService service) const {
  if (const auto proved = rungs_.of(service)) return *proved;
  if (device_->features().has("abb")) return Rung::abb;
  return device_->features().has("shell_v2") ? Rung::cmd : Rung::legacy_shell;
}

Task<CommandOutput> CommandChannel::run_on(Rung rung, AndroidService service,
                                           std::vector<std::string> arguments,
                                           std::chrono::milliseconds deadline, Wrap wrap) {
  if (rung == Rung::abb) {
    const auto words = abb_words(service, arguments);
    std::string name = words ? adbproto::abb(*words) : std::string();
    if (words && name.size() <= device_->max_service_size()) {
      CO_TRY(auto output,
             co_await adbproto::run_service(device_, std::move(name), Framing::shell_v2, deadline));
      co_return output_of_abb(std::move(output));
    }
    rung = Rung::cmd;
  }
  std::string line = service_line(rung, service, arguments);
  if (wrap) line = wrap(std::move(line));
  co_return co_await run_command_line(device_, std::move(line), deadline);
}

namespace {

// The next rung worth trying on this device.
std::optional<Rung> below(Rung rung, const adbproto::FeatureSet& features) {
  if (rung == Rung::legacy_shell) return std::nullopt;
  if (!features.has("shell_v2")) return Rung::legacy_shell;
  if (rung == Rung::abb) return Rung::cmd;
  return rung == Rung::cmd ? std::optional(Rung::am) : std::nullopt;
}

// Whether the result of a side-effect-free command means that this rung does not work here. Daemons
// without a binder close abb's stream without a status.
bool unusable(Rung rung, const Result<CommandOutput>& output) {
  if (output) return output->exit_status != 0;
  const Errc code = output.error().code();
  return code == errc::refused || (code == errc::closed && rung == Rung::abb);
}

// Android 7 has `cmd activity` with hardly any command in it. A service without commands prints so
// with status 0, as `cmd input` before Android 12.
bool is_unknown_command(const CommandOutput& output) {
  const std::string text = output.text();
  return text.starts_with("No shell command implementation") ||
         (output.exit_status != 0 && text.starts_with("Unknown command"));
}

bool did_not_begin(const Result<CommandOutput>& output) {
  if (output) return is_unknown_command(*output);
  return output.error().code() == errc::refused && !names_lost_link(output.error());
}

Error link_error(const Error& error) {
  if (names_lost_link(error)) return {errc::link_lost, error.message()};
  if (error.code() != errc::closed && error.code() != errc::io) return error;
  return {errc::link_lost, "the link to the device ended in the middle of a command"};
}

}  // namespace

bool is_link_error(const Error& error) {
  const Errc code = error.code();
  return code == errc::link_lost || code == errc::closed || code == errc::io ||
         names_lost_link(error);
}

bool names_lost_link(const Error& error) {
  if (error.code() != errc::refused) return false;
  constexpr std::string_view kTexts[] = {"device offline", "no device with transport id",
                                         "device still ", "no devices/emulators found"};
  const std::string& text = error.message();
  const bool unknown = text.starts_with("device '") && text.ends_with("not found");
  return unknown || std::ranges::any_of(kTexts, [&](std::string_view known) {
           return text.find(known) != std::string::npos;
         });
}

Task<CommandOutput> CommandChannel::probe(AndroidService service,
                                          std::vector<std::string> arguments,
                                          std::chrono::milliseconds deadline) {
  std::optional<Rung> rung = first_rung(service);
  std::string last_text;
  for (; rung; rung = below(*rung, device_->features())) {
    auto output = co_await run_on(*rung, service, arguments, deadline);
    has_run_ = has_run_ || output.has_value();
    const bool lost = !output && names_lost_link(output.error());
    if (lost || !unusable(*rung, output)) {
      if (!output) co_return std::unexpected(link_error(output.error()));
      rungs_.set(service, rung);
      co_return output;
    }
    last_text = output ? output->text() : output.error().message();
  }
  co_return fail(errc::device_shell_unavailable,
                 "device runs no " + std::string(service_name(service)) + " command: " + last_text);
}

Task<CommandOutput> CommandChannel::run(AndroidService service, std::vector<std::string> arguments,
                                        std::chrono::milliseconds deadline, Wrap wrap) {
  std::optional<Rung> rung = first_rung(service);
  if (wrap && rung == Rung::abb) rung = Rung::cmd;
  for (;;) {
    auto output = co_await run_on(*rung, service, arguments, deadline, wrap);
    const auto next = did_not_begin(output) ? below(*rung, device_->features()) : std::nullopt;
    if (next) {
      rung = next;
      continue;
    }
    if (!output) co_return std::unexpected(link_error(output.error()));
    co_return output;
  }
}

}  // namespace clawperator
