#include "runtime/host/verbs/video.hpp"

#include <algorithm>

#include "adbproto/client/local_files.hpp"
#include "adbproto/client/shell.hpp"
#include "adbproto/client/sync_client.hpp"
#include "adbproto/client/transfer.hpp"
#include "adbproto/wire/errc.hpp"
#include "adbproto/wire/services.hpp"
#include "adbproto/wire/shell_commands.hpp"
#include "base/async/output_descriptor.hpp"
#include "base/async/signal.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/ulid.hpp"
#include "runtime/host/android_services.hpp"

namespace clawperator {

namespace {

using std::chrono::milliseconds;

constexpr auto kStartLimit = milliseconds(10000);    // until its number; a busy phone is slow
constexpr auto kFinishLimit = milliseconds(20000);   // to write the end of the file
constexpr auto kSilence = std::chrono::seconds(60);  // of a phone that is to send the video
constexpr std::size_t kMaxRecorderText = 4096;       // its number and a few lines of an error
// 30 minutes, the longest video, at 76 Mbit/s; a hostile phone must not fill the disk.
constexpr std::uint64_t kMostVideo = std::uint64_t{16} << 30U;
// The tables of one video track (ftyp, mvhd, tkhd, stsd and those of its samples) alone take more,
// without a picture. A smaller file holds no video. The content is not judged: the recorder's exit
// status proves that it finished its file.
constexpr std::uint64_t kLeastVideo = 512;
constexpr int kNotFound = 127;

struct Recorder {
  adbproto::Device* device = nullptr;
  adbproto::OutputStream stream;
  std::string text{};
  int pid = 0;
  bool has_ended = false;
};

// Until the process has printed its number, or its output ends.
Task<void> listen(Recorder* recorder, bool for_pid) {
  for (;;) {
    const auto piece = co_await recorder->stream.next();
    if (!piece) {
      recorder->has_ended =
          piece.error().code() == errc::closed && recorder->stream.exit_status().has_value();
      if (recorder->has_ended) co_return ok();
      co_return std::unexpected(published_shell_error(piece.error()));
    }
    const std::string_view text = as_text(*piece);
    recorder->text +=
        text.substr(0, kMaxRecorderText - std::min(kMaxRecorderText, recorder->text.size()));
    if (recorder->pid == 0 && recorder->text.contains('\n')) {
      std::string_view line = first_line(recorder->text);
      if (line.starts_with(kRecorderMark)) line.remove_prefix(kRecorderMark.size());
      recorder->pid = whole_number<int>(line).value_or(0);
      if (recorder->pid <= 1) {
        co_return fail(errc::device_shell_unavailable,
                       "the device does not report the recorder's "
                       "process: " +
                           one_message(recorder->text));
      }
    }
    if (for_pid && recorder->pid != 0) co_return ok();
  }
}

// The received file, written as it comes; it gets its name at the end.
class VideoSink final : public adbproto::PullSink {
 public:
  explicit VideoSink(adbproto::NewFile file, std::string name)
      : file_(std::move(file)), name_(std::move(name)) {}

  Task<void> begin(const adbproto::PullItem*) override { co_return ok(); }
  Task<void> write(ByteView bytes) override {
    received_ += bytes.size();
    if (received_ > kMostVideo) co_return fail(errc::limit, "the video is too large");
    while (!bytes.empty()) {
      CO_TRY(const std::size_t written, file_.write(bytes));
      bytes = bytes.subspan(written);
      if (!bytes.empty()) co_await adbproto::await_writable(file_.descriptor());
    }
    co_return ok();
  }
  Result<void> end(const adbproto::PullItem&) override { return ok(); }
  [[nodiscard]] std::string name_of(const adbproto::PullItem&) const override { return name_; }

  [[nodiscard]] std::uint64_t received() const { return received_; }

  Result<void> commit() { return file_.commit(std::nullopt); }

