#include "runtime/host/recording/recording_files.hpp"

#include <algorithm>
#include <cerrno>

#include "adbproto/client/sync_client.hpp"
#include "adbproto/wire/base64.hpp"
#include "adbproto/wire/errc.hpp"
#include "adbproto/wire/screencap.hpp"
#include "base/error_members.hpp"
#include "base/files.hpp"
#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/errc.hpp"
#include "runtime/host/operator/compatibility.hpp"
#include "runtime/host/recording/recording.hpp"

namespace clawperator {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".ndjson";
constexpr std::size_t kMaxPicture = std::size_t{16} << 20;    // a phone's screen as PNG is smaller
constexpr std::size_t kMaxPictures = std::size_t{128} << 20;  // all of them

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::vector<fs::path> recordings_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() == kEnding && is_file(entry->path())) found.push_back(*entry);
  }
  std::ranges::sort(found);
  return found;
}

Result<RecordedPicture> read_picture(const fs::path& path, double seq) {
  TRY(const std::string bytes, read_file(path, kMaxPicture));
  adbproto::PngChecker check;
  check.feed(as_bytes(bytes));
  TRY_VOID(check.finish());
  return RecordedPicture{seq, path.filename().string(), check.width(), check.height(),
                         adbproto::encode_base64(as_bytes(bytes))};
}

}  // namespace

Result<fs::path> find_recording(const fs::path& input) {
  std::error_code ignored;
  if (!fs::is_directory(input, ignored)) return input;
  if (const auto latest = read_file(input / "latest", 4096)) {
    const std::string id(trim_js(*latest));
    fs::path named = input / (id + std::string(kEnding));
    if (is_session_id(id) && is_file(named)) return named;
  }
  const auto found = recordings_in(input);
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    return fail(errc::recording_export_failed, "There is no recording in " + input.string());
  }
  std::vector<std::string> names;
  names.reserve(found.size());
  for (const fs::path& path : found) names.push_back(path.filename().string());
  return fail_with(errc::recording_export_failed,
                   "There are several recordings in " + input.string() + ": name one",
                   JsonObject().strings("recordings", names));
}

RecordedPictures read_pictures(const Recording& recording, const fs::path& recording_file) {
  RecordedPictures read;
  if (!is_session_id(recording.session_id)) return read;
  std::size_t total = 0;
  std::optional<double> last;  // two events may share a seq
  for (const RecordedEvent& event : recording.events) {
    if (std::exchange(last, event.seq) == event.seq) continue;
    const std::string name = recording.session_id + "-" + number_json(event.seq) + ".png";
    const fs::path path = recording_file.parent_path() / name;
    if (!is_file(path)) continue;
    auto picture = read_picture(path, event.seq);
    if (picture && total + picture->base64.size() <= kMaxPictures) {
      total += picture->base64.size();
      read.pictures.push_back(*std::move(picture));
      continue;
    }
    read.warnings.push_back(
        "screenshot " + name +
        " left out: " + (picture ? "all together they are too large" : picture.error().message()));
  }
  return read;
}

fs::path output_beside(const fs::path& recording_file, std::string_view ending) {
  fs::path output = recording_file;
  if (output.extension() == kEnding) output.replace_extension();
  output += ending;
  return output;
}

