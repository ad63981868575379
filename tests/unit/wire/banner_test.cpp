#include "adbproto/wire/banner.hpp"

#include "splits.hpp"

using namespace adbproto;
using namespace std::string_view_literals;

TEST_CASE("banner: what real devices and hosts send is understood", "[wire]") {
  struct Case {
    const char* name;
    std::string_view text;
    Banner banner;
  };
  const auto [name, text, banner] = GENERATE(values<Case>({
      {"host with features",
       "host::features=shell_v2,cmd",
       {.type = "host", .features = {"cmd", "shell_v2"}}},
      {"device with everything and a NUL",
       "device::ro.product.name=sdk;ro.product.model=Pixel 7;ro.product.device=panther;features=a,b\0"sv,
       {.type = "device",
        .product = "sdk",
        .model = "Pixel 7",
        .device = "panther",
        .features = {"a", "b"}}},
      {"old device without features",
       "device::ro.product.name=x;ro.product.model=y;",
       {.type = "device", .product = "x", .model = "y"}},
      {"very old device", "device::", {.type = "device"}},
      {"serial in the middle", "recovery:0123:", {.type = "recovery", .serial = "0123"}},
      {"a colon inside the model keeps the features",
       "device::ro.product.model=A:B;features=shell_v2",
       {.type = "device", .model = "A:B", .features = {"shell_v2"}}},
      {"items that are not key=value are skipped",
       "device::junk;a=b=c;=;ro.product.name;;ro.product.device=d;unknown=1",
       {.type = "device", .device = "d"}},
      {"empty features", "device::features=,,", {.type = "device"}},
      {"no colon at all", "bootloader", {.type = "bootloader"}},
      {"nothing", "", {}},
      {"text behind the NUL is not ours", "host::\0features=x"sv, {.type = "host"}},
  }));
  INFO(name);
  CHECK((parse_banner(text).value() == banner));
  CHECK((parse_banner(as_bytes(text)).value() == banner));
}

TEST_CASE("banner: encoding writes what adbd writes", "[wire]") {
  CHECK(encode_banner({.type = "host", .features = {"shell_v2", "cmd"}}) ==
        "host::features=cmd,shell_v2");
  CHECK(encode_banner({.type = "device",
                       .product = "sdk",
                       .model = "Pixel 7",
                       .device = "panther",
                       .features = {"cmd"}}) ==
        "device::ro.product.name=sdk;ro.product.model=Pixel 7;ro.product.device=panther;"
        "features=cmd");
  CHECK(encode_banner({.type = "device"}) == "device::");
}

TEST_CASE("banner: a property cannot smuggle in another one", "[wire]") {
  const Banner banner{.type = "device", .model = "x;features=root"};
  const auto parsed = parse_banner(encode_banner(banner)).value();
  CHECK(parsed.model == "x_features_root");
  CHECK(parsed.features.empty());
}

TEST_CASE("banner: a property ending in a colon does not swallow the next one", "[wire]") {
  const Banner banner{.type = "device", .model = "A:", .features = {"cmd"}};
  CHECK(encode_banner(banner) == "device::ro.product.model=A:;features=cmd");
}

TEST_CASE("banner: the type is the state that adb shows", "[wire]") {
  const std::string type = GENERATE("device", "recovery", "sideload", "rescue", "bootloader");
  CHECK(connection_state({.type = type}) == type);
  CHECK(connection_state({.type = "host"}) == "host");
  CHECK(connection_state({.type = "anything"}) == "host");
  CHECK(connection_state({}) == "host");
}

TEST_CASE("banner: the limit is 4096 bytes", "[wire]") {
  CHECK(parse_banner(std::string(4096, 'x')));
  CHECK(parse_banner(std::string(4097, 'x')).error().code() == errc::limit);
}

TEST_CASE("feature set: names are unique, sorted and removable", "[wire]") {
  auto set = FeatureSet::from_list("stat_v2,cmd,,cmd");
  CHECK(set.to_string() == "cmd,stat_v2");
  CHECK(set.has("cmd"));
  CHECK_FALSE(set.has("cm"));
  set.remove("cmd");
  set.remove("never there");
  CHECK_FALSE(set.has("cmd"));
  CHECK(set == FeatureSet{"stat_v2"});
  CHECK(FeatureSet::from_list("").empty());
}
