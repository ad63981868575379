#include "simdroid/device/log_buffer.hpp"

#include <catch2/catch.hpp>

#include "simdroid/device/logcat_options.hpp"
#include "unit/simdroid/userland_support.hpp"

using namespace simdroid;
using simdroid::testing::Ran;
using simdroid::testing::TestPhone;

namespace {

LogEntry entry(std::string tag, std::string message, int pid = 100) {
  LogEntry result;
  result.pid = pid;
  result.tag = std::move(tag);
  result.message = std::move(message);
  return result;
}

void fill(TestPhone* phone, int count) {
  phone->phone().log.clear();
  for (int i = 1; i <= count; ++i)
    phone->phone().log.append(entry("T", "line " + std::to_string(i)));
}

}  // namespace

TEST_CASE("log buffer: positions count on when the oldest entries are lost") {
  adbproto::testing::Loop loop;
  constexpr std::size_t kRoomForTwo = 80;
  LogBuffer log(loop.executor(), kRoomForTwo);
  for (const char* text : {"a", "b", "c"}) log.append(entry("T", text));
  CHECK(log.first() == 2);
  CHECK(log.end() == 4);
  CHECK(log.at(2).message == "b");
  CHECK(log.lost_to_overflow() == 1);
  CHECK(log.bytes() <= kRoomForTwo);
}

TEST_CASE("log buffer: a message is cut where liblog cuts it") {
  adbproto::testing::Loop loop;
  LogBuffer log(loop.executor());
  log.append(entry("Tag", std::string(9000, 'x')));
  CHECK(log.at(1).message.size() == 4068 - 3 - 3);
}

TEST_CASE("log buffer: a reader sleeps until something comes") {
  adbproto::testing::Loop loop;
  LogBuffer log(loop.executor());
  const auto waiting = loop.start([](LogBuffer* from) -> Task<std::string> {
    while (from->end() == from->first()) co_await from->changed().wait();
    co_return from->at(from->first()).message;
  }(&log));
  loop.settle();
  CHECK_FALSE(waiting->done());
  log.append(entry("T", "news"));
  CHECK(loop.finish(waiting) == "news");
}

TEST_CASE("logcat: -d, -t, -T, -m, --pid, -s and filters choose the entries") {
  TestPhone phone;
  fill(&phone, 5);
  phone.phone().log.append(entry("Other", "o", 200));
  CHECK(phone.out("logcat -d -v raw -T 2 | tail -n 2") == "line 5\no\n");
  CHECK(phone.out("logcat -t 1 -v raw") == "--------- beginning of main\no\n");
  CHECK(phone.out("logcat -d -v raw -m 1") == "--------- beginning of main\nline 1\n");
  CHECK(phone.out("logcat -d -v raw --pid=200 | tail -n 1") == "o\n");
  CHECK(phone.out("logcat -d -v raw -s Other | wc -l") == "2\n");
  CHECK(phone.out("logcat -d -v raw 'T:S' | tail -n 1") == "o\n");
  CHECK(phone.out("logcat -d -v raw -e 'line [35]' | wc -l") == "3\n");
  CHECK(phone.out("logcat -d -b crash").empty());
  CHECK(phone.out("logcat -dBT1").size() == 28 + 1 + 6 + 2);
}

TEST_CASE("logcat: -T with a time leaves out what is older") {
  PhoneOptions options;
  options.boot = simdroid::testing::sample_time();
  TestPhone phone(options);
  phone.phone().log.clear();
  LogEntry old = entry("T", "old");
  old.time = options.boot - std::chrono::seconds(1);
  LogEntry young = entry("T", "young");
  young.time = options.boot + std::chrono::seconds(1);
  phone.phone().log.append(old);
  phone.phone().log.append(young);
  CHECK(phone.out("logcat -d -v raw -T '01-02 03:04:05.678'").contains("young"));
  CHECK_FALSE(phone.out("logcat -d -v raw -T '01-02 03:04:05.678'").contains("old"));
  CHECK_FALSE(phone.out("logcat -d -v raw -T 1767323045.6").contains("old"));
}

TEST_CASE("logcat: -G gives the log another size, and the oldest entries go where it is less") {
  TestPhone phone;
  LogBuffer& log = phone.phone().log;
  const auto append = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) log.append(entry("T", std::string(1000, 'x')));
  };
  append(LogBuffer::kDefaultCapacity / 1000 + 1);
  const auto lost = log.lost_to_overflow();
  CHECK(lost > 0);
  CHECK(phone.run("logcat -G 16M").status == 0);
  append(LogBuffer::kDefaultCapacity / 1100);
  CHECK(log.lost_to_overflow() == lost);
  CHECK(phone.run("logcat --buffer-size=64K").status == 0);
  CHECK(log.bytes() <= 64 * 1024);
  CHECK(log.lost_to_overflow() > lost);
}

TEST_CASE("logcat: -c is done, and counted") {
  TestPhone phone;
  fill(&phone, 2);
  CHECK(phone.phone().counters.get("logcat_clear") == 0);
  phone.run("logcat -c");
  CHECK(phone.phone().counters.get("logcat_clear") == 1);
  CHECK(phone.out("logcat -d").empty());
}

TEST_CASE("logcat: a wrong command line says so and exits with 1") {
  const std::string line =
      GENERATE("-v fancy", "-v nsec", "-T yesterday", "-D", "-f x", "-b nosuch", "-m x", "-G x",
               "-G 1K", "-G 257M", "-G 1G", "-Q", "--nosuch", "-T", "T:Q");
  TestPhone phone;
  const Ran ran = phone.run("logcat -d " + line);
  INFO(line);
  CHECK(ran.status == 1);
  CHECK(ran.out.empty());
  CHECK_FALSE(ran.err.empty());
}

TEST_CASE("logcat: it follows the log as it grows") {
  TestPhone phone;
  fill(&phone, 1);
  const auto out = std::make_shared<Capture>(4096);
  Shell shell(&phone.phone());
  const auto running =
      phone.loop().start(shell.run_text("logcat -v raw -m 2", Io{null_stream(), out, out}));
  phone.loop().settle();
  CHECK_FALSE(running->done());
  phone.phone().log.append(entry("T", "later"));
  CHECK(phone.loop().finish(running) == 0);
  CHECK(out->take() == "--------- beginning of main\nline 1\nlater\n");
}
