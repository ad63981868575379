#include "runtime/trace/trace_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/temp_folder.hpp"

using namespace clawperator;
using adbproto::testing::file_text;
using adbproto::testing::TempFolder;

namespace {

std::vector<std::string> names_in(const std::string& path) {
  std::vector<std::string> names;
  for (const auto& event : nlohmann::json::parse(file_text(path))) names.push_back(event["name"]);
  return names;
}

mode_t mode_of(const std::string& path) {
  struct stat found{};
  REQUIRE(::stat(path.c_str(), &found) == 0);
  return found.st_mode & 07777;
}

}  // namespace

TEST_CASE("trace file: it is an array of one event a line", "[unit]") {
  const TempFolder folder;
  const std::string path = folder.file("t.json");
  auto file = TraceFile::open(path);
  REQUIRE(file);
  CHECK(file_text(path) == "[\n]\n");
  (*file)->add(R"({"name":"a"})");
  (*file)->add(R"({"name":"b"})");
  REQUIRE((*file)->finish());
  CHECK(file_text(path) == "[\n{\"name\":\"a\"},\n{\"name\":\"b\"}\n]\n");
  CHECK(mode_of(path) == 0600);
}

TEST_CASE("trace file: in whatever batches events are written, none is lost", "[unit]") {
  const TempFolder folder;
  const std::string path = folder.file("t.json");
  auto file = TraceFile::open(path);
  REQUIRE(file);
  for (int i = 0; i < 2000; ++i) (*file)->add(R"({"name":"event"})");
  REQUIRE((*file)->finish());
  CHECK(names_in(path).size() == 2000);
}

TEST_CASE("trace file: an old file is emptied and becomes its user's alone", "[unit]") {
  const TempFolder folder;
  const std::string path = folder.file("t.json");
  std::ofstream(path) << std::string(1000, 'x');
  REQUIRE(::chmod(path.c_str(), 0644) == 0);
  auto file = TraceFile::open(path);
  REQUIRE(file);
  REQUIRE((*file)->finish());
  CHECK(file_text(path) == "[\n]\n");
  CHECK(mode_of(path) == 0600);
}

TEST_CASE("trace file: what is no regular file is refused and stays as it is", "[unit]") {
  const TempFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::string& path :
       {pipe, folder.path().string(), std::string("/dev/null"), folder.file("no/folder")}) {
    INFO(path);
    const auto file = TraceFile::open(path);
    REQUIRE_FALSE(file);
    CHECK(file.error().code() == errc::file_write_failed);
    CHECK_THAT(file.error().message(), Catch::Contains(path));
  }
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  CHECK_FALSE(TraceFile::open(pipe));
  ::close(reader);
}

TEST_CASE("trace file: two do not write to one file", "[unit]") {
  const TempFolder folder;
  const std::string path = folder.file("t.json");
  auto first = TraceFile::open(path);
  REQUIRE(first);
  (*first)->add(R"({"name":"a"})");
  CHECK_FALSE(TraceFile::open(path));
  REQUIRE((*first)->finish());
  CHECK(names_in(path) == std::vector<std::string>{"a"});
  CHECK(TraceFile::open(path));
}

TEST_CASE("trace file: what the buffer does not take is counted in a note", "[unit]") {
  const TempFolder folder;
  const std::string path = folder.file("t.json");
  auto file = TraceFile::open(path, {.buffer = 10});
  REQUIRE(file);
  for (int i = 0; i < 3; ++i) (*file)->add(R"({"name":"too long"})");
  REQUIRE((*file)->finish());
  const auto events = nlohmann::json::parse(file_text(path));
  REQUIRE(events.size() == 1);
  CHECK(events[0]["name"] == "events dropped");
  CHECK(events[0]["args"]["count"] == 3);
}

TEST_CASE("trace file: at its limit it ends with a note", "[unit]") {
  const TempFolder folder;
  const std::string path = folder.file("t.json");
  auto file = TraceFile::open(path, {.file = 40});
  REQUIRE(file);
  for (int i = 0; i < 5; ++i) (*file)->add(R"({"name":"event"})");
  REQUIRE((*file)->finish());
  CHECK(names_in(path) == std::vector<std::string>{"event", "event", "trace full"});
}

TEST_CASE("trace file: a full disk leaves what was whole, and is reported", "[unit]") {
  const TempFolder folder;
  const std::string path = folder.file("t.json");
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  auto file = TraceFile::open(path);
  REQUIRE(file);
  const rlimit small{.rlim_cur = 100, .rlim_max = before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  (*file)->add("{\"name\":\"" + std::string(500, 'x') + "\"}");
  const auto ended = (*file)->finish();
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old);
  REQUIRE_FALSE(ended);
  CHECK(ended.error().code() == errc::file_write_failed);
  CHECK(file_text(path) == "[\n]\n");
}
