// What takes long is done beside the loop, whatever the device hands over: others wait on it.

#include "runtime/engine/engine.hpp"

#include <catch2/catch.hpp>

#include "base/async/memory_budget.hpp"
#include "support/engine_bench.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::testing;
using namespace std::chrono_literals;

namespace {

// Of the processor's time: 20 ms, and five times as much for what the sanitizers cost. Done on the
// loop, each of these takes more than twice as long.
constexpr auto kLongestHold = 100ms;
constexpr std::size_t kPacket = 32 * 1024;  // as adbd cuts what a command prints

// 1080 x 2400 in RGBA, of many colours.
std::string raw_frame() {
  constexpr std::uint32_t kHeader[] = {1080, 2400, 1, 1};
  std::string frame(reinterpret_cast<const char*>(kHeader), sizeof kHeader);
  for (std::uint32_t i = 0; i < kHeader[0] * kHeader[1]; ++i) {
    const std::uint32_t pixel = 0xff000000U | (i * 2654435761U) >> 8U;
    frame.append(reinterpret_cast<const char*>(&pixel), sizeof pixel);
  }
  return frame;
}

Task<void> write_packets(ByteStreamPtr stream, std::shared_ptr<const std::string> out) {
  for (std::size_t at = 0; at < out->size(); at += kPacket) {
    const auto piece = std::string_view(*out).substr(at, kPacket);
    CO_TRY_VOID(co_await stream->write_all(
        encode_shell_packet(adbproto::ShellId::standard_out, adbproto::as_bytes(piece))));
  }
  const auto end = encode_shell_packet(adbproto::ShellId::exit, std::array{std::byte(0)});
  co_return co_await stream->write_all(end);
}

FakeService prints_in_packets(std::string out) {
  const auto shared = std::make_shared<const std::string>(std::move(out));
  return [shared](ByteStreamPtr stream, const std::string&) {
    return write_packets(std::move(stream), shared);
  };
}

// As the app draws it, of some 1 MB.
std::string large_tree() {
  std::string xml =
      "[TaskScope] UI Hierarchy:\n<?xml version='1.0'?>\n<hierarchy rotation=\"0\">\n";
  for (int i = 0; i < 5000; ++i) {
    xml += "<node index=\"" + std::to_string(i) +
           "\" text=\"row\" resource-id=\"com.example:id/row\" class=\"android.widget.TextView\" "
           "package=\"com.example\" content-desc=\"\" checkable=\"false\" clickable=\"true\" "
           "bounds=\"[0,0][10,10]\" />\n";
  }
  return xml + "</hierarchy>";
}

// As a phone does: a few lines at a time.
Task<void> log_slowly(FakePhone* phone, std::vector<std::string> entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    phone->log_entry(entries[i]);
    if (i % 50 == 0) co_await sleep_for(1ms);
  }
  phone->log(result_line(step("s1", "snapshot_ui")));
  co_return ok();
}

}  // namespace

TEST_CASE("loop: a picture is encoded beside it", "[loopback]") {
  EngineBench at;
  at.phone.screencap = prints_in_packets(raw_frame());
  auto request = EngineBench::request(R"({"id":"p1","type":"take_screenshot"})");
  request.backend = Backend::shell;
  request.screenshot.max_side = 2400;  // a scaled picture is made of the raw frame
  request.screenshot.to_memory = true;
  const auto result = at.run(std::move(request));
  REQUIRE(result);
  CHECK(result->picture.size() > 1000);
  CHECK(at.loop.longest_hold() < kLongestHold);
}

TEST_CASE("loop: a large tree is looked through beside it", "[loopback]") {
  EngineBench at;
  std::vector<std::string> entries = timber_entries(large_tree());
  std::shared_ptr<Started<void>> drawing;
  at.phone.on_broadcast = [&](const std::string&) {
    at.phone.log(kBegun);
    drawing = at.loop.start(log_slowly(&at.phone, std::move(entries)));
  };
  const auto result = at.run(R"({"id":"s1","type":"snapshot_ui"})");
  REQUIRE(result);
  CHECK(succeeded(result->envelope));
  CHECK(at.loop.longest_hold() < kLongestHold);
}

TEST_CASE("capture: a picture that the process has no room for is refused before it is read",
          "[loopback]") {
  EngineBench at;
  adbproto::MemoryBudget::of(at.loop.executor()).set_limit(1 << 20);
  at.phone.screencap = prints_in_packets(raw_frame());
  auto request = EngineBench::request(R"({"id":"p1","type":"take_screenshot"})");
  request.backend = Backend::shell;
  request.screenshot.format = PictureFormat::jpeg;
  request.screenshot.to_memory = true;
  const auto result = at.run(std::move(request));
  REQUIRE(result);
  const StepResult& step = result->envelope.step_results.at(0);
  CHECK_FALSE(step.success);
  REQUIRE(find_data(step.data, "message"));
  CHECK(*find_data(step.data, "message") == "this process may not hold another 9 MiB now");
  CHECK(adbproto::MemoryBudget::of(at.loop.executor()).held() == 0);
}
