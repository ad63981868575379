#include "runtime/android/command_table.hpp"

#include "adbproto/wire/shell_commands.hpp"
#include "runtime/android/log_script.hpp"
#include "runtime/android/shell_lines.hpp"

namespace clawperator {
namespace {

constexpr std::string_view kPackage = "com.clawperator.operator";
// Everything that a shell could stumble over.
constexpr std::string_view kAwkward = "it's \"$HOME\" `id` \\ ; & | * ? ~ {a,b} #x !! (y) <z>";
const std::string kBootId = "2f0a7c1e-5d0c-4f6a-9a3b-0123456789ab";

// A service command is sent as a line on the rungs cmd and am.
void add_service(std::vector<CommandSample>& samples, std::string_view builder,
                 AndroidService service, const Words& words) {
  for (const Rung rung : {Rung::cmd, Rung::am}) {
    samples.push_back({builder, service_line(rung, service, words)});
  }
}

void add_service_commands(std::vector<CommandSample>& samples) {
  add_service(
      samples, "broadcast_words", AndroidService::activity,
      broadcast_words({"app.clawperator.operator.ACTION_AGENT_COMMAND", std::string(kPackage),
                       "{\"text\":\"" + std::string(kAwkward) + "\"}"}));
  add_service(samples, "force_stop_words", AndroidService::activity,
              force_stop_words(std::string(kPackage)));
  add_service(samples, "current_user_words", AndroidService::activity, current_user_words());
  add_service(samples, "list_packages_words", AndroidService::package,
              list_packages_words(0, kPackage));
}

void add_shell_lines(std::vector<CommandSample>& samples) {
  samples.push_back({"log_script", log_script({})});
  samples.push_back({"log_script", log_script({kBootId, std::string(kAwkward), 33})});
  samples.push_back({"identity_line", identity_line()});
  samples.push_back({"product_line", product_line()});
  samples.push_back({"screencap_line", screencap_line(ScreencapForm::png, {})});
  samples.push_back({"screencap_line", screencap_line(ScreencapForm::raw, "4619827259835644672")});
  samples.push_back({"displays_line", displays_line()});
}

void add_file_commands(std::vector<CommandSample>& samples) {
  const std::string file = "/data/local/tmp/" + std::string(kAwkward);
  samples.push_back(
      {"make_folders_command", adbproto::make_folders_command({{file, "/sdcard/x"}})});
  samples.push_back({"remove_file_command", adbproto::remove_file_command(file)});
  samples.push_back({"install_command", adbproto::install_command({{"-r"}}, file)});
}

}  // namespace

std::vector<CommandSample> command_samples() {
  std::vector<CommandSample> samples;
  add_service_commands(samples);
  add_shell_lines(samples);
  add_file_commands(samples);
  return samples;
}

}  // namespace clawperator