namespace {

constexpr std::size_t kMaxPointer = 4096;  // a session id of kMaxSessionId and blanks
constexpr std::size_t kMaxShownId = 200;   // as kMaxSessionId: a legal id is shown whole
// kMaxShellOutput (64 MiB) passes at 1.2 MB a second.
constexpr auto kReadLimit = std::chrono::seconds(60);

Error pull_failure(const std::string& why) {
  return {errc::recording_pull_failed,
          "Failed to pull recording from device: " + (why.empty() ? "Unknown error" : why)};
}

// Not the recording's fault: the caller gave up, or there is no device any more.
std::optional<Error> beyond_us(const Error& error) {
  const Errc code = error.code();
  if (code == errc::cancelled || code == errc::link_lost) return error;
  if (code == errc::closed || names_lost_link(error)) {
    return Error(errc::link_lost, error.message(), error.members());
  }
  return std::nullopt;
}

// Some phones keep the shell out of the folders of apps. A debuggable app can be made to read its
// own files; the others cannot.
struct Source {
  adbproto::Device* device = nullptr;
  SyncClient* client = nullptr;
  std::string operator_package{};
};

bool is_kept_out(const Error& error) { return error.message().contains("ermission denied"); }

Error kept_out(const std::string& path, const std::string& refusal) {
  Error error = pull_failure("this phone keeps the shell out of " + path + ": " + refusal);
  return with_members(
      error, ErrorMembers().text("hint",
                                 "Record with a debug build of the Operator app, whose files can "
                                 "be read all the same, or copy the file on the phone itself."));
}

Task<Bytes> fetch(Source source, std::string path) {
  auto content = co_await source.client->get(path, kMaxRecordingBytes);
  if (content) co_return std::move(content);
  if (auto error = beyond_us(content.error())) co_return std::unexpected(*std::move(error));
  if (!is_kept_out(content.error())) {
    co_return std::unexpected(pull_failure(content.error().message()));
  }
  const auto read = co_await run_on_device(
      source.device, file_as_app_line(source.operator_package, path), kReadLimit);
  if (read && read->exit_status == 0) co_return adbproto::to_bytes(read->out);
  if (!read && read.error().code() == errc::cancelled) co_return std::unexpected(read.error());
  co_return std::unexpected(kept_out(path, content.error().message()));
}

Task<std::string> latest_session(Source source, std::string folder) {
  auto pointer = co_await source.client->get(folder + "latest", kMaxPointer);
  if (!pointer) {
    if (auto error = beyond_us(pointer.error())) co_return std::unexpected(*std::move(error));
    if (is_kept_out(pointer.error())) pointer = co_await fetch(source, folder + "latest");
    if (!pointer && pointer.error().code() == errc::recording_pull_failed) {
      co_return std::unexpected(pointer.error());
    }
  }
  std::string id(pointer ? trim_js(as_text(*pointer)) : std::string_view());
  if (id.empty()) {
    co_return fail(errc::recording_session_not_found,
                   "No recording session found on device. Start a recording first.");
  }
  CO_TRY_VOID(check_session_id(id));
  co_return id;
}

// Perhaps there is no such recording.
asio::awaitable<Error> why_not(SyncClient* client, std::string path, Error error) {
  if (error.code() != errc::recording_pull_failed) co_return error;
  const auto stat = co_await client->stat(path);
  if (!stat || stat->error != ENOENT) co_return error;
  co_return Error{errc::recording_session_not_found, "No recording " + path + " on the device."};
}

Result<void> store(const std::filesystem::path& path, const Bytes& content) {
  const auto written =
      write_file_atomically(path, as_text(content), ParentFolder::created, Durable::yes);
  if (!written) return std::unexpected(pull_failure(written.error().message()));
  return ok();
}

}  // namespace

Result<void> check_session_id(const std::string& id) {
  if (is_session_id(id)) return ok();
  return fail(errc::recording_session_not_found,
              "Invalid session ID format: " + id.substr(0, kMaxShownId));
}

Task<PulledRecording> pull_recording(adbproto::Device* device, PullRecording wanted) {
  if (wanted.session_id) CO_TRY_VOID(check_session_id(*wanted.session_id));
  CO_TRY(const std::string package,
         co_await find_installed_operator(device, wanted.operator_package));
  const std::string folder = "/sdcard/Android/data/" + package + "/files/recordings/";
  auto client = co_await SyncClient::open(device);
  if (!client) {
    co_return std::unexpected(
        beyond_us(client.error()).value_or(pull_failure(client.error().message())));
  }
  PulledRecording pulled;
  const Source source{device, client->get(), package};
  if (wanted.session_id) {
    pulled.session_id = *wanted.session_id;
  } else {
    CO_TRY(pulled.session_id, co_await latest_session(source, folder));
  }
  const std::string name = pulled.session_id + ".ndjson";
  const auto content = co_await fetch(source, folder + name);
  if (!content) {
    co_return std::unexpected(co_await why_not(source.client, folder + name, content.error()));
  }
  pulled.local_path = (wanted.folder / name).lexically_normal();
  CO_TRY_VOID(store(pulled.local_path, *content));
  co_return pulled;
}

}  // namespace clawperator
