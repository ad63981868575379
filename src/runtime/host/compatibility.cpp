#include "runtime/host/compatibility.hpp"

#include <charconv>

#include "adbproto/wire/services.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_codes.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/contract/operator_package.hpp"
#include "runtime/engine/preflight.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/operator/release.hpp"

namespace clawperator {

namespace {

constexpr std::size_t kMaxVersionText = 256;
constexpr std::size_t kMaxCodeDigits = 18;
constexpr std::string_view kDigits = "0123456789";

// Everything that the judgement is made of.
struct Facts {
  const std::string& package;
  const ProgramVersions& versions;
  const std::optional<std::string>& listing;
  const std::optional<std::string>& dumpsys;
  std::string serial{};
  std::string listing_problem{};

  [[nodiscard]] std::string setup() const { return setup_command(package, serial); }
};

// The decimal number at the front of `text`, which loses it; nullopt when there is none or it does
// not fit.
std::optional<int> take_number(std::string_view& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || text.front() == '-') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool is_suffix(std::string_view text) {
  constexpr std::string_view kLegal =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-.";
  return text.empty() ||
         (text.size() > 1 && text.front() == '-' && text.find_first_not_of(kLegal) == text.npos);
}

void take_version_line(std::string_view line, InstalledVersion& version) {
  constexpr std::string_view kName = "versionName=";
  constexpr std::string_view kCode = "versionCode=";
  if (line.starts_with(kName) && !version.name && line.size() > kName.size()) {
    version.name = std::string(line.substr(kName.size(), kMaxVersionText));
  }
  if (line.starts_with(kCode) && !version.code) {
    line.remove_prefix(kCode.size());
    const auto digits = line.substr(0, line.find_first_not_of(kDigits));
    if (!digits.empty() && digits.size() <= kMaxCodeDigits) version.code = std::string(digits);
  }
}

// The release's own number: what the download is named by.
std::string release_number(std::string_view version) {
  const auto parsed = parse_version(version);
  if (!parsed) return std::string(version);
  return std::to_string(parsed->major) + "." + std::to_string(parsed->minor) + "." +
         std::to_string(parsed->patch);
}

// How a person gets the right app onto the device.
std::vector<std::string> install_steps(const Facts& facts) {
  const std::string number = release_number(facts.versions.apk_compat);
  const OperatorRelease release = release_of(number, kMetadataUrl);
  if (facts.package.ends_with(".dev")) {
    return {"Build the debug APK of version " + number + " from its source checkout",
            "Install it: " + facts.setup()};
  }
  return {"Download the matching APK: " + release.apk_url,
          "Download the checksum: " + release.checksum_url,
          "Verify the checksum: sha256sum -c " + package_file_name(number) + ".sha256",
          "Or let this do all three: clawperator operator download --version " + number,
          "Install the matching APK: " + facts.setup()};
}

struct Finding {
  Errc code;
  std::string message;
  std::string hint;
  ErrorMembers details{};
  std::vector<std::string> remediation{};
};

Compatibility incompatible(Compatibility report, Finding finding) {
  ErrorMembers members;
  members.text("hint", finding.hint);
  if (!finding.details.empty()) members.object("details", finding.details);
  report.problem = Error(finding.code, std::move(finding.message), members.str());
  report.remediation = std::move(finding.remediation);
  return report;
}

Finding bad_program(const ProgramVersions& versions) {
  return {errc::cli_version_invalid,
          "CLI version " + versions.cli + " (for APK " + versions.apk_compat +
              ") is no version that can be compared.",
          "This build names no Operator version that could be compared.",
          ErrorMembers().text("cliVersion", versions.cli).text("apkCompat", versions.apk_compat),
          {"Reinstall clawperator"}};
}

Finding not_listed(const Facts& facts) {
  return {errc::device_shell_unavailable,
          "Could not query installed packages for " + facts.package + ".",
          "The device's package manager does not answer: reconnect or restart the device.",
          facts.listing_problem.empty() ? ErrorMembers()
                                        : ErrorMembers().text("reason", facts.listing_problem),
          {"See whether the device answers: clawperator packages list" +
               target_flags(std::string(kReleaseOperatorPackage), facts.serial),
           "Reconnect the device, then check again"}};
}

Finding wrong_variant(const Facts& facts) {
  const std::string found = alternate_variant(facts.package);
  return {errc::operator_variant_mismatch,
          "Expected " + facts.package + " but found " + found + ".",
          "Use the installed package, or install the other variant.",
          ErrorMembers().text("installedPackage", found),
          {"Use the installed variant: --operator-package " + shell_word(found),
           "Or install the one that was asked for: " + facts.setup()}};
}

Finding not_installed(const Facts& facts) {
  return {errc::operator_not_installed,
          "Package " + facts.package + " is not installed on the device.",
          "Install the Operator APK, or name the package that is installed.",
          ErrorMembers().text("installCommand", facts.setup()), install_steps(facts)};
}

Finding unreadable(const Facts& facts, std::string message) {
  return {errc::apk_version_unreadable,
          std::move(message),
          "Install the APK again, or look at what the device says of the package.",
          {},
          // Two shells read it: the person's and the device's.
          {"Look at the package: clawperator adb shell dumpsys package " +
               shell_word(shell_word(facts.package)),
           "Install the APK again: " + facts.setup()}};
}

Finding bad_version(const Facts& facts, const std::string& version) {
  return {errc::apk_version_invalid,
          "Installed APK version " + version + " is no version that can be compared.",
          "Install a released Operator APK.",
          {},
          install_steps(facts)};
}

Finding other_version(const Facts& facts, const std::string& version) {
  return {errc::version_incompatible,
          "CLI " + facts.versions.cli + " is not compatible with installed APK " + version + ".",
          "This program is meant for the Operator's version " +
              release_number(facts.versions.apk_compat) + ": major and minor must be the same.",
          ErrorMembers().text("apkCompat", facts.versions.apk_compat).text("apkVersion", version),
          install_steps(facts)};
}

Compatibility judge_version(const Facts& facts, Compatibility report) {
  if (!facts.dumpsys || trimmed(*facts.dumpsys).empty()) {
    return incompatible(std::move(report),
                        unreadable(facts, "The device does not tell the installed version of " +
                                              facts.package + "."));
  }
  const InstalledVersion installed = parse_installed_version(*facts.dumpsys);
  if (!installed.name) {
    return incompatible(
        std::move(report),
        unreadable(facts, "The device's description of " + facts.package + " names no version."));
  }
  report.apk_version = installed.name;
  report.apk_version_code = installed.code;
  const auto apk = parse_version(*installed.name);
  if (!apk) return incompatible(std::move(report), bad_version(facts, *installed.name));
  const auto wanted = parse_version(facts.versions.apk_compat);
  report.compatible = apk->major == wanted->major && apk->minor == wanted->minor;
  if (report.compatible) return report;
  return incompatible(std::move(report), other_version(facts, *installed.name));
}

Compatibility judge(const Facts& facts) {
  Compatibility report;
  report.operator_package = facts.package;
  report.listing_problem = facts.listing_problem;
  if (!parse_version(facts.versions.cli) || !parse_version(facts.versions.apk_compat)) {
    return incompatible(std::move(report), bad_program(facts.versions));
  }
  if (!facts.listing) return incompatible(std::move(report), not_listed(facts));
  const PackageCheck check = find_packages(*facts.listing, facts.package);
  if (check.installed) return judge_version(facts, std::move(report));
  return incompatible(std::move(report),
                      check.alternate_installed ? wrong_variant(facts) : not_installed(facts));
}

}  // namespace

std::optional<Version> parse_version(std::string_view text) {
  std::array<int, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0 && !text.starts_with('.')) return std::nullopt;
    if (i > 0) text.remove_prefix(1);
    const auto number = text.empty() ? std::nullopt : take_number(text);
    if (!number) return std::nullopt;
    numbers[i] = *number;
  }
  if (!is_suffix(text)) return std::nullopt;
  return Version{numbers[0], numbers[1], numbers[2]};
}

