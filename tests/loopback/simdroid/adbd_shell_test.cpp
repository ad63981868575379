#include "simdroid/adbd/daemon.hpp"

#include <catch2/catch.hpp>

#include "loopback/simdroid/sim_support.hpp"
#include "support/hex.hpp"

using namespace simdroid;
using simdroid::testing::Shelled;
using simdroid::testing::SimHost;

TEST_CASE("simdroid adbd: shell v2 keeps stdout, stderr and status apart") {
  const bool delayed = GENERATE(false, true);
  const FeatureSet features =
      delayed ? FeatureSet{"shell_v2", "delayed_ack"} : FeatureSet{"shell_v2"};
  SimHost sim({}, features);
  const Shelled ran = sim.shell("echo out; echo err >&2; exit 300");
  CHECK(ran.out == "out\n");
  CHECK(ran.err == "err\n");
  CHECK(ran.status == 300 % 256);
}

TEST_CASE("simdroid adbd: shell v1 and exec merge both streams and have no status") {
  SimHost sim;
  CHECK(sim.exchange("shell:echo a; echo b >&2; false") == "a\nb\n");
  CHECK(sim.exchange("exec:echo a; echo b >&2") == "a\nb\n");
}

TEST_CASE("simdroid adbd: abb runs a service without a shell, framed or raw") {
  SimHost sim;
  using namespace std::string_literals;
  CHECK(SimHost::decode(sim.exchange("abb:settings\0get\0global\0adb_enabled"s)).out == "1\n");
  CHECK(sim.exchange("abb_exec:package\0list\0packages\0com.clawperator.operator"s) ==
        "package:com.clawperator.operator\n");
  CHECK(SimHost::decode(sim.exchange("abb:nosuch\0x"s)).err == "cmd: Can't find service: nosuch\n");
  // No shell: what looks like one is an argument.
  CHECK(SimHost::decode(sim.exchange("abb:settings\0get\0global\0$(echo adb_enabled)"s)).out ==
        "null\n");
}

TEST_CASE("simdroid adbd: abb's status is 1, its empty words are lost, a long name is cut",
          "[T4]") {
  SimHost sim;
  using namespace std::string_literals;
  CHECK(SimHost::decode(sim.exchange("abb:settings\0get\0global\0adb_enabled"s)).status == 1);
  CHECK(SimHost::decode(sim.exchange("abb:settings\0\0get\0\0global\0adb_enabled\0"s)).out ==
        "1\n");
  const std::string words = "settings\0get\0global\0adb_enabled\0"s;
  const std::string fits = words + std::string(0xffff - words.size(), 'x');
  CHECK(SimHost::decode(sim.exchange("abb:" + fits)).out == "1\n");
  CHECK(SimHost::decode(sim.exchange("abb:" + fits + "x")).out.empty());
}

TEST_CASE("simdroid adbd: stdin arrives and ends") {
  SimHost sim;
  CHECK(sim.shell("cat; echo end", "some\ninput").out == "some\ninputend\n");
  CHECK(sim.shell("sh", "echo a\nexit 5\n").status == 5);
}

TEST_CASE("simdroid adbd: large output is whole under both flow controls") {
  const bool delayed = GENERATE(false, true);
  SimHost sim({}, delayed ? FeatureSet{"shell_v2", "delayed_ack"} : FeatureSet{"shell_v2"});
  constexpr std::size_t kSize = 20'000'000;
  const Shelled ran = sim.shell("yes | head -c " + std::to_string(kSize));
  CHECK(ran.out.size() == kSize);
  CHECK(ran.status == 0);
}

TEST_CASE("simdroid adbd: a terminal echoes what is typed ahead, edits, and turns LF into CR LF") {
  SimHost sim;
  CHECK(sim.exchange("shell:", "echo ax\x7f\rexit\r") ==
        "simdroid:/ $ echo ax\b \b\r\nexit\r\na\r\nsimdroid:/ $ ");
}

TEST_CASE("simdroid adbd: what the shell does not know ends a script, not a terminal's session") {
  SimHost sim;
  CHECK(sim.shell("set -e; echo on").out.empty());
  CHECK(sim.exchange("shell:", "set -e\recho {a,b}\recho on\rexit\r").contains("$ on\r\n"));
}