 private:
  adbproto::NewFile file_;
  std::string name_;
  std::uint64_t received_ = 0;
};

Result<adbproto::NewFile> create_video(const std::string& path) {
  TRY(auto folder, adbproto::open_folder_of(path));
  return adbproto::NewFile::create(std::move(folder), path.substr(path.rfind('/') + 1), path,
                                   adbproto::Special::written_to);
}

Error no_recorder(const Recorder& recorder) {
  ErrorMembers details;
  details.text("stderr", recorder.stream.err());
  return with_details({errc::unsupported, "This phone has no screenrecord: its maker left it out."},
                      details);
}

// The recorder's error, unless it succeeded.
Result<void> judge_end(const Recorder& recorder) {
  const int status = recorder.stream.exit_status().value_or(0);
  if (status == kNotFound) return std::unexpected(no_recorder(recorder));
  if (status == 0) return ok();
  const auto end = recorder.text.find('\n');
  CommandOutput output{status, recorder.text.substr(std::min(end, recorder.text.size() - 1) + 1),
                       recorder.stream.err()};
  return std::unexpected(refusal_error("the screen was not recorded", output));
}

// Sends SIGINT and reads the rest; kills the recorder if it does not end.
Task<void> stop_recorder(Recorder* recorder) {
  CO_TRY_VOID(co_await run_on_device(recorder->device, stop_recorder_line(recorder->pid)));
  const auto ended = co_await with_deadline(listen(recorder, false), kFinishLimit, "screenrecord");
  if (ended || recorder->has_ended) co_return ended;
  if (ended.error().code() == errc::deadline_exceeded) {
    co_await run_on_device(recorder->device, kill_recorder_line(recorder->pid));
  }
  co_return std::unexpected(ended.error());
}

struct DeviceVideo {
  adbproto::Device* device = nullptr;
  std::string device_file{};
  bool may_begin_yet = false;  // the recorder was requested, and never reported its start
};

// How it ended. Where that was not by itself nothing is cancelled any more from there on.
Task<VideoEnd> record(DeviceVideo* recording, const VideoRequest* request) {
  const std::string line = record_video_line(recording->device_file, request->settings);
  auto opened = co_await recording->device->open(adbproto::shell_v2_raw(line));
  if (!opened) {
    recording->may_begin_yet = opened.error().code() == errc::cancelled ||
                               opened.error().code() == errc::deadline_exceeded;
    co_return std::unexpected(published_shell_error(opened.error()));
  }
  Recorder recorder{recording->device,
                    adbproto::OutputStream(*std::move(opened), adbproto::Framing::shell_v2)};
  const milliseconds whole = std::chrono::seconds(request->settings.seconds) + kFinishLimit;
  const bool is_short = request->stop_after && *request->stop_after < whole;
  auto done = co_await with_deadline(listen(&recorder, true), kStartLimit, "screenrecord");
  const bool is_cut = adbproto::is_cancelled(co_await asio::this_coro::cancellation_state);
  if (done && is_cut) done = fail(errc::cancelled, "cancelled");
  if (done) {
    done = co_await with_deadline(listen(&recorder, false), is_short ? *request->stop_after : whole,
                                  "screenrecord");
  }
  if (!done || adbproto::is_cancelled(co_await asio::this_coro::cancellation_state)) {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  }
  VideoEnd end = VideoEnd::time;
  if (!done && !recorder.has_ended) {
    const bool is_cancelled = done.error().code() == errc::cancelled;
    if (!is_cancelled && done.error().code() != errc::deadline_exceeded) {
      co_return std::unexpected(done.error());
    }
    end = is_cancelled ? VideoEnd::cancelled : VideoEnd::deadline;
    recording->may_begin_yet = recorder.pid == 0;
    if (recording->may_begin_yet) {
      co_return fail(done.error().code(),
                     "the recorder did not report its start: " + done.error().message());
    }
    CO_TRY_VOID(co_await stop_recorder(&recorder));
  }
  CO_TRY_VOID(judge_end(recorder));
  co_return end;
}

// Ends when no data has come for too long: the time for the whole file is unknown.
asio::awaitable<Error> watch_silence(const VideoSink* sink) {
  for (auto before = sink->received();; before = sink->received()) {
    co_await adbproto::sleep_for(kSilence);
    if (adbproto::is_cancelled(co_await asio::this_coro::cancellation_state)) break;
    if (sink->received() == before) break;
  }
  co_return Error(errc::deadline_exceeded, "the phone sends nothing more of the video");
}

Task<void> pull_while_it_comes(adbproto::SyncClient* client, const std::string* file,
                               VideoSink* sink) {
  using namespace base::parallel;
  auto first = co_await (client->get_into(*file, sink) || watch_silence(sink));
  if (first.index() == 0) co_return std::get<0>(std::move(first));
  if (adbproto::is_cancelled(co_await asio::this_coro::cancellation_state)) {
    co_return fail(errc::cancelled, "cancelled");
  }
  co_return std::unexpected(std::get<1>(std::move(first)));
}

Task<std::uint64_t> fetch_video(const DeviceVideo* recording, VideoSink* sink) {
  auto client = co_await adbproto::SyncClient::open(recording->device);
  if (!client) co_return std::unexpected(published_shell_error(client.error()));
  const auto pulled = co_await pull_while_it_comes(client->get(), &recording->device_file, sink);
  if (!pulled && is_link_error(pulled.error())) {
    co_return fail(errc::link_lost, pulled.error().message());
  }
  if (!pulled) co_return std::unexpected(pulled.error());
  const std::uint64_t bytes = sink->received();
  if (bytes < kLeastVideo) {
    co_return not_confirmed(
        "The recording ended, but its file holds no video: " + std::to_string(bytes) + " bytes.",
        recording->device->serial(), {});
  }
  CO_TRY_VOID(sink->commit());
  co_return bytes;
}

Task<RecordedVideo> record_and_fetch(DeviceVideo* recording, const VideoRequest* request,
                                     VideoSink* sink) {
  RecordedVideo video;
  CO_TRY(video.end, co_await record(recording, request));
  CO_TRY(video.bytes, co_await fetch_video(recording, sink));
  co_return video;
}

}  // namespace

Task<RecordedVideo> record_video(adbproto::Device* device, VideoRequest request) {
  if (!device->features().has("shell_v2")) {
    co_return fail(errc::unsupported, "a video of the screen needs Android 7 or newer");
  }
  CO_TRY(const int sdk, co_await read_sdk(device));
  if (request.settings.seconds > longest_video(sdk)) {
    co_return beyond_release(
        "This release records at most " + std::to_string(longest_video(sdk)) + " seconds at once.",
        sdk);
  }
  CO_TRY(auto file, create_video(request.path));
  VideoSink sink(std::move(file), request.path);
  DeviceVideo recording{device, video_file(ascii_lower(new_ulid()))};
  auto video = co_await record_and_fetch(&recording, &request, &sink);
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  if (!video && video.error().code() == errc::deadline_exceeded && sink.received() > 0) {
    // It is whole there, and may be fetched once more.
    co_return std::unexpected(
        with_details(video.error(), ErrorMembers().text("deviceFile", recording.device_file)));
  }
  const auto removed =
      co_await run_on_device(device, adbproto::remove_file_command(recording.device_file));
  const bool is_gone = removed && removed->exit_status == 0 && !recording.may_begin_yet;
  if (video && !is_gone) video->left_behind = recording.device_file;
  if (video || is_gone) co_return video;
  // The recorder goes on to its own end, and its file stays on the phone.
  co_return std::unexpected(with_details(unknown_end(video.error()),
                                         ErrorMembers().text("deviceFile", recording.device_file)));
}

}  // namespace clawperator
