#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <random>

#include "adbproto/client/discovery.hpp"
#include "adbproto/client/pairing.hpp"
#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/system/environment.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/pretty/qr_code.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "runtime/device/discovery/announced.hpp"

namespace clawperator::cli {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kPairUsage = "pair <host:port> [<code>]";
constexpr double kPairLimit = 15'000;   // TCP sends its first packet again after 1, 3 and 7 s
constexpr double kScanLimit = 120'000;  // a person opens the phone's settings and finds the scanner
constexpr double kLongestLimit = 24 * 3600'000.0;  // a day; an infinite number must stay in range

constexpr std::array kPairOptions{
    Option{"--qr", "", Arity::none, "", "show a QR code for the phone to scan"},
};

// The content of the QR code: the phone announces itself as `instance` and expects `code`.
struct Invitation {
  std::string instance;
  std::string code;

  [[nodiscard]] std::string text() const {
    return "WIFI:T:ADB;S:" + instance + ";P:" + code + ";;";
  }
};

struct Pairable {
  DeviceAddress address;
  std::string code;
};

struct PairedDevice {
  DeviceAddress address;
  std::string guid;
};

std::string random_word(std::size_t size) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  std::uniform_int_distribution<std::size_t> letter(0, kLetters.size() - 1);
  std::string word(size, '\0');
  std::ranges::generate(word, [&] { return kLetters[letter(random)]; });
  return word;
}

Result<milliseconds> limit_of(const Invocation& invocation, double otherwise) {
  TRY(const double limit, finite_timeout_or(invocation.globals, otherwise));
  return milliseconds(static_cast<std::int64_t>(std::clamp(limit, 0.0, kLongestLimit)));
}

// The phone chooses a new port for every dialog, so there is no default.
Result<DeviceAddress> read_address(const std::string& text) {
  TRY(DeviceAddress address, adbproto::parse_device_address(text));
  if (text.ends_with(":" + std::to_string(address.port))) return address;
  return missing_argument("pair requires the port that the phone shows beside its address.",
                          kPairUsage);
}

Result<std::string> prompt_for_code() {
  if (::isatty(STDIN_FILENO) == 0) {
    return missing_argument("pair requires the code that the phone shows.", kPairUsage);
  }
  write_all(Stream::err, "Enter pairing code: ");
  std::string code;
  std::getline(std::cin, code);
  const auto end = code.find_last_not_of(" \t\r");
  code.resize(end == code.npos ? 0 : end + 1);
  code.erase(0, code.find_first_not_of(" \t"));
  if (code.empty()) return missing_argument("No code was entered.", kPairUsage);
  return code;
}

Result<Pairable> read_pairable(const Arguments& arguments) {
  const auto& words = arguments.positionals();
  if (words.empty() || is_blank(words[0])) {
    return missing_argument("pair requires an address.", kPairUsage);
  }
  if (words.size() > 2) return fail(errc::usage, "pair takes only an address and a code");
  TRY(DeviceAddress address, read_address(words[0]));
  if (words.size() > 1 && !is_blank(words[1])) return Pairable{std::move(address), words[1]};
  TRY(std::string code, prompt_for_code());
  return Pairable{std::move(address), std::move(code)};
}

Task<PairedDevice> pair(Pairable with, milliseconds limit) {
  CO_TRY(auto keys, adbproto::load_keys(environment_variable));
  CO_TRY(auto paired, co_await adbproto::pair_device(with.address, std::move(with.code),
                                                     std::move(keys), limit));
  // The phone already knows our key; adb uses the list only to reconnect by itself.
  const auto kept = co_await adbproto::add_known_host(environment_variable, paired.guid);
  if (!kept) print_warning("[clawperator] " + kept.error().message());
  if (kept && !kept->empty()) {
    print_warning("[clawperator] the list of paired phones was damaged; it is ~/.android/" + *kept +
                  " now");
  }
  co_return PairedDevice{std::move(with.address), std::move(paired.guid)};
}

Task<DeviceAddress> await_phone(DiscoveryOptions options, std::string instance) {
  CO_TRY(const auto discovery, co_await adbproto::Discovery::start(std::move(options)));
  for (;;) {
    const auto found =
        last_announced(discovery->services(), instance, adbproto::AdbService::tls_pairing);
    if (found) co_return DeviceAddress{found->host, found->port};
    CO_TRY_VOID(co_await discovery->wait_change());
  }
}

Task<PairedDevice> pair_scanned(Invitation invitation, milliseconds limit) {
  CO_TRY(auto address,
         co_await with_deadline(
             await_phone(adbproto::discovery_options(environment_variable), invitation.instance),
             limit, "waiting for a phone to scan the code"));
  co_return co_await pair({std::move(address), std::move(invitation.code)},
                          milliseconds(static_cast<std::int64_t>(kPairLimit)));
}

Result<void> show(const Invitation& invitation) {
  const Ink ink = ::isatty(STDERR_FILENO) != 0 ? Ink::terminal : Ink::plain;
  TRY(const std::string picture, draw_qr_code(invitation.text(), ink));
  write_all(Stream::err, picture +
                             "Scan this on the phone: Developer options, Wireless debugging, Pair "
                             "device with QR code.\nIts text: " +
                             invitation.text() + "\n");
  return ok();
}

Result<PairedDevice> pair_by_qr(const Invocation& invocation) {
  if (!invocation.arguments.positionals().empty()) {
    return fail(errc::usage, "pair --qr takes no address; the phone announces its own");
  }
  TRY(const milliseconds limit, limit_of(invocation, kScanLimit));
  if (adbproto::discovery_options(environment_variable).group.empty()) {
    return fail(errc::unsupported, "pair --qr requires mDNS; ADB_MDNS=0 turns it off");
  }
  Invitation invitation{"studio-" + random_word(10), random_word(12)};
  TRY_VOID(show(invitation));
  return run_task(pair_scanned(std::move(invitation), limit));
}

Result<PairedDevice> pair_by_code(const Invocation& invocation) {
  TRY(const milliseconds limit, limit_of(invocation, kPairLimit));
  TRY(Pairable with, read_pairable(invocation.arguments));
  return run_task(pair(std::move(with), limit));
}

Result<Answer> run_pair(const Invocation& invocation) {
  TRY(const PairedDevice device,
      invocation.arguments.has("--qr") ? pair_by_qr(invocation) : pair_by_code(invocation));
  const std::string address = device.address.to_string();
  JsonObject json;
  json.boolean("ok", true).text("address", address).text("guid", device.guid);
  return Answer{
      .json = json.str(),
      .text = "Successfully paired to " + address + " [guid=" + printable(device.guid) + "]"};
}

}  // namespace

constinit const Command kPair = {.name = "pair",
                                 .usage = "<host:port> [<code>] | --qr",
                                 .summary = "Pair this computer with a phone's wireless debugging",
                                 .details =
                                     "The phone shows address and code under Wireless debugging, "
                                     "Pair device with pairing code. Without\n"
                                     "a code the command asks for it on the terminal. With --qr "
                                     "the phone scans a code from this\n"
                                     "terminal (--timeout waits, default 120 s). No adb is needed; "
                                     "the key is the one that adb uses.",
                                 .examples = "pair 192.168.1.20:37123 592781\npair --qr\n",
                                 .reach = Reach::host,
                                 .options = kPairOptions,
                                 .run = run_pair,
                                 .most_words = 2};

}  // namespace clawperator::cli
