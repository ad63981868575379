#include "runtime/daemon/messages.hpp"
#include "adbproto/wire/errc.hpp"
#include "base/system/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/ulid.hpp"

#include <catch2/catch.hpp>

#include "base/error_members.hpp"
#include "runtime/android/errc.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/parse.hpp"
#include "runtime/image/errc.hpp"
#include "runtime/ui/errc.hpp"

using namespace clawperator;
using namespace clawperator::daemon;
using namespace std::chrono_literals;

namespace {

const Surface kSurface{.version = "1.2.3",
                       .settings = {{"HOME", "/h\"x"}, {"adb server", "tcp:7"}}};

ExecuteRequest request_of(std::string_view action) {
  auto execution = parse_execution(
      R"({"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator","timeoutMs":2000,"actions":[)" +
      std::string(action) + "]}");
  REQUIRE(execution);
  ExecuteRequest request;
  request.execution = *std::move(execution);
  request.operator_package = "a.b";
  request.broadcast_action = "a.GO";
  return request;
}

constexpr std::string_view kShot =
    R"({"id":"s","type":"take_screenshot","params":{"path":"x.png"}})";

}  // namespace

TEST_CASE("daemon messages: a request comes as it was", "[daemon]") {
  ExecuteRequest request = request_of(kShot);
  request.target.device = "emulator-5554";
  request.target.transport = Transport::tcp;
  request.target.honour_android_serial = false;
  request.target.authorization_limit = 7s;
  request.backend = Backend::shell;
  request.screenshot = {.format = PictureFormat::jpeg,
                        .quality = 55,
                        .max_side = 640,
                        .marks = Marked::actionable,
                        .to_memory = true,
                        .default_path = "/tmp/é.png"};
  request.ask_screen_size = true;
  request.shown = ShownNode{
      .ref = "1a2b3c4d5e6f@7",
      .app = "a.b",
      .front = "a.c",
      .class_name = "android.view.View",
      .bounds = {-1, 2, 30000, 4},
      .appearance = "0123456789ab",
      .matcher = {.resource_id = "a.b:id/\"x",
                  .role = "button",
                  .text_equals = "A\nB",
                  .description_equals = "é"},
      .is_unique = true,
      .ancestor_id = "a.b:id/root",
      .witnesses = {{{.resource_id = "a.b:id/t", .text_equals = "T\n"}, {}}, "android:id/content"},
      .shown_by = showing("S1", "usb:1-2")};
  request.traceparent = {"0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", true};
  request.grace = 1234ms;
  request.lock_patience = 3600000ms;
  request.await_service = false;
  request.timings = true;
  request.on_event = [](std::string_view) {};
  const auto asked = decode_request(encode_request(kSurface, request, {}));
  REQUIRE(asked);
  CHECK(asked->surface == kSurface);
  CHECK(asked->wants_events);
  const ExecuteRequest& got = asked->request;
  CHECK(to_json(got.execution) == to_json(request.execution));
  CHECK(got.execution.actions.at(0).as<Screenshot>()->path == "x.png");
  CHECK(got.target.device == "emulator-5554");
  CHECK(got.shown == request.shown);
  CHECK(got.target.transport == Transport::tcp);
  CHECK_FALSE(got.target.honour_android_serial);
  CHECK(got.target.authorization_limit == 7s);
  CHECK(got.traceparent == request.traceparent);
  CHECK(got.operator_package == "a.b");
  CHECK(got.broadcast_action == "a.GO");
  CHECK(got.backend == Backend::shell);
  CHECK(got.screenshot.format == PictureFormat::jpeg);
  CHECK(got.screenshot.quality == 55);
  CHECK(got.screenshot.max_side == 640);
  CHECK(got.screenshot.marks == Marked::actionable);
  CHECK(got.screenshot.to_memory);
  CHECK(got.screenshot.default_path == "/tmp/é.png");
  CHECK(got.ask_screen_size);
  CHECK(got.grace == 1234ms);
  CHECK(got.lock_patience == 3600000ms);
  CHECK_FALSE(got.await_service);
  CHECK(got.timings);
}

TEST_CASE("daemon messages: what a request leaves open stays open", "[daemon]") {
  const auto asked = decode_request(encode_request({}, request_of(kShot), {}));
  REQUIRE(asked);
  CHECK_FALSE(asked->wants_events);
  CHECK_FALSE(asked->request.target.device);
  CHECK_FALSE(asked->request.screenshot.max_side);
  CHECK_FALSE(asked->request.screenshot.marks);
  CHECK_FALSE(asked->request.screenshot.default_path);
}

TEST_CASE("daemon messages: an execution that breaks the contract is refused", "[daemon]") {
  const auto asked = decode_request(R"({"execution":{"actions":[]}})");
  REQUIRE_FALSE(asked);
  CHECK(asked.error().code() == errc::execution_validation_failed);
  CHECK_FALSE(decode_request("{}"));
  CHECK_FALSE(decode_request("["));
}

