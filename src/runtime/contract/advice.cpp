#include "runtime/contract/advice.hpp"

#include "adbproto/wire/services.hpp"
#include "base/hints.hpp"
#include "runtime/contract/operator_app.hpp"

namespace clawperator {

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/@%+=,-";
  const bool plain = !text.empty() && text.find_first_not_of(kPlain) == text.npos;
  return plain ? text : adbproto::quote_for_shell(text);
}

std::string target_flags(const std::string& operator_package, const std::string& device_id) {
  std::string flags;
  if (!device_id.empty()) flags += " --device " + shell_word(device_id);
  if (operator_package != kReleaseOperatorPackage) {
    flags += " --operator-package " + shell_word(operator_package);
  }
  return flags;
}

std::string default_apk_path(std::string_view operator_package) {
  const bool debug = is_debug_variant(operator_package);
  return std::string("~/.clawperator/downloads/") + (debug ? "operator-debug.apk" : "operator.apk");
}

std::string setup_command(const std::string& operator_package, const std::string& device_id) {
  return "clawperator operator setup --apk " + default_apk_path(operator_package) +
         target_flags(operator_package, device_id);
}

std::string absent_app_hint(const std::string& device_id) {
  return "List the packages: clawperator packages list" +
         target_flags(std::string(kReleaseOperatorPackage), device_id);
}

std::string closed_shell_hint(const std::string& operator_package, const std::string& device_id) {
  return "is it a phone in its normal mode, with USB debugging on? `clawperator doctor" +
         target_flags(operator_package, device_id) + "` shows the cause";
}

std::string wrong_variant_hint(const std::string& operator_package, const std::string& device_id) {
  return hints::other_app.with({shell_word(alternate_variant(operator_package))}) +
         "install it with: " + setup_command(operator_package, device_id);
}

std::string silent_operator_hint(const std::string& operator_package,
                                 const std::string& device_id) {
  return "The broadcast was sent, but no log line of the Operator names this command. The APK may "
         "not fit this version, or its accessibility service may be off. Run: clawperator doctor "
         "--json --device " +
         shell_word(device_id) + " --operator-package " + shell_word(operator_package);
}

std::string busy_operator_hint(std::span<const std::string> others) {
  std::string hint =
      "The Operator app carries out one command at a time, and this one waited in its line";
  for (std::size_t i = 0; i < others.size(); ++i) {
    hint += (i == 0 ? " behind " : ", ") + shell_word(others[i]);
  }
  return hint +
         ". It is another program's, or an earlier one that still runs: wait, stop the other "
         "program, or " +
         hints::longer_timeout.with() + ".";
}

std::string unfinished_result_hint() {
  return "The Operator app ran the command and did not finish writing its result to the log. Look "
         "at the screen before you send the command again; " +
         hints::longer_timeout.with() + ".";
}

std::string missing_service_hint(const std::string& operator_package,
                                 const std::string& device_id) {
  return "Run `clawperator doctor --fix" + target_flags(operator_package, device_id) +
         "`, or reinstall it with `" + setup_command(operator_package, device_id) + "`.";
}

std::string missing_hierarchy_hint() {
  return "Check that the Operator APK and clawperator are compatible (clawperator version "
         "--check-compat) and that the device's log is not dropping lines.";
}

}  // namespace clawperator