InstalledVersion parse_installed_version(std::string_view dumpsys) {
  InstalledVersion version;
  bool hidden = false;
  while (!dumpsys.empty()) {
    const auto end = dumpsys.find('\n');
    const std::string_view line = dumpsys.substr(0, end);
    dumpsys.remove_prefix(end == dumpsys.npos ? dumpsys.size() : end + 1);
    const bool is_section = !line.empty() && trimmed(line.substr(0, 1)) == line.substr(0, 1);
    if (is_section) hidden = line.starts_with("Hidden system packages");
    if (!hidden) take_version_line(trimmed(line), version);
  }
  return version;
}

std::optional<std::int64_t> Compatibility::code() const {
  return apk_version_code ? whole_number<std::int64_t>(*apk_version_code) : std::nullopt;
}

Task<Compatibility> check_compatibility(adbproto::Device* device, std::string operator_package,
                                        ProgramVersions versions) {
  using namespace adbproto::parallel;
  AndroidServices services(device);
  const auto [listed, dumped] =
      co_await (list_matching(&services, package_filter(operator_package)) &&
                run_on_device(device, package_state_line(operator_package)));
  for (const auto* answer : {&listed, &dumped}) {
    if (!*answer && ends_everything(answer->error())) co_return std::unexpected(answer->error());
  }
  const auto listing = listed ? std::optional(listed->out) : std::nullopt;
  const auto dumpsys =
      dumped && dumped->exit_status == 0 ? std::optional(dumped->out) : std::nullopt;
  Facts facts{operator_package, versions, listing, dumpsys, device->serial()};
  if (!listed) facts.listing_problem = one_message(listed.error().message());
  co_return judge(facts);
}

Compatibility judge_compatibility(const std::string& operator_package,
                                  const ProgramVersions& versions,
                                  const std::optional<std::string>& listing,
                                  const std::optional<std::string>& dumpsys) {
  return judge({operator_package, versions, listing, dumpsys});
}

JsonObject versions_json(const Compatibility& compatibility, const ProgramVersions& versions) {
  JsonObject json;
  json.text("cliVersion", versions.cli).text("apkCompat", versions.apk_compat);
  if (compatibility.apk_version) json.text("apkVersion", *compatibility.apk_version);
  if (const auto code = compatibility.code()) json.number("apkVersionCode", *code);
  return json.text("operatorPackage", compatibility.operator_package);
}

std::string to_json(const Compatibility& compatibility, const ProgramVersions& versions) {
  JsonObject json = versions_json(compatibility, versions);
  json.boolean("compatible", compatibility.compatible);
  if (compatibility.problem) json.json("error", to_json(*compatibility.problem));
  if (!compatibility.remediation.empty()) json.strings("remediation", compatibility.remediation);
  return json.str();
}

}  // namespace clawperator
