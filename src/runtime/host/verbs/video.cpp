#include "runtime/host/verbs/video.hpp"

#include <algorithm>

#include "adbproto/client/local_files.hpp"
#include "adbproto/client/shell.hpp"
#include "adbproto/client/sync_client.hpp"
#include "adbproto/client/transfer.hpp"
#include "adbproto/link/output_descriptor.hpp"
#include "adbproto/link/signal.hpp"
#include "adbproto/wire/errc.hpp"
#include "adbproto/wire/services.hpp"
#include "adbproto/wire/shell_commands.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/engine/ulid.hpp"
#include "runtime/host/android_services.hpp"

namespace clawperator {

namespace {

constexpr std::size_t kShortHeader = 8;
constexpr std::size_t kLongHeader = 16;

std::uint64_t big_endian(ByteView bytes) {
  std::uint64_t value = 0;
  for (const std::byte each : bytes) value = value << 8U | std::to_integer<std::uint64_t>(each);
  return value;
}

std::unexpected<Error> no_mp4(std::string why) {
  return fail(errc::protocol, "the file is no whole MP4: " + std::move(why));
}

// Of a box inside another: nullopt where its size does not fit.
struct InnerBox {
  std::string type;
  ByteView payload;
};
std::optional<InnerBox> take_inner_box(ByteView* rest) {
  if (rest->size() < kShortHeader) return std::nullopt;
  const std::uint64_t size = big_endian(rest->first(4));
  if (size < kShortHeader || size > rest->size()) return std::nullopt;
  const auto whole = rest->first(static_cast<std::size_t>(size));
  *rest = rest->subspan(whole.size());
  return InnerBox{std::string(as_text(whole.subspan(4, 4))), whole.subspan(kShortHeader)};
}

// mvhd: version and flags, two times, the ticks of a second, the ticks of it all.
std::optional<std::int64_t> read_duration(ByteView mvhd) {
  constexpr std::size_t kBeforeTimes = 4;
  const bool wide = !mvhd.empty() && mvhd.front() == std::byte{1};
  const std::size_t time = wide ? 8 : 4;
  const std::size_t scale_at = kBeforeTimes + 2 * time;
  if (mvhd.size() < scale_at + 4 + time) return std::nullopt;
  const std::uint64_t scale = big_endian(mvhd.subspan(scale_at, 4));
  const std::uint64_t ticks = big_endian(mvhd.subspan(scale_at + 4, time));
  constexpr std::uint64_t kMostTicks = std::uint64_t{1} << 52U;
  if (scale == 0 || ticks > kMostTicks) return std::nullopt;
  return static_cast<std::int64_t>(ticks * 1000 / scale);
}

}  // namespace

Result<void> Mp4Check::feed(ByteView bytes) {
  facts_.bytes += bytes.size();
  while (!bytes.empty()) {
    if (type_.empty()) {
      const bool is_long =
          header_.size() >= kShortHeader && big_endian(ByteView(header_).first(4)) == 1;
      const std::size_t wanted = (is_long ? kLongHeader : kShortHeader) - header_.size();
      const ByteView piece = bytes.first(std::min(wanted, bytes.size()));
      append(header_, piece);
      bytes = bytes.subspan(piece.size());
      if (piece.size() == wanted) TRY_VOID(begin_box());
      continue;
    }
    const std::uint64_t taken =
        to_the_end_ ? bytes.size() : std::min<std::uint64_t>(left_, bytes.size());
    const ByteView piece = bytes.first(static_cast<std::size_t>(taken));
    if (type_ == "moov") append(moov_, piece);
    bytes = bytes.subspan(piece.size());
    if (to_the_end_) continue;
    left_ -= taken;
    if (left_ == 0) TRY_VOID(end_box());
  }
  return ok();
}

Result<void> Mp4Check::begin_box() {
  const std::uint64_t size = big_endian(ByteView(header_).first(4));
  if (size == 1 && header_.size() == kShortHeader) return ok();  // its other half comes
  const std::uint64_t whole =
      size == 1 ? big_endian(ByteView(header_).subspan(kShortHeader)) : size;
  type_ = as_text(ByteView(header_).subspan(4, 4));
  if (boxes_ == 0 && type_ != "ftyp") return no_mp4("it does not begin with ftyp");
  if (++boxes_ > kMostBoxes) return no_mp4("it has too many boxes");
  to_the_end_ = whole == 0;
  if (!to_the_end_ && whole < header_.size()) return no_mp4("a box is shorter than its header");
  left_ = to_the_end_ ? 0 : whole - header_.size();
  header_.clear();
  const bool is_moov = type_ == "moov";
  if (is_moov && (has_moov_ || to_the_end_ || left_ > kMostMoov)) {
    return no_mp4("its moov is not one, or is too large");
  }
  if (!to_the_end_ && left_ == 0) return end_box();
  return ok();
}

Result<void> Mp4Check::end_box() {
  const bool is_moov = type_ == "moov";
  type_.clear();
  if (!is_moov) return ok();
  has_moov_ = true;
  ByteView rest = moov_;
  while (!rest.empty()) {
    const auto box = take_inner_box(&rest);
    if (!box) return no_mp4("a box of its moov is cut");
    if (box->type == "trak") ++facts_.tracks;
    if (box->type != "mvhd") continue;
    const auto duration = read_duration(box->payload);
    if (!duration) return no_mp4("its mvhd cannot be read");
    facts_.duration_ms = *duration;
  }
  moov_ = {};
  return ok();
}

Result<Mp4Facts> Mp4Check::finish() const {
  if (facts_.bytes == 0) return no_mp4("it is empty");
  if (!header_.empty() || (!type_.empty() && !to_the_end_)) return no_mp4("its last box is cut");
  if (!has_moov_) return no_mp4("it has no moov: the recorder did not finish it");
  if (facts_.tracks == 0) return no_mp4("its moov has no track");
  return facts_;
}

namespace {

using std::chrono::milliseconds;

constexpr auto kStartLimit = milliseconds(10000);
constexpr auto kFinishLimit = milliseconds(20000);   // to write the end of the file
constexpr auto kSilence = std::chrono::seconds(60);  // of a phone that is to send the video
constexpr std::size_t kMostSaid = 4096;
constexpr std::uint64_t kMostVideo = std::uint64_t{16} << 30U;
constexpr int kNotFound = 127;

struct Recorder {
  adbproto::Device* device = nullptr;
  adbproto::OutputStream stream;
  std::string said{};
  int pid = 0;
  bool has_ended = false;
};

// Until the process has told its number, or all that it says.
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
    recorder->said += text.substr(0, kMostSaid - std::min(kMostSaid, recorder->said.size()));
    if (recorder->pid == 0 && recorder->said.contains('\n')) {
      std::string_view line = first_line(recorder->said);
      if (line.starts_with(kRecorderMark)) line.remove_prefix(kRecorderMark.size());
      recorder->pid = whole_number<int>(line).value_or(0);
      if (recorder->pid <= 1) {
        co_return fail(errc::device_shell_unavailable,
                       "the device does not tell the recorder's "
                       "process: " +
                           one_message(recorder->said));
      }
    }
    if (for_pid && recorder->pid != 0) co_return ok();
  }
}