TEST_CASE("simdroid adbd: closing a stream ends its command") {
  SimHost sim;
  auto stream = sim.open("shell,v2,raw:logcat");
  REQUIRE(stream);
  sim.loop().settle();
  CHECK(sim.phone().processes.pid_of("sh -c logcat") != 0);
  (*stream)->close();
  sim.loop().settle();
  CHECK(sim.phone().processes.pid_of("sh -c logcat") == 0);
}

TEST_CASE("simdroid adbd: many streams at once do not disturb each other") {
  SimHost sim;
  constexpr int kStreams = 50;
  std::vector<ByteStreamPtr> open;
  open.reserve(kStreams);
  for (int i = 0; i < kStreams; ++i) open.push_back(*sim.open("shell,v2,raw:cat"));
  for (int i = 0; i < kStreams; ++i)
    CHECK(sim.shell("echo " + std::to_string(i)).out == std::to_string(i) + "\n");
}

TEST_CASE("simdroid adbd: unknown services and ports without a listener are refused") {
  const std::string service =
      GENERATE("nosuch:", "spin", "dev:/dev/null", "tcp:8080", "localabstract:x", "jdwp:77", "");
  SimHost sim;
  INFO(service);
  const auto opened = sim.open(service);
  REQUIRE_FALSE(opened);
  CHECK(opened.error().code() == errc::refused);
  CHECK(sim.shell("echo alive").out == "alive\n");
}

TEST_CASE("simdroid adbd: simple services say what adbd says") {
  SimHost sim;
  CHECK(sim.exchange("root:") == "adbd cannot run as root in production builds\n");
  CHECK(sim.exchange("tcpip:0") == "invalid port 0\n");
  CHECK(sim.exchange("jdwp").empty());
  const std::string frame = sim.exchange("framebuffer:");
  CHECK(frame.size() == 14 * 4 + std::size_t{1080} * 2400 * 4);
  CHECK(frame.starts_with(std::string("\x02\0\0\0\x20\0\0\0", 8)));
  // Of red, blue, green and alpha: the first bit, and how many.
  const Bytes colours = adbproto::testing::from_hex(
      "00000000 08000000 10000000 08000000 08000000 08000000 18000000 08000000");
  CHECK(frame.substr(24, 32) == as_text(colours));
}

TEST_CASE("simdroid adbd: reverse ports lead back to the host") {
  SimHost sim;
  CHECK(sim.exchange("reverse:forward:tcp:7001;tcp:7002") == "OKAY00047001");
  CHECK(sim.exchange("reverse:forward:norebind:tcp:7001;tcp:1") ==
        "FAIL001dcannot rebind existing socket");
  const std::string list = sim.exchange("reverse:list-forward");
  CHECK(list.ends_with(" tcp:7001 tcp:7002\n"));

  const auto talk = sim.loop().start([](TransportConnection* connection) -> Task<std::string> {
    CO_TRY(const auto stream, co_await connection->open("exec:nc localhost 7001"));
    Bytes buffer(100);
    CO_TRY(const std::size_t size, co_await stream->read_some(buffer));
    co_return std::string(as_text(ByteView(buffer).first(size)));
  }(&sim.connection()));
  sim.loop().settle();
  REQUIRE(sim.opened_back == std::vector<std::string>{"tcp:7002"});
  REQUIRE(sim.loop().run(sim.streams_back[0]->write_all(as_bytes("from the host"))));
  CHECK(sim.loop().finish(talk) == "from the host");

  CHECK(sim.exchange("reverse:killforward:tcp:7001") == "OKAY");
  CHECK(sim.exchange("reverse:killforward:tcp:7001") == "FAIL001dlistener 'tcp:7001' not found");
  CHECK(sim.shell("nc localhost 7001").status == 1);
}

TEST_CASE("simdroid adbd: a feature that is off is neither announced nor served") {
  SimOptions options;
  options.features_off = {"abb", "shell_v2"};
  SimHost sim(options);
  CHECK_FALSE(sim.connection().agreement().peer.features.has("abb"));
  CHECK(sim.connection().agreement().peer.features.has("cmd"));
  CHECK_FALSE(sim.open("abb:settings"));
  CHECK(sim.exchange("shell,v2,raw:echo raw") == "raw\n");
}
