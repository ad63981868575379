#include "runtime/host/operator/download.hpp"

#include <algorithm>

#include "base/async/run_stoppable.hpp"
#include "base/error_members.hpp"
#include "base/files.hpp"
#include "base/url.hpp"
#include "runtime/host/errc.hpp"
#include "runtime/host/operator/known_signers.hpp"

namespace clawperator {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kDefaultName = "operator.apk";
constexpr std::string_view kChecksumSuffix = ".sha256";

class TextSink final : public HttpSink {
 public:
  Result<void> begin(const HttpBody&) override { return ok(); }
  Result<void> take(std::string_view bytes) override {
    text_ += bytes;
    return ok();
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// In three steps, for the signer is met between the second and the third: fetch, check, finish.
class OperatorDownload {
 public:
  explicit OperatorDownload(const DownloadOptions& options)
      : options_(options), give_up_(Clock::now() + options.limits.whole) {}

  // Afterwards the package is here and has its checksum, perhaps not yet its name.
  Result<void> fetch(std::stop_token stop) {
    stop_ = std::move(stop);
    if (options_.version) {
      release_ = release_of(*options_.version, options_.metadata_url);
      if (auto kept = kept_package()) {
        digest_ = *std::move(kept);
        return ok();
      }
    }
    TRY_VOID(choose_release());
    TRY(digest_, expected_digest());
    const auto found = file_sha256(target(), stop_);
    return found && *found == digest_ ? ok() : fetch_package();
  }

  [[nodiscard]] SignerCheck signer_check() const {
    return {part_ ? part_->path() : target(), target().string(), options_.package,
            options_.accept_new_signer, options_.on_notice};
  }

  Result<DownloadReport> finish() {
    const bool already = part_ == nullptr;
    if (part_) TRY_VOID(part_->become_target());
    TRY_VOID(keep());
    return report(already);
  }

 private:
  [[nodiscard]] fs::path target() const {
    if (!options_.out.empty()) return options_.out;
    return options_.folder / package_file_name(release_.version);
  }
  [[nodiscard]] fs::path checksum_file() const {
    return target().string() + std::string(kChecksumSuffix);
  }

  // The digest of a package that is here and fits its own checksum file.
  [[nodiscard]] std::optional<std::string> kept_package() {
    if (!options_.out.empty()) return std::nullopt;
    const auto text = read_file(checksum_file(), kMaxMetadata);
    if (!text) return std::nullopt;
    const auto expected = parse_checksum(*text, target().filename().string());
    const auto found = file_sha256(target(), stop_);
    if (!expected || !found || *expected != *found) return std::nullopt;
    return *found;
  }

  // A named version needs no metadata, but takes its checksum from there.
  Result<void> choose_release() {
    TRY_VOID(check_metadata_url());
    auto latest = latest_release();
    const bool is_wanted = latest && options_.version.value_or(latest->version) == latest->version;
    if (is_wanted) release_ = *latest;
    if (latest || (options_.version && latest.error().code() != errc::cancelled)) return ok();
    return std::unexpected(std::move(latest).error());
  }

  // Of a URL that was given wrongly nothing is made up.
  Result<void> check_metadata_url() {
    const auto good = check_url(options_.metadata_url);
    if (good) return ok();
    return std::unexpected(failed(shown_url(options_.metadata_url), good.error().message()));
  }

  Result<OperatorRelease> latest_release() {
    TRY(const Answer answer, fetch_text(options_.metadata_url));
    if (answer.status == kHttpOk) return parse_release(answer.text, options_.metadata_url);
    return std::unexpected(bad_status(options_.metadata_url, answer.status));
  }

  Result<std::string> expected_digest() {
    if (!release_.sha256.empty()) return release_.sha256;
    TRY(const Answer answer, fetch_text(release_.checksum_url));
    if (answer.status != kHttpOk) {
      return std::unexpected(bad_status(release_.checksum_url, answer.status));
    }
    auto digest = parse_checksum(answer.text, package_file_name(release_.version));
    if (digest) return digest;
    return fail_with(digest.error().code(), release_.checksum_url + ": " + digest.error().message(),
                     details(release_.checksum_url));
  }

  Result<void> fetch_package() {
    TRY(part_, PartFile::open(target(), options_.on_progress));
    const HttpRequest request = request_for(release_.apk_url, kMaxPackage);
    TRY(const Downloaded done,
        described(request.url, download(request, digest_, part_.get(), stop_)));
    if (!done.is_whole()) return std::unexpected(bad_status(request.url, done.status));
    if (done.sha256 != digest_) return std::unexpected(wrong_digest(done.sha256));
    resumed_ = done.resumed;
    return ok();
  }

  // With its checksum and under the name that `operator setup` expects; not with --out.
  Result<void> keep() {
    if (!options_.out.empty()) return ok();
    const std::string line = digest_ + "  " + target().filename().string() + "\n";
    if (auto written = write_file_atomically(checksum_file(), line); !written) {
      return fail(errc::file_write_failed, written.error().message());
    }
    return link_file(target(), options_.folder / kDefaultName);
  }

  [[nodiscard]] DownloadReport report(bool already) const {
    std::error_code ignored;
    DownloadReport report;
    report.version = release_.version;
    report.path = target();
    if (options_.out.empty()) report.default_path = options_.folder / kDefaultName;
    report.url = release_.apk_url;
    report.sha256 = digest_;
    report.bytes = fs::file_size(report.path, ignored);
    report.resumed = resumed_;
    report.already_present = already;
    return report;
  }

  struct Answer {
    long status = 0;
    std::string text;
  };

  Result<Answer> fetch_text(const std::string& url) {
    TextSink sink;
    const HttpRequest request = request_for(url, kMaxMetadata);
    TRY(const long status, described(url, clawperator::fetch(request, &sink, stop_)));
    return Answer{status, sink.text()};
  }

  [[nodiscard]] HttpRequest request_for(const std::string& url, std::uint64_t max_bytes) const {
    HttpRequest request{.url = url, .max_bytes = max_bytes, .limits = options_.limits};
    request.limits.whole =
        std::max(std::chrono::milliseconds(1),
                 std::chrono::duration_cast<std::chrono::milliseconds>(give_up_ - Clock::now()));
    return request;
  }

  // The hint of a server's or connection's error is where to get the file by hand.
  template <class Value>
  Result<Value> described(const std::string& url, Result<Value> outcome) const {
    if (outcome) return outcome;
    const Errc code = outcome.error().code();
    if (code == errc::cancelled || code == errc::file_write_failed) return outcome;
    return std::unexpected(failed(url, outcome.error().message()));
  }

  // Where to get by hand what we cannot get.
  [[nodiscard]] ErrorMembers details(const std::string& url) const {
    ErrorMembers members;
    members.text("url", url);
    if (!release_.version.empty()) {
      members.text("version", release_.version).text("apkUrl", release_.apk_url);
      members.text("checksumUrl", release_.checksum_url);
    }
    return members;
  }

  [[nodiscard]] Error failed(const std::string& url, const std::string& why) const {
    const std::string what = release_.version.empty() ? url : release_.apk_url;
    return {errc::operator_download_failed, "cannot download " + url + ": " + why,
            hint_and_details("Fetch " + what +
                                 " by other means, check it with sha256sum, and run: clawperator "
                                 "operator setup --apk <file>",
                             details(url))};
  }

  [[nodiscard]] Error bad_status(const std::string& url, long status) const {
    return failed(url, "the server answered with status " + std::to_string(status));
  }

  Error wrong_digest(const std::string& found) const {
    part_->discard();
    ErrorMembers members;
    members.text("url", release_.apk_url).text("expected", digest_).text("actual", found);
    return {errc::operator_checksum_failed,
            release_.apk_url + " does not have the published SHA-256; the file was removed.",
            ErrorMembers().object("details", members).str()};
  }

  const DownloadOptions& options_;
  std::stop_token stop_;
  Clock::time_point give_up_;
  OperatorRelease release_;
  std::string digest_;
  std::unique_ptr<PartFile> part_;  // null: the package was here
  bool resumed_ = false;
};

}  // namespace

Task<DownloadReport> download_operator(DownloadOptions options) {
  OperatorDownload work(options);
  CO_TRY_VOID(co_await adbproto::run_stoppable(
      [&work](std::stop_token stop) { return work.fetch(std::move(stop)); }));
  CO_TRY_VOID(co_await meet_signers(work.signer_check()));
  co_return co_await adbproto::run_blocking([&work] { return work.finish(); });
}

}  // namespace clawperator
