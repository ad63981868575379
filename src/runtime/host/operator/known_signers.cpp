#include "runtime/host/operator/known_signers.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/async/blocking.hpp"
#include "base/error_members.hpp"
#include "base/json_document.hpp"
#include "base/text.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/host/errc.hpp"

namespace clawperator {

namespace {

constexpr StateFile kStore("operator_signers.json", std::size_t{256} * 1024);
constexpr std::size_t kSha256Digits = 64;

std::string listed(const std::vector<std::string>& digests) {
  std::string text;
  for (const std::string& digest : digests) text += (text.empty() ? "" : " and ") + digest;
  return text.empty() ? "no signer that can be read" : text;
}

std::optional<ApkSigners> read_package(const Json& entry) {
  const std::string* package = string_member(entry, "package");
  const Json* digests = find_member(entry, "sha256");
  if (!package || !is_package_name(*package) || !digests || !digests->is_array()) {
    return std::nullopt;
  }
  ApkSigners signers{.package = *package};
  for (const Json& each : *digests) {
    const std::string* digest = string_value(&each);
    if (!digest || !is_hex(*digest, kSha256Digits)) return std::nullopt;
    signers.sha256.push_back(*digest);
  }
  const bool is_bounded = !signers.sha256.empty() && signers.sha256.size() <= kMaxSigners;
  const bool in_order =
      std::ranges::adjacent_find(signers.sha256, std::greater_equal<>()) == signers.sha256.end();
  return is_bounded && in_order ? std::optional(std::move(signers)) : std::nullopt;
}

std::unexpected<Error> signer_changed(const SignerCheck& check, const ApkSigners& before,
                                      const ApkSigners& now) {
  ErrorMembers details;
  details.text("package", before.package).strings("expected", before.sha256);
  details.strings("found", now.sha256).text("apk", check.name);
  if (!now.package.empty()) details.text("apkPackage", now.package);
  return fail(errc::operator_signer_changed,
              check.name + " is signed by " + listed(now.sha256) + "; " + before.package +
                  " was signed by " + listed(before.sha256) + " before. The file was not taken.",
              hint_and_details("Ask its publisher whether the signer has changed. If that is so, "
                               "run this once more with --accept-new-signer.",
                               details));
}

// `now` has no package where the file could not be read.
Result<void> judge(const SignerCheck& check, const KnownSigners& known, const ApkSigners& now) {
  if (check.accept_new) return ok();
  const bool is_named = check.package || !now.package.empty();
  for (const ApkSigners& before : known.entries) {
    const bool is_same_package =
        !is_named || before.package == check.package || before.package == now.package;
    if (is_same_package && before.sha256 != now.sha256) return signer_changed(check, before, now);
  }
  return ok();
}

// Another process may have stored another signer since.
Task<void> remember(const SignerCheck* check, ApkSigners now) {
  CO_TRY(const auto lock, co_await kStore.lock());
  CO_TRY(KnownSigners known, read_state(kStore, parse_known_signers, {}));
  CO_TRY_VOID(judge(*check, known, now));
  known.keep(std::move(now));
  co_return kStore.replace(to_json(known), known.is_damaged, check->on_notice);
}

}  // namespace

KnownSigners parse_known_signers(std::string_view text) {
  return KnownSigners::parse(text, "packages", read_package);
}

std::string to_json(const KnownSigners& known) {
  const auto package_json = [](const ApkSigners& signers) {
    return JsonObject().text("package", signers.package).strings("sha256", signers.sha256);
  };
  return JsonObject().json("packages", list_json(known.entries, package_json)).str();
}

Task<void> meet_signers(SignerCheck check) {
  auto read = co_await adbproto::run_blocking([&check] { return read_apk_signers(check.apk); });
  if (!read && read.error().code() == errc::cancelled) co_return std::unexpected(read.error());
  const ApkSigners now = read ? *std::move(read) : ApkSigners{};
  CO_TRY(const KnownSigners known, read_state(kStore, parse_known_signers, check.on_notice));
  CO_TRY_VOID(judge(check, known, now));
  const ApkSigners* before = known.find(now.package);
  if (now.package.empty() || kStore.path().empty() || (before && *before == now)) co_return ok();
  if (now.sha256.empty()) {
    warn(check.on_notice, check.name +
                              " has no signature of APK Signature Scheme v2 or later: its "
                              "signer is not remembered");
    co_return ok();
  }
  const auto kept = co_await remember(&check, now);
  if (kept || kept.error().code() == errc::operator_signer_changed ||
      kept.error().code() == errc::cancelled) {
    co_return kept;
  }
  warn(check.on_notice,
       "the signer of " + now.package + " is not remembered: " + kept.error().message());
  co_return ok();
}

}  // namespace clawperator