TEST_CASE("daemon messages: a result comes as it was", "[daemon]") {
  ExecuteResult result;
  result.envelope.command_id = "c";
  result.envelope.task_id = "t";
  result.envelope.status = EnvelopeStatus::failed;
  result.envelope.step_results = {{"s", "click", false, {{"error", "NODE_NOT_FOUND"}}}};
  result.envelope.error = "it failed";
  result.envelope.error_code = "SERVICE_UNAVAILABLE";
  result.envelope.hint = "switch it on";
  result.device_id = "emulator-5554";
  result.place = "usb:1-2";
  result.execution_id = "01J";
  result.backend = Backend::shell;
  result.timings = {1us, 2us, 3us, 4us, 5us, 6us, 7us, 8us, 9us};
  result.screen = ScreenSize{1080, 2400};
  const auto got = decode_result(encode_result(result));
  REQUIRE(got);
  CHECK(got->envelope == result.envelope);
  CHECK(got->device_id == "emulator-5554");
  CHECK(got->place == "usb:1-2");
  CHECK(got->execution_id == "01J");
  CHECK(got->backend == Backend::shell);
  CHECK(to_json(got->timings) == to_json(result.timings));
  CHECK(got->screen == result.screen);
}

TEST_CASE("daemon messages: secrets go along, there and back", "[daemon][secrets]") {
  ExecuteRequest request = request_of(
      R"({"id":"e","type":"enter_text","params":{"matcher":{"role":"r"},"text":"x","secret":true}})");
  request.secrets.add("typed \"before\"");
  const auto asked = decode_request(encode_request(kSurface, request, {}));
  REQUIRE(asked);
  CHECK(asked->request.execution == request.execution);
  CHECK(asked->request.execution.actions.at(0).as<EnterText>()->secret);
  CHECK(asked->request.secrets.texts() == std::vector<std::string>{"typed \"before\""});
  ExecuteResult result;
  result.envelope.command_id = "c";
  result.secrets.add("x");
  const auto got = decode_result(encode_result(result));
  REQUIRE(got);
  CHECK(got->secrets.texts() == std::vector<std::string>{"x"});
}

TEST_CASE("daemon messages: every error of an execution keeps its name, its text and its members",
          "[daemon]") {
  const auto room = GENERATE(as<ErrorList>(), base::kBaseErrors, base::kSystemErrors,
                             adbproto::kProtocolErrors, kContractErrors, kAndroidErrors,
                             kPictureErrors, kScreenErrors, kDeviceErrors, kEngineErrors);
  for (const ErrorCode* row : room) {
    const Error error(*row, "text\nof it", R"({"hint":"x"})");
    const auto got = decode_error(encode_error(error));
    REQUIRE(got);
    CHECK(to_json(*got) == to_json(error));
    CHECK(got->code() == error.code());
  }
}

TEST_CASE("daemon messages: nonsense is its own error", "[daemon]") {
  CHECK_FALSE(decode_result("{}"));
  CHECK_FALSE(decode_result(std::string("{}\0{}", 5)));
  CHECK_FALSE(decode_error(R"({"code":"NO_SUCH_CODE"})"));
}

TEST_CASE("daemon messages: the requested proof, and the pictures' result", "[daemon]") {
  ExecuteRequest request = request_of(kShot);
  request.verify = Verify{.what = Verify::What::settled, .still = 70ms};
  const auto asked = decode_request(encode_request(kSurface, request, {}));
  REQUIRE(asked);
  REQUIRE(asked->request.verify);
  CHECK(asked->request.verify->settles());
  CHECK(asked->request.verify->still == 70ms);
  request.verify.reset();
  CHECK_FALSE(decode_request(encode_request(kSurface, request, {}))->request.verify);

  ExecuteResult result;
  result.envelope.command_id = "c";
  result.envelope.task_id = "t";
  result.proof.changed = false;
  const auto decoded = decode_result(encode_result(result));
  REQUIRE(decoded);
  CHECK(decoded->proof.changed == false);
  CHECK_FALSE(decoded->proof.settled);
}

TEST_CASE("messages: a dispatch id that is one is the first dispatch's, and no later one's",
          "[daemon][S1]") {
  const std::string id = new_dispatch_id();
  const auto asked = decode_request(encode_request(kSurface, request_of(kShot), id));
  REQUIRE(asked);
  REQUIRE(asked->request.dispatch_ids);
  CHECK(asked->request.dispatch_ids() == id);
  const std::string next = asked->request.dispatch_ids();
  CHECK(next != id);
  CHECK(is_dispatch_id(next));
  for (const char* bad : {"", "c1", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"}) {
    const auto other = decode_request(encode_request(kSurface, request_of(kShot), bad));
    REQUIRE(other);
    CHECK_FALSE(other->request.dispatch_ids);
  }
}