// What was received, written as it comes, and judged before it gets its name.
class VideoSink final : public adbproto::PullSink {
 public:
  explicit VideoSink(adbproto::NewFile file, std::string name)
      : file_(std::move(file)), name_(std::move(name)) {}

  Task<void> begin(const adbproto::PullItem*) override { co_return ok(); }
  Task<void> write(ByteView bytes) override {
    received_ += bytes.size();
    if (received_ > kMostVideo) co_return fail(errc::limit, "the video is too large");
    if (!damage_) {
      if (const auto fed = check_.feed(bytes); !fed) damage_ = fed.error();
    }
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

  Result<Mp4Facts> commit() {
    if (damage_) return std::unexpected(*damage_);
    TRY(const Mp4Facts facts, check_.finish());
    TRY_VOID(file_.commit(std::nullopt));
    return facts;
  }

 private:
  adbproto::NewFile file_;
  std::string name_;
  Mp4Check check_;
  std::uint64_t received_ = 0;
  std::optional<Error> damage_;
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

// What the program ended with, where it is no success.
Result<void> judge_end(const Recorder& recorder) {
  const int status = recorder.stream.exit_status().value_or(0);
  if (status == kNotFound) return std::unexpected(no_recorder(recorder));
  if (status == 0) return ok();
  const auto end = recorder.said.find('\n');
  CommandOutput output{status, recorder.said.substr(std::min(end, recorder.said.size() - 1) + 1),
                       recorder.stream.err()};
  return std::unexpected(said_no("the screen was not recorded", output));
}

// SIGINT, and all that it still says; by force where it does not end.
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
  bool may_begin_yet = false;  // the recorder never said that it began
};

// How it ended. Where that was not by itself nothing is cancelled any more from there on.
Task<VideoEnd> record(DeviceVideo* recording, const VideoRequest* request) {
  const std::string line = record_video_line(recording->device_file, request->settings);
  auto opened = co_await recording->device->open(adbproto::shell_v2_raw(line));
  if (!opened) co_return std::unexpected(published_shell_error(opened.error()));
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
                     "the recorder did not say that it began: " + done.error().message());
    }
    CO_TRY_VOID(co_await stop_recorder(&recorder));
  }
  CO_TRY_VOID(judge_end(recorder));
  co_return end;
}

