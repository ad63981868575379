#include <filesystem>

#include "base/number.hpp"
#include "base/suggest.hpp"
#include "base/system/environment.hpp"
#include "base/text.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/limited_task.hpp"
#include "cli/settings.hpp"
#include "runtime/engine/ulid.hpp"
#include "runtime/host/verbs/video.hpp"

namespace clawperator::cli {
namespace {

// longest_video() of the newest Android; the limit of an older phone is checked later.
constexpr int kMaxSeconds = 1800;
constexpr int kMaxSide = 16384;  // as adbproto::kMaxFrameSide: no screen is larger
// The limits of screenrecord, which refuses other rates.
constexpr std::int64_t kMinBitRate = 100'000;
constexpr std::int64_t kMaxBitRate = 200'000'000;  // as above
constexpr auto kEnds = std::to_array<std::string_view>({"time", "timeout", "signal"});

constexpr std::array kRecordVideoOptions{
    Option{"--seconds", "", Arity::one, "<1-1800>", "the duration; at most 180 until Android 13"},
    Option{"--path", "--file", Arity::one, "<file>",
           "the output file; default in the temporary folder"},
    Option{"--size", "", Arity::one, "<WxH>", "the size of the video; default the screen's"},
    Option{"--bit-rate", "", Arity::one, "<n|nM>", "bits a second; default the phone's own"},
};

Result<VideoSize> read_size(std::string_view text) {
  const auto cross = text.find('x');
  const auto width = whole_number<int>(text.substr(0, cross));
  const auto height = cross == text.npos ? std::nullopt : whole_number<int>(text.substr(cross + 1));
  const bool fits =
      width && height && *width > 0 && *height > 0 && *width <= kMaxSide && *height <= kMaxSide;
  if (fits) return VideoSize{*width, *height};
  return validation_error("--size must be WIDTHxHEIGHT in pixels, not '" + clipped(text) + "'");
}

Result<std::int64_t> read_bit_rate(std::string_view text) {
  constexpr std::int64_t kMillion = 1'000'000;
  const bool in_millions = text.ends_with('M') || text.ends_with('m');
  const auto number =
      whole_number<std::int64_t>(in_millions ? text.substr(0, text.size() - 1) : text);
  const bool fits = number && *number > 0 && *number <= kMaxBitRate;
  const std::int64_t bits = fits ? *number * (in_millions ? kMillion : 1) : 0;
  if (bits >= kMinBitRate && bits <= kMaxBitRate) return bits;
  return validation_error("--bit-rate must be from 100000 to 200000000, or from 1M to 200M");
}

std::string default_video_path() {
  return (temp_folder() / ("clawperator-video-" + ascii_lower(new_ulid()) + ".mp4")).string();
}

Result<VideoRequest> read_video_request(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  VideoRequest request;
  const std::string* seconds = arguments.value("--seconds");
  if (seconds == nullptr) {
    return missing_argument("record-video requires --seconds.", "record-video --seconds <n>");
  }
  request.settings.seconds = whole_number<int>(*seconds).value_or(0);
  if (request.settings.seconds < 1 || request.settings.seconds > kMaxSeconds) {
    return validation_error("--seconds must be a whole number from 1 to 1800");
  }
  if (const std::string* size = arguments.value("--size")) {
    TRY(request.settings.size, read_size(*size));
  }
  if (const std::string* rate = arguments.value("--bit-rate")) {
    TRY(request.settings.bits_per_second, read_bit_rate(*rate));
  }
  const std::string* path = arguments.value("--path");
  if (path != nullptr && (path->empty() || *path == "-")) {
    return fail(errc::usage, "--path must name a file");
  }
  request.path = path != nullptr ? expand_home(*path) : default_video_path();
  TRY(request.stop_after, time_limit(invocation.globals));
  return request;
}

Result<Answer> run_record_video(const Invocation& invocation) {
  TRY(VideoRequest request, read_video_request(invocation));
  const std::string path = std::filesystem::absolute(request.path).lexically_normal().string();
  // --timeout ends the recording early; the command then still fetches the file.
  TRY(const auto done,
      run_task(resolve_and_do<RecordedVideo>(invocation.globals.target, [request](auto* device) {
        return record_video(device, request);
      })));
  const RecordedVideo& video = done.value;
  JsonObject json = verb_answer(done.device_id);
  json.text("path", path).number("bytes", static_cast<std::int64_t>(video.bytes));
  json.text("endedBy", kEnds.at(static_cast<std::size_t>(video.end)));
  if (!video.left_behind.empty()) json.text("deviceFile", video.left_behind);
  return Answer{json.str(), {}, {}, 0};
}

}  // namespace

constinit const Command kRecordVideo = {
    .name = "record-video",
    .usage = "--seconds <n> [--path <file>] [--size <WxH>] [--bit-rate <n>]",
    .summary = "Record the screen as a video",
    .details =
        "The phone's own screenrecord writes a file, which is fetched and then removed from the\n"
        "phone. Ctrl-C and --timeout end the recording early, and the file is still fetched. The\n"
        "file gets its name when screenrecord has ended without an error and all bytes have\n"
        "arrived; fewer than 512 bytes are no video. The content is not checked. There is no\n"
        "sound, and apps that forbid pictures are black. On Android 7 to 16; refused if the\n"
        "maker removed screenrecord, and above 180 seconds until Android 13.",
    .examples =
        "record-video --seconds 10 --path screen.mp4\n"
        "record-video --seconds 30 --size 720x1280 --bit-rate 4M\n",
    .options = kRecordVideoOptions,
    .run = run_record_video};

}  // namespace clawperator::cli
