#include "runtime/device/known_phones.hpp"

#include <catch2/catch.hpp>
#include <thread>

#include "runtime/device/errc.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;

namespace {

constexpr const char* kPlace = "10.0.0.1:5555";

// A device that was reached and is not asked for anything.
class ReachedDevice : public Device {
 public:
  explicit ReachedDevice(std::string address, std::string_view route = "tcp")
      : serial_(std::move(address)), route_(route) {}

  Task<ByteStreamPtr> open(std::string service) override {
    co_return fail(errc::io, "opened " + service);
  }
  [[nodiscard]] const std::string& serial() const override { return serial_; }
  [[nodiscard]] const FeatureSet& features() const override { return features_; }
  [[nodiscard]] std::string_view route() const override { return route_; }
  [[nodiscard]] RouteFacts facts() const override { return facts_; }
  [[nodiscard]] std::size_t max_service_size() const override { return 1000; }

  ReachedDevice& is(std::string model, bool tls) {
    facts_.model = std::move(model);
    facts_.tls = tls;
    return *this;
  }

 private:
  std::string serial_;
  std::string_view route_;
  FeatureSet features_;
  RouteFacts facts_;
};

struct KnownHome {
  TempFolder folder;
  Variable home{"HOME", folder.path().string()};
  std::string said{};

  [[nodiscard]] std::filesystem::path file() const {
    return folder.path() / ".clawperator/known_phones.json";
  }
  Result<void> meet(const Device& device, const std::string& serialno, bool accept_new = false) {
    TargetOptions options;
    options.accept_new = accept_new;
    options.on_notice = [this](std::string_view line) { said += line; };
    return run_task(meet_phone(&options, &device, {serialno, "boot"}, nullptr));
  }
  Result<void> meet(const std::string& serialno, bool accept_new = false) {
    return meet(ReachedDevice(kPlace).is("P6", false), serialno, accept_new);
  }
};

}  // namespace

TEST_CASE("known phones: the first is remembered, another one refused until it is accepted",
          "[device][S7]") {
  KnownHome home;
  REQUIRE(home.meet("SN-1"));
  CHECK(file_text(home.file()) ==
        "{\"phones\":[{\"address\":\"10.0.0.1:5555\",\"serialno\":\"SN-1\",\"model\":\"P6\","
        "\"tls\":false}]}\n");
  CHECK(home.meet("SN-1"));
  const auto other = home.meet("SN-2");
  REQUIRE_FALSE(other);
  CHECK(other.error().code() == errc::device_identity_changed);
  CHECK(read_known_phones()->find(kPlace)->serialno == "SN-1");
  CHECK(read_targets()->changes.empty());
  REQUIRE(home.meet("SN-2", true));
  CHECK(read_known_phones()->find(kPlace)->serialno == "SN-2");
  CHECK(read_targets()->changes.contains(kPlace));  // who keeps a link to the first lets go
  CHECK(home.meet("SN-1").error().code() == errc::device_identity_changed);
  CHECK(home.said.empty());
}

TEST_CASE("known phones: TLS that is gone is a change, TLS that is new is learned",
          "[device][S7]") {
  KnownHome home;
  REQUIRE(home.meet("SN-1"));
  REQUIRE(home.meet(ReachedDevice(kPlace).is("P6", true), "SN-1"));
  CHECK(read_known_phones()->find(kPlace)->tls);
  CHECK(home.meet("SN-1").error().code() == errc::device_identity_changed);
  REQUIRE(home.meet("SN-1", true));
  CHECK_FALSE(read_known_phones()->find(kPlace)->tls);
}

TEST_CASE("known phones: cables and adb servers vouch for theirs", "[device][S7]") {
  KnownHome home;
  const char* const route = GENERATE("usb", "server");
  REQUIRE(home.meet(ReachedDevice(kPlace, route), "SN-1"));
  CHECK(home.meet(ReachedDevice(kPlace, route), "SN-2"));
  CHECK_FALSE(std::filesystem::exists(home.file()));
}

TEST_CASE("known phones: what a phone says is kept as a file and a terminal can bear it",
          "[device][S7]") {
  KnownHome home;
  const std::string awkward = std::string("SN\x1b[2J\xff") + std::string(5000, 'x');
  REQUIRE(home.meet(awkward));
  CHECK(home.meet(awkward));
  CHECK(read_known_phones()->find(kPlace)->serialno == "SN?[2J?" + std::string(85, 'x'));
}