// Ends when nothing more has come for too long: how long all of it takes nobody knows.
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
  using namespace adbproto::parallel;
  auto first = co_await (client->get_into(*file, sink) || watch_silence(sink));
  if (first.index() == 0) co_return std::get<0>(std::move(first));
  if (adbproto::is_cancelled(co_await asio::this_coro::cancellation_state)) {
    co_return fail(errc::cancelled, "cancelled");
  }
  co_return std::unexpected(std::get<1>(std::move(first)));
}

Task<Mp4Facts> fetch_video(const DeviceVideo* recording, VideoSink* sink) {
  auto client = co_await adbproto::SyncClient::open(recording->device);
  if (!client) co_return std::unexpected(published_shell_error(client.error()));
  const auto pulled = co_await pull_while_it_comes(client->get(), &recording->device_file, sink);
  if (!pulled && is_link_error(pulled.error())) {
    co_return fail(errc::link_lost, pulled.error().message());
  }
  if (!pulled) co_return std::unexpected(pulled.error());
  auto facts = sink->commit();
  if (facts || facts.error().code() != errc::protocol) co_return std::move(facts);
  co_return not_confirmed("The recording ended, but " + facts.error().message() + ".",
                          recording->device->serial(), {});
}

Task<RecordedVideo> record_and_fetch(DeviceVideo* recording, const VideoRequest* request,
                                     VideoSink* sink) {
  RecordedVideo video;
  CO_TRY(video.end, co_await record(recording, request));
  CO_TRY(video.facts, co_await fetch_video(recording, sink));
  co_return video;
}

}  // namespace

Task<RecordedVideo> record_video(adbproto::Device* device, VideoRequest request) {
  if (!device->features().has("shell_v2")) {
    co_return fail(errc::unsupported, "a video of the screen needs Android 7 or newer");
  }
  CO_TRY(const int sdk, co_await ask_sdk(device));
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
  // It records on to its end without us, and nobody takes the file away.
  co_return std::unexpected(with_details(unknown_end(video.error()),
                                         ErrorMembers().text("deviceFile", recording.device_file)));
}

}  // namespace clawperator
