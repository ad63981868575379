#include "runtime/host/recording/pull.hpp"

#include "adbproto/client/sync_client.hpp"
#include "runtime/contract/js_string.hpp"
#include "runtime/device/environment.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/host/recording/recording.hpp"

namespace clawperator {
namespace {

using adbproto::Errc;
using adbproto::Error;
using adbproto::fail;
using adbproto::Result;
using adbproto::SyncClient;
using adbproto::Task;

constexpr std::size_t kMaxPointer = 4096;
constexpr std::size_t kMaxShown = 200;

Error pull_failure(const std::string& why) {
  return {Errc::recording_pull_failed,
          "Failed to pull recording from device: " + (why.empty() ? "Unknown error" : why)};
}

// Not the recording's fault: the caller gave up, or there is no device any more.
std::optional<Error> beyond_us(const Error& error) {
  const Errc code = error.code();
  if (code == Errc::cancelled || code == Errc::link_lost) return error;
  if (code == Errc::closed || names_lost_link(error)) {
    return Error(Errc::link_lost, error.message(), error.members());
  }
  return std::nullopt;
}

Task<std::string> latest_session(SyncClient* client, std::string folder) {
  const auto pointer = co_await client->get(folder + "latest", kMaxPointer);
  if (!pointer) {
    if (auto error = beyond_us(pointer.error())) co_return std::unexpected(*std::move(error));
  }
  std::string id(pointer ? trim_js(adbproto::as_text(*pointer)) : std::string_view());
  if (id.empty()) {
    co_return fail(Errc::recording_session_not_found,
                   "No recording session found on device. Start a recording first.");
  }
  CO_TRY_VOID(check_session_id(id));
  co_return id;
}

Result<void> store(const std::filesystem::path& path, const adbproto::Bytes& content) {
  const auto written = write_file_atomically(path, adbproto::as_text(content));
  if (!written) return std::unexpected(pull_failure(written.error().message()));
  return adbproto::ok();
}

}  // namespace

Result<void> check_session_id(const std::string& id) {
  if (is_session_id(id)) return adbproto::ok();
  return fail(Errc::recording_session_not_found,
              "Invalid session ID format: " + id.substr(0, kMaxShown));
}

Task<PulledRecording> pull_recording(adbproto::Device* device, PullRecording wanted) {
  if (wanted.session_id) CO_TRY_VOID(check_session_id(*wanted.session_id));
  const std::string folder =
      "/sdcard/Android/data/" + wanted.operator_package + "/files/recordings/";
  auto client = co_await SyncClient::open(device);
  if (!client) {
    co_return std::unexpected(
        beyond_us(client.error()).value_or(pull_failure(client.error().message())));
  }
  PulledRecording pulled;
  if (wanted.session_id) {
    pulled.session_id = *wanted.session_id;
  } else {
    CO_TRY(pulled.session_id, co_await latest_session(client->get(), folder));
  }
  const std::string name = pulled.session_id + ".ndjson";
  const auto content = co_await (*client)->get(folder + name, kMaxRecordingBytes);
  if (!content) {
    co_return std::unexpected(
        beyond_us(content.error()).value_or(pull_failure(content.error().message())));
  }
  pulled.local_path = (wanted.folder / name).lexically_normal();
  CO_TRY_VOID(store(pulled.local_path, *content));
  co_return pulled;
}

}  // namespace clawperator
