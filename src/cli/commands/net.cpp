#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/grammar/command_table.hpp"
#include "cli/limited_task.hpp"
#include "runtime/host/verbs/system.hpp"

namespace clawperator::cli {
namespace {

PhoneNetwork network_of(std::string_view word) {
  if (word == "airplane") return PhoneNetwork::airplane;
  return word == "wifi" ? PhoneNetwork::wifi : PhoneNetwork::data;
}

Result<Answer> run_net(const Invocation& invocation) {
  const std::string name(invocation.command->name);
  const auto& words = invocation.arguments.positionals();
  if (words.empty()) return missing_argument(name + " requires on or off.", name + " on|off");
  if (words.front() != "on" && words.front() != "off") {
    return validation_error(name + " must be on or off");
  }
  const std::string_view network = second_word(*invocation.command);
  const NetworkSwitch wanted{network_of(network), words.front() == "on"};
  TRY(const auto done, do_on_device<ReadBack>(invocation.globals, name, [wanted](auto* device) {
        return switch_network(device, wanted);
      }));
  JsonObject json = verb_answer(done.device_id, done.value);
  json.text("network", network).boolean("on", wanted.on);
  return Answer{json.str(), {}, {}, 0};
}

constexpr Command net_command(std::string_view name, std::string_view summary,
                              std::string_view details, std::string_view examples) {
  return {.name = name,
          .usage = "on|off",
          .summary = summary,
          .details = details,
          .examples = examples,
          .run = run_net,
          .most_words = 1};
}
constexpr std::string_view kNetDetails =
    "The phone's setting confirms the change. On Android 7 to 16.";
constinit const Command kNetAirplane = net_command(
    "net airplane", "Switch airplane mode",
    "The phone's setting confirms the change. On Android 10 to 16; older shells may not do it.",
    "net airplane on\n");
constinit const Command kNetWifi =
    net_command("net wifi", "Switch Wi-Fi", kNetDetails, "net wifi off\n");
constinit const Command kNetData =
    net_command("net data", "Switch mobile data", kNetDetails, "net data on\n");

constexpr std::array<const Command*, 3> kNetSubcommands{&kNetAirplane, &kNetWifi, &kNetData};

}  // namespace

constinit const Command kNet = {
    .name = "net",
    .usage = "airplane|wifi|data on|off",
    .summary = "Switch the phone's networks on or off",
    .details = "A change that would cut the connection to the phone is refused with LINK_AT_RISK.",
    .examples = "net wifi off\nnet airplane on\n",
    .subcommands = kNetSubcommands};

}  // namespace clawperator::cli
