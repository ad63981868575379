#include "runtime/host/operator/crash_log.hpp"

#include <catch2/catch.hpp>

#include "runtime/engine/errc.hpp"
#include "runtime/host/errc.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

const std::string kCrashed = "com.clawperator.operator";

Result<CrashLog> judged(int status, std::string out, std::string err) {
  return judge_crash_log({status, std::move(out), std::move(err)}, kCrashed);
}

}  // namespace

TEST_CASE("crash log: what the app wrote") {
  const auto log = judged(0, "2026-01-01 [ERROR] [main] x\n", "");
  REQUIRE(log);
  CHECK(log->text == "2026-01-01 [ERROR] [main] x\n");
  CHECK_FALSE(log->truncated);
}

TEST_CASE("crash log: of a long one the end is kept, from the start of a line") {
  const std::string line(1000, 'x');
  std::string text;
  while (text.size() < kMaxCrashLog + 1) text += line + "\n";
  text.erase(0, text.size() - kMaxCrashLog - 1);  // as tail -c gives it
  const auto log = judged(0, text, "");
  REQUIRE(log);
  CHECK(log->truncated);
  CHECK(log->text.size() <= kMaxCrashLog);
  CHECK(log->text.starts_with(line + "\n"));
  CHECK(log->text.ends_with(line + "\n"));
}

TEST_CASE("crash log: no file yet means no crash yet") {
  const auto log = judged(1, "", "tail: files/crash-log.txt: No such file or directory\n");
  REQUIRE(log);
  CHECK(log->text.empty());
}

TEST_CASE("crash log: why it cannot be read") {
  struct Row {
    std::string err;
    Errc code;
    std::string part;
  };
  const auto row = GENERATE(values<Row>({
      {"run-as: package not debuggable: com.clawperator.operator\n", errc::crash_log_unavailable,
       "debuggable"},
      {"run-as: unknown package: com.clawperator.operator\n", errc::operator_not_installed,
       "not installed"},
      {"run-as: Package 'com.clawperator.operator' is unknown\n", errc::operator_not_installed,
       "not installed"},
      {"run-as: couldn't stat /data/user/0/x: Permission denied\n", errc::crash_log_unavailable,
       "Permission denied"},
      {"run-as: exec failed for tail: No such file or directory\n", errc::crash_log_unavailable,
       "exec failed"},
      {"", errc::crash_log_unavailable, "no reason"},
  }));
  CAPTURE(row.err);
  const auto log = judged(1, "", row.err);
  REQUIRE_FALSE(log);
  CHECK(log.error().code() == row.code);
  CHECK_THAT(log.error().message(), Catch::Contains(row.part));
}

TEST_CASE("crash log: the reason is bounded") {
  const auto log = judged(1, "", std::string(100'000, 'x'));
  REQUIRE_FALSE(log);
  CHECK(log.error().message().size() < 2000);
}
