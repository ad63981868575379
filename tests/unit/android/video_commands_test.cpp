#include "runtime/android/system_commands.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("video: the recorder's command", "[android]") {
  const std::string file = video_file("01jd");
  CHECK(file == "/data/local/tmp/clawperator-01jd.mp4");
  CHECK(record_video_line(file, {.seconds = 5}) ==
        "echo 'clawperator-pid:'$$; exec screenrecord --time-limit 5 "
        "'/data/local/tmp/clawperator-01jd.mp4'");
  CHECK(record_video_line(file, {5, VideoSize{720, 1280}, 4'000'000})
            .contains(" --time-limit 5 --size 720x1280 --bit-rate 4000000 "));
  CHECK(stop_recorder_line(4711) == "kill -INT 4711 2>/dev/null || true");
  CHECK(longest_video(24) == 180);
  CHECK(longest_video(33) == 180);
  CHECK(longest_video(34) == 1800);
}
