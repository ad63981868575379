#include "runtime/host/operator/download.hpp"

#include <algorithm>

#include "adbproto/link/run_stoppable.hpp"
#include "base/files.hpp"
#include "base/url.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"

namespace clawperator {

namespace fs = std::filesystem;

namespace {

constexpr long kHttpOk = 200;
constexpr long kHttpPartial = 206;
constexpr long kHttpNoSuchRange = 416;
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

enum class Fetched { already, whole, resumed };

class Download {
 public:
  Download(const DownloadOptions& options, std::stop_token stop)
      : options_(options), stop_(std::move(stop)), give_up_(Clock::now() + options.limits.whole) {}

  Result<DownloadReport> run() {
    if (options_.version) {
      release_ = release_of(*options_.version, options_.metadata_url);
      if (auto kept = kept_package()) {
        TRY_VOID(link_default());
        return report(*kept, Fetched::already);
      }
    }
    TRY_VOID(choose_release());
    TRY(const std::string expected, expected_digest());
    const auto found = file_sha256(target(), stop_);
    if (found && *found == expected) {
      TRY_VOID(keep(expected));
      return report(expected, Fetched::already);
    }
    TRY(const Fetched fetched, fetch_package(expected));
    TRY_VOID(keep(expected));
    return report(expected, fetched);
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

  // Of a version that was named the metadata is not needed, only used where it tells of it.
  Result<void> choose_release() {
    TRY_VOID(check_metadata_url());
    auto latest = latest_release();
    const bool is_wanted = latest && options_.version.value_or(latest->version) == latest->version;
    if (is_wanted) release_ = *std::move(latest);
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

  Result<Fetched> fetch_package(const std::string& expected) {
    TRY(const auto part, PartFile::open(target(), options_.on_progress));
    bool resumed = part->size() > 0;
    if (resumed) {
      TRY(const std::string found, file_sha256(part->path(), stop_));
      if (found == expected) return finish(*part, Fetched::resumed);
      if (part->size() >= kMaxPackage) TRY_VOID(part->truncate());
    }
    // What was here may be of another file: then the whole of it is fetched once more.
    for (;;) {
      resumed = part->size() > 0;
      TRY(const long status, fetch(*part));
      if (status == kHttpNoSuchRange && resumed) {
        TRY_VOID(part->truncate());
        continue;
      }
      if (status != kHttpOk && status != kHttpPartial) {
        return std::unexpected(bad_status(release_.apk_url, status));
      }
      TRY(const std::string found, file_sha256(part->path(), stop_));
      resumed = resumed && status == kHttpPartial;
      if (found == expected) return finish(*part, resumed ? Fetched::resumed : Fetched::whole);
      if (!resumed) return std::unexpected(wrong_digest(*part, expected, found));
      TRY_VOID(part->truncate());
    }
  }

  static Result<Fetched> finish(PartFile& part, Fetched fetched) {
    TRY_VOID(part.become_target());
    return fetched;
  }

  // With its checksum and under the name that `operator setup` is told; not with --out.
  Result<void> keep(const std::string& digest) {
    if (!options_.out.empty()) return ok();
    const std::string line = digest + "  " + target().filename().string() + "\n";
    if (auto written = write_file_atomically(checksum_file(), line); !written) {
      return fail(errc::file_write_failed, written.error().message());
    }
    return link_default();
  }

  Result<void> link_default() { return link_file(target(), options_.folder / kDefaultName); }

  [[nodiscard]] Result<DownloadReport> report(const std::string& digest, Fetched fetched) const {
    std::error_code ignored;
    DownloadReport report;
    report.version = release_.version;
    report.path = target();
    if (options_.out.empty()) report.default_path = options_.folder / kDefaultName;
    report.url = release_.apk_url;
    report.sha256 = digest;
    report.bytes = fs::file_size(report.path, ignored);
    report.resumed = fetched == Fetched::resumed;
    report.already_present = fetched == Fetched::already;
    return report;
  }

  struct Answer {
    long status = 0;
    std::string text;
  };

  Result<Answer> fetch_text(const std::string& url) {
    TextSink sink;
    TRY(const long status, ask({url, 0, kMaxMetadata, options_.limits}, &sink));
    return Answer{status, sink.text()};
  }

  Result<long> fetch(PartFile& part) {
    return ask({release_.apk_url, part.size(), kMaxPackage, options_.limits}, &part);
  }

  Result<long> ask(HttpRequest request, HttpSink* sink) {
    request.limits.whole =
        std::max(std::chrono::milliseconds(1),
                 std::chrono::duration_cast<std::chrono::milliseconds>(give_up_ - Clock::now()));
    auto status = clawperator::fetch(request, sink, stop_);
    if (status) return status;
    const Errc code = status.error().code();
    if (code == errc::cancelled || code == errc::file_write_failed) return status;
    return std::unexpected(failed(request.url, status.error().message()));
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

  Error wrong_digest(PartFile& part, const std::string& expected, const std::string& found) const {
    part.discard();
    ErrorMembers members;
    members.text("url", release_.apk_url).text("expected", expected).text("actual", found);
    return {errc::operator_checksum_failed,
            release_.apk_url + " does not have the published SHA-256; what arrived was removed.",
            ErrorMembers().object("details", members).str()};
  }

  const DownloadOptions& options_;
  std::stop_token stop_;
  Clock::time_point give_up_;
  OperatorRelease release_;
};

}  // namespace

Task<DownloadReport> download_operator(DownloadOptions options) {
  co_return co_await adbproto::run_stoppable(
      [&options](std::stop_token stop) { return Download(options, std::move(stop)).run(); });
}

}  // namespace clawperator