TEST_CASE("known phones: a damaged file is kept aside, and its user hears where", "[device][S7]") {
  const std::string whole = R"({"address":"b:1","serialno":"SN-9","tls":true})";
  const std::string text = GENERATE_COPY(
      std::string(), std::string("{"), std::string("[]"), std::string("{\"phones\":7}"),
      "{\"phones\":[" + whole + ",7]}", "{\"phones\":[" + whole + "," + whole + "]}",
      "{\"phones\":[" + whole + R"(,{"address":""}]})",
      "{\"phones\":[" + whole + R"(,{"address":"c:1","model":"\u001b"}]})");
  INFO(text);
  KnownHome home;
  write_text(home.file(), text);
  const bool has_whole = text.contains("SN-9");
  REQUIRE(home.meet("SN-1"));
  CHECK_THAT(home.said, Catch::Contains(home.file().string() + " is damaged"));
  const auto known = read_known_phones();
  REQUIRE(known);
  CHECK_FALSE(known->is_damaged);
  CHECK(known->entries.size() == (has_whole ? 2 : 1));
  CHECK((known->find("b:1") != nullptr) == has_whole);
  const auto at = home.said.find("known_phones.json.damaged-");
  REQUIRE(at != home.said.npos);
  const std::string aside = home.said.substr(at, home.said.find(' ', at) - at);
  CHECK(file_text(home.file().parent_path() / aside) == text);
}

TEST_CASE("known phones: an unreadable file lets no phone in", "[device][S7]") {
  KnownHome home;
  std::filesystem::create_directories(home.file());  // a folder
  CHECK_FALSE(home.meet("SN-1"));
  CHECK_FALSE(read_known_phones());
}

TEST_CASE("known phones: where none can be kept each is the first", "[device][S7]") {
  KnownHome home;
  write_text(home.folder.path() / ".clawperator", "a file");
  REQUIRE(home.meet("SN-1"));
  CHECK_THAT(home.said, Catch::Contains("10.0.0.1:5555 is not remembered"));
  const Variable homeless("HOME", "/dev/null");
  CHECK(home.meet("SN-2"));
}

TEST_CASE("known phones: their number is bounded, the first ones are forgotten", "[device][S7]") {
  KnownHome home;
  KnownPhones many;
  for (std::size_t i = 0; i < KnownPhones::kMost; ++i) {
    many.entries.push_back({.address = "host:" + std::to_string(i + 1), .serialno = "SN"});
  }
  write_text(home.file(), to_json(many));
  REQUIRE(read_known_phones() == many);
  REQUIRE(home.meet("SN-1"));
  const auto known = read_known_phones();
  REQUIRE(known);
  CHECK(known->entries.size() == KnownPhones::kMost);
  CHECK(known->find("host:1") == nullptr);
  CHECK(known->find("host:2") != nullptr);
  CHECK(known->find(kPlace) != nullptr);
  many.entries.push_back({.address = "one:1"});
  CHECK(parse_known_phones(to_json(many)).is_damaged);
}

TEST_CASE("known phones: one is forgotten, or all are", "[device][S7]") {
  KnownHome home;
  REQUIRE(home.meet("SN-1"));
  REQUIRE(home.meet(ReachedDevice("10.0.0.2:5555"), "SN-2"));
  using Names = std::vector<std::string>;
  CHECK(run_task(forget_phones("10.0.0.3:5555", {})) == Names{});
  CHECK(run_task(forget_phones(kPlace, {})) == Names{kPlace});
  CHECK(read_targets()->changes.contains(kPlace));
  CHECK(home.meet("SN-3"));
  CHECK(run_task(forget_phones(std::nullopt, {})) == Names{"10.0.0.2:5555", kPlace});
  CHECK(read_known_phones() == KnownPhones{});
}

TEST_CASE("known phones: of first phones met at the same time none is lost", "[device][S7]") {
  KnownHome home;
  constexpr std::size_t kPhones = 30;
  const auto meet_all = [](const std::string& host) {
    const TargetOptions options;
    for (std::size_t i = 1; i <= kPhones; ++i) {
      const ReachedDevice device(host + ":" + std::to_string(i));
      [[maybe_unused]] const auto met =
          run_task(meet_phone(&options, &device, {"SN", ""}, nullptr));
    }
  };
  {
    const std::jthread one(meet_all, "one");
    const std::jthread two(meet_all, "two");
  }
  CHECK(read_known_phones()->entries.size() == 2 * kPhones);
}
