#include "adbproto/wire/errc.hpp"
#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/run_task.hpp"
#include "runtime/device/known_phones.hpp"

namespace clawperator::cli {
namespace {

Result<Answer> run_known_list(const Invocation& invocation) {
  TRY(const KnownPhones known, read_known_phones(invocation.globals.target.on_notice));
  std::vector<std::vector<std::string>> rows;
  rows.reserve(known.entries.size());
  for (const TrustedPhone& phone : known.entries) {
    rows.push_back({printable_name(phone.address),
                    phone.serialno.empty() ? "no serial number" : phone.serialno, phone.model,
                    phone.tls ? "tls" : "plain"});
  }
  return Answer{.json = to_json(known), .text = rows.empty() ? "No phones.\n" : table(rows)};
}

Result<Answer> run_known_forget(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  const bool all = invocation.arguments.has("--all");
  if (all != words.empty() || (!all && is_blank(words.front()))) {
    return missing_argument("known forget requires an address, or --all.",
                            "known forget <host:port|name>|--all");
  }
  std::optional<std::string> address;
  if (!all) {
    TRY(address, target_name(words.front()));
  }
  const auto& on_notice = invocation.globals.target.on_notice;
  TRY(const auto forgotten, run_task(forget_phones(address, on_notice)));
  if (forgotten.empty() && address) {
    return fail(errc::device_not_found, "no phone is known at " + *address);
  }
  std::string text;
  for (const std::string& name : forgotten) text += "forgot " + printable_name(name) + "\n";
  return Answer{.json = JsonObject().boolean("ok", true).strings("forgotten", forgotten).str(),
                .text = text.empty() ? "No phones.\n" : text};
}

constexpr std::array kForgetOptions{
    Option{"--all", "", Arity::none, "", "forget all phones"},
};

constinit const Command kKnownList = {.name = "known list",
                                      .usage = "",
                                      .summary = "List the remembered phones and their addresses",
                                      .examples = "known list\nknown list --output pretty\n",
                                      .reach = Reach::host,
                                      .run = run_known_list};
constinit const Command kKnownForget = {
    .name = "known forget",
    .usage = "<host:port|name>|--all",
    .summary = "Forget the phone at an address; the next one there is remembered",
    .examples = "known forget 192.168.1.20:5555\n",
    .reach = Reach::host,
    .options = kForgetOptions,
    .run = run_known_forget,
    .most_words = 1};

constexpr std::array<const Command*, 2> kKnownCommands{&kKnownList, &kKnownForget};

}  // namespace

constinit const Command kKnown = {
    .name = "known",
    .usage = "list|forget",
    .summary = "The phones that are remembered by their addresses",
    .details =
        "The first phone that answers at a dialled address is remembered by its ro.serialno and\n"
        "by whether it requires TLS, in ~/.clawperator/known_phones.json. Another phone at that\n"
        "address is DEVICE_IDENTITY_CHANGED, and nothing is done there until it is forgotten\n"
        "here or a command has --accept-new. Phones on USB and those of an adb server are not\n"
        "included.",
    .examples = "known list\nknown forget 192.168.1.20:5555\n",
    .reach = Reach::host,
    .subcommands = kKnownCommands};

}  // namespace clawperator::cli
