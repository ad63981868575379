#include <cstdio>

#include "base/error_members.hpp"
#include "base/system/environment.hpp"
#include "cli/adb/transfer.hpp"
#include "cli/commands/commands.hpp"
#include "cli/limited_task.hpp"
#include "cli/output.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/host/operator/compatibility.hpp"
#include "runtime/host/operator/download.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kOperatorDownloadOptions{
    Option{"--latest", "", Arity::none, "", "the latest published version"},
    Option{"--version", "", Arity::one, "<version>",
           "this version; default: the version that this program was built for"},
    Option{"--out", "", Arity::one, "<file>", "store it here instead of ~/.clawperator/downloads"},
    kAcceptNewSigner,
};

constexpr double kMiB = 1024.0 * 1024.0;

std::string package_of(const Globals& globals) {
  return operator_package(globals).value_or(std::string(kReleaseOperatorPackage));
}

Result<void> check_arguments(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  if (!arguments.positionals().empty()) {
    return fail(
        errc::usage,
        "operator download takes no positional argument; give a version by --version <version>");
  }
  if (arguments.has("--latest") && arguments.has("--version")) {
    return fail(errc::usage, "use --latest OR --version, not both");
  }
  const std::string package = package_of(invocation.globals);
  if (is_published_operator(package) && !is_debug_variant(package)) return ok();
  std::string published;
  for (const OperatorFamily& family : operator_families()) {
    published += (published.empty() ? "" : " and ") + std::string(family.package);
  }
  return fail(errc::unsupported,
              "only " + published + " are published; " + package + " comes from your own build.",
              ErrorMembers().text("hint", "Run: " + setup_command(package, "")).str());
}

// The URLs spell the version with a "v": "v0.5.3".
Result<std::optional<std::string>> wanted_version(const Arguments& arguments,
                                                  const std::string& package) {
  if (arguments.has("--latest")) return std::nullopt;
  const std::string* given = arguments.value("--version");
  // The default version is one of the app's older name.
  if (given == nullptr && package != kReleaseOperatorPackage) return std::nullopt;
  if (given == nullptr) return std::string(kApkCompatText);
  std::string version = given->starts_with('v') ? given->substr(1) : *given;
  if (is_release_version(version)) return version;
  return fail(errc::usage, "--version must be a version such as 0.5.3");
}

Result<std::filesystem::path> out_file(const Arguments& arguments) {
  const std::string* given = arguments.value("--out");
  if (given == nullptr) return std::filesystem::path();
  if (given->find_first_not_of(" \t") == given->npos || *given == "-")
    return fail(errc::usage, "--out must be a file");
  return std::filesystem::absolute(*given).lexically_normal();
}

Result<DownloadOptions> read_download_options(const Invocation& invocation) {
  TRY_VOID(check_arguments(invocation));
  DownloadOptions options;
  const std::string package = package_of(invocation.globals);
  options.package = package;
  options.accept_new_signer = invocation.arguments.has(kAcceptNewSigner.name);
  options.metadata_url = family_of(package).metadata_url;
  TRY(options.version, wanted_version(invocation.arguments, package));
  TRY(options.out, out_file(invocation.arguments));
  if (const auto url = environment_variable("CLAWPERATOR_APK_METADATA_URL")) {
    options.metadata_url = *url;
  }
  TRY(const TimeLimit limit, time_limit(invocation.globals));
  options.limits.whole = limit.value_or(options.limits.whole);
  options.folder = state_folder();
  if (options.folder.empty() && options.out.empty()) {
    return fail(errc::file_write_failed, "HOME is not set; name a file with --out.");
  }
  options.folder /= "downloads";
  return options;
}

std::vector<const OperatorFeature*> missing_of(const DownloadReport& report) {
  const auto version = parse_version(report.version);
  return version ? missing_features(*version) : std::vector<const OperatorFeature*>();
}

std::string json_of(const DownloadReport& report) {
  JsonObject json;
  json.boolean("ok", true).text("version", report.version).text("path", report.path.string());
  if (!report.default_path.empty()) json.text("defaultPath", report.default_path.string());
  json.text("url", report.url).text("sha256", report.sha256);
  json.number("bytes", static_cast<std::int64_t>(report.bytes));
  json.boolean("resumed", report.resumed).boolean("alreadyPresent", report.already_present);
  const auto missing = missing_of(report);
  if (!missing.empty()) json.json("missing", missing_json(missing));
  return json.str();
}

std::string text_of(const DownloadReport& report) {
  std::array<char, 32> size{};
  std::snprintf(size.data(), size.size(), "%.1f MiB", static_cast<double>(report.bytes) / kMiB);
  return "Operator " + report.version + ": " + report.path.string() + "  " + size.data() +
         (report.already_present ? ", already present" : "") + "\nsha256: " + report.sha256 + "\n" +
         missing_for_people(missing_of(report)) +
         "Install it with: clawperator operator setup --apk " + shell_word(report.path.string()) +
         "\n";
}

Result<Answer> run_download(const Invocation& invocation) {
  TRY(DownloadOptions options, read_download_options(invocation));
  ProgressLine line(ProgressLine::Shown::if_terminal, Stream::err);
  options.on_progress = [&line](std::uint64_t received, std::optional<std::uint64_t> size) {
    line.show({"operator.apk", received, size.value_or(0), received, size.value_or(0)});
  };
  options.on_notice = [&](std::string_view notice) {
    line.clear();
    invocation.globals.target.on_notice(notice);
  };
  const auto done = run_task(download_operator(std::move(options)));
  line.clear();
  TRY(const DownloadReport report, done);
  return Answer{.json = json_of(report), .text = text_of(report)};
}

}  // namespace

constinit const Command kOperatorDownload = {
    .name = "operator download",
    .usage = "[--latest | --version <version>] [--out <file>]",
    .summary = "Download the Operator app's package and verify its checksum",
    .details =
        "Stores the package as ~/.clawperator/downloads/operator-v<version>.apk with its\n"
        ".sha256, and as operator.apk there. An interrupted download is resumed; a package that\n"
        "is already present is not fetched again. --operator-package com.androperator.operator\n"
        "selects the app's newer name. CLAWPERATOR_APK_METADATA_URL names a mirror's\n"
        "latest.json. Proxies and certificates are those of curl. --timeout is for the whole\n"
        "download, default one hour.\n"
        "\n"
        "The first signer of a package is remembered in ~/.clawperator/operator_signers.json.\n"
        "Another signer is OPERATOR_SIGNER_CHANGED, and no file is replaced; --accept-new-signer\n"
        "accepts it.",
    .examples =
        "operator download\n"
        "operator download --latest --output pretty\n"
        "operator download --version 0.5.3 --out ./operator.apk\n",
    .reach = Reach::host,
    .options = kOperatorDownloadOptions,
    .run = run_download};

}  // namespace clawperator::cli
