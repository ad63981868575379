#include "runtime/host/emulator/avd.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;
using namespace adbproto;

namespace {

using Reasons = std::vector<std::string>;

constexpr const char* kFitting =
    "PlayStore.enabled=true\n"
    "abi.type=x86_64\n"
    "hw.device.name=pixel_7\n"
    "image.sysdir.1=system-images/android-35/google_apis_playstore/x86_64/\n"
    "tag.id=google_apis_playstore\n";

Avd describe(const std::string& config, const std::string& ini = "",
             HostArch arch = HostArch::x86_64) {
  return describe_avd("test", parse_avd_file(ini), parse_avd_file(config), arch);
}

}  // namespace

TEST_CASE("avd: a file is key=value lines with comments", "[host]") {
  const auto properties = parse_avd_file(
      "# a comment = no key\r\n"
      "; another = one\r\n"
      "\r\n"
      " hw.device.name = pixel_7 \r\n"
      "no equals sign\r\n"
      "=no key\r\n"
      "disk=a=b\r\n"
      "twice=1\r\n"
      "twice=2");
  CHECK(properties ==
        AvdProperties{{"hw.device.name", "pixel_7"}, {"disk", "a=b"}, {"twice", "2"}});
}

TEST_CASE("avd: a huge file and a file of endless keys are cut", "[host]") {
  CHECK(parse_avd_file(std::string(kMaxAvdFile + 10, 'a') + "\nk=v\n").empty());
  std::string many;
  for (int i = 0; i < 10000; ++i) many += "k" + std::to_string(i) + "=v\n";
  CHECK(parse_avd_file(many).size() == kMaxAvdProperties);
}

TEST_CASE("avd: the default profile fits, on each host its own", "[host]") {
  CHECK(default_profile(HostArch::arm64).system_image() ==
        "system-images;android-35;google_apis_playstore;arm64-v8a");
  CHECK(default_profile(HostArch::x86_64).system_image() ==
        "system-images;android-35;google_apis_playstore;x86_64");
  CHECK(default_profile(HostArch::arm64).name == "clawperator-pixel");
  CHECK(default_profile(HostArch::arm64).device == "pixel_7");
  CHECK(supported_abis(HostArch::arm64) == Reasons{"arm64-v8a"});
  CHECK(supported_abis(HostArch::x86_64) == Reasons{"arm64-v8a", "x86_64"});
}

TEST_CASE("avd: one that fits is described whole", "[host]") {
  const Avd avd = describe(kFitting, "target=android-35\n");
  CHECK(avd.supported);
  CHECK(avd.unsupported_reasons.empty());
  CHECK(avd.api_level == 35);
  CHECK(avd.abi == "x86_64");
  CHECK(avd.play_store);
  CHECK(avd.device_profile == "pixel_7");
  CHECK(avd.system_image == "system-images;android-35;google_apis_playstore;x86_64");
}

TEST_CASE("avd: the reasons against one stand in the published order", "[host]") {
  CHECK(describe("").unsupported_reasons == Reasons{"missing_play_store", "unsupported_api_level",
                                                    "unsupported_abi",
                                                    "unsupported_device_profile"});
  CHECK(describe(kFitting, "", HostArch::arm64).unsupported_reasons == Reasons{"unsupported_abi"});
  CHECK(describe(std::string(kFitting) + "hw.device.name=pixel_6\nabi.type=x86\n")
            .unsupported_reasons == Reasons{"unsupported_abi", "unsupported_device_profile"});
  CHECK_FALSE(describe("").supported);
}

TEST_CASE("avd: the API level is the target's, else the image's", "[host]") {
  const auto level = [](const std::string& config, const std::string& ini) {
    return describe(config, ini).api_level;
  };
  CHECK(level("", "target=android-34\n") == 34);
  CHECK(level("target=android-33\n", "target=android-34\n") == 33);
  CHECK(level("image.sysdir.1=system-images/android-31/default/x86/\n", "") == 31);
  CHECK(level("image.sysdir.1=system-images/android-31/default/x86/\n", "target=35\n") == 31);
  CHECK(level("", "target=android-35-ext14\n") == 35);
  CHECK(level("", "target=android-Baklava\n") == std::nullopt);
  CHECK(level("", "target=android-99999999999999999999\n") == std::nullopt);
}

TEST_CASE("avd: each sign of the Play Store counts", "[host]") {
  CHECK(describe("PlayStore.enabled=yes\n").play_store);
  CHECK(describe("PlayStore.enabled=true\n").play_store);
  CHECK_FALSE(describe("PlayStore.enabled=false\n").play_store);
  CHECK(describe("tag.id=google_apis_playstore\n").play_store);
  CHECK_FALSE(describe("tag.id=google_apis\n").play_store);
  CHECK(describe("image.sysdir.1=system-images/android-35/google_apis_playstore/x86_64/\n")
            .play_store);
}

TEST_CASE("avd: the JSON has every member, null for what is unknown", "[host]") {
  CHECK(to_json(describe_avd("gone", {}, {}, HostArch::arm64)) ==
        R"({"name":"gone","exists":false,"running":false,"apiLevel":null,"abi":null,)"
        R"("playStore":false,"deviceProfile":null,"systemImage":null,"supported":false,)"
        R"("unsupportedReasons":["missing_play_store","unsupported_api_level","unsupported_abi",)"
        R"("unsupported_device_profile"]})");
  Avd avd = describe(kFitting);
  avd.exists = avd.running = true;
  CHECK(to_json(avd) ==
        R"({"name":"test","exists":true,"running":true,"apiLevel":35,"abi":"x86_64",)"
        R"("playStore":true,"deviceProfile":"pixel_7",)"
        R"("systemImage":"system-images;android-35;google_apis_playstore;x86_64",)"
        R"("supported":true,"unsupportedReasons":[]})");
}

TEST_CASE("avd: a name is no option, no path and not endless", "[host]") {
  for (const char* name : {"clawperator-pixel", "Pixel_6.api35", "a", "..a"}) {
    CAPTURE(name);
    CHECK(is_avd_name(name));
    CHECK(check_avd_name(name));
  }
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string("-force"),
        std::string("a/b"), std::string("../x"), std::string("a b"), std::string("a\nb"),
        std::string("$(id)"), std::string("\xc3\xa4"), std::string(101, 'a'),
        std::string("a\0b", 3)}) {
    CAPTURE(name);
    CHECK_FALSE(is_avd_name(name));
    const auto checked = check_avd_name(name);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().code() == errc::usage);
  }
}
