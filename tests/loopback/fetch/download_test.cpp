#include "runtime/fetch/download.hpp"

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/read_until.hpp>
#include <asio/write.hpp>
#include <catch2/catch.hpp>
#include <latch>
#include <thread>

#include "adbproto/crypto/sha256.hpp"
#include "base/bytes.hpp"
#include "support/temp_folder.hpp"

using namespace clawperator;
using adbproto::testing::file_text;
using adbproto::testing::TempFolder;
using adbproto::testing::write_text;
using asio::ip::tcp;
namespace fs = std::filesystem;

namespace {

const std::string kText = "0123456789";

std::string digest_of(std::string_view text) {
  adbproto::Sha256 hash;
  hash.update(as_bytes(text));
  return hash.finish();
}

std::string whole(const std::string& text) {
  return "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + std::to_string(text.size()) +
         "\r\n\r\n" + text;
}

// What follows the first `offset` bytes.
std::string rest(std::size_t offset) {
  return "HTTP/1.1 206 Partial Content\r\nConnection: close\r\nContent-Length: " +
         std::to_string(kText.size() - offset) + "\r\nContent-Range: bytes " +
         std::to_string(offset) + "-9/10\r\n\r\n" + kText.substr(offset);
}

std::string empty(const std::string& status) {
  return "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
}

// Gives these answers, one a connection.
class Server {
 public:
  explicit Server(std::vector<std::string> answers)
      : thread_([this, answers = std::move(answers)] { serve(answers); }) {}
  ~Server() { thread_.join(); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::string url() const {
    return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + "/file";
  }
  // The ranges that were requested, once all answers are given.
  std::vector<std::string> ranges() {
    given_.wait();
    return ranges_;
  }

 private:
  void serve(const std::vector<std::string>& answers) {
    for (const std::string& answer : answers) {
      asio::error_code error;
      tcp::socket client(context_);
      acceptor_.accept(client, error);
      std::string request;
      asio::read_until(client, asio::dynamic_buffer(request), "\r\n\r\n", error);
      const auto at = request.find("Range: ");
      ranges_.push_back(
          at == request.npos ? "" : request.substr(at + 7, request.find('\r', at) - at - 7));
      asio::write(client, asio::buffer(answer), error);
    }
    given_.count_down();
  }

  asio::io_context context_;
  tcp::acceptor acceptor_{context_, {asio::ip::address_v4::loopback(), 0}};
  std::vector<std::string> ranges_;
  std::latch given_{1};
  std::thread thread_;
};

struct Case {
  const char* name;
  std::string part;  // what is here before
  bool has_checksum;
  std::vector<std::string> answers;
  std::vector<std::string> ranges;
  bool resumed;
};

}  // namespace

TEST_CASE("download: what is here is used where the whole has the checksum") {
  const std::string other = "abc";
  const auto row = GENERATE_REF(values<Case>({
      {"new", "", true, {whole(kText)}, {""}, false},
      {"new, without a checksum", "", false, {whole(kText)}, {""}, false},
      {"goes on", "012", true, {rest(3)}, {"bytes=3-"}, true},
      {"is whole already", kText, true, {}, {}, true},
      {"the server knows no ranges", "012", true, {whole(kText)}, {"bytes=3-"}, false},
      {"of another file", other, true, {rest(3), whole(kText)}, {"bytes=3-", ""}, false},
      {"of a longer file",
       kText + kText,
       true,
       {empty("416 No"), whole(kText)},
       {"bytes=20-", ""},
       false},
      {"without a checksum", "012", false, {whole(kText)}, {""}, false},
      {"as long as allowed", std::string(100, 'x'), true, {whole(kText)}, {""}, false},
  }));
  CAPTURE(row.name);
  const TempFolder folder;
  const fs::path target = folder.path() / "file";
  if (!row.part.empty()) write_text(target.string() + ".part", row.part);
  const auto part = PartFile::open(target, {});
  REQUIRE(part);
  Server server(row.answers);
  const auto done = download({.url = server.url(), .max_bytes = 100},
                             row.has_checksum ? digest_of(kText) : "", part->get(), {});
  REQUIRE(done);
  CHECK(done->is_whole());
  CHECK(done->sha256 == digest_of(kText));
  CHECK(done->resumed == row.resumed);
  CHECK(server.ranges() == row.ranges);
  CHECK_FALSE(fs::exists(target));
  REQUIRE((*part)->become_target());
  CHECK(file_text(target) == kText);
  CHECK_FALSE(fs::exists(target.string() + ".part"));
}

TEST_CASE("download: an answer that is none leaves what is here for the next try") {
  const TempFolder folder;
  const fs::path target = folder.path() / "file";
  write_text(target.string() + ".part", "012");
  const auto part = PartFile::open(target, {});
  REQUIRE(part);
  const Server server({empty("503 Busy")});
  const auto done =
      download({.url = server.url(), .max_bytes = 100}, digest_of(kText), part->get(), {});
  REQUIRE(done);
  CHECK(done->status == 503);
  CHECK_FALSE(done->is_whole());
  CHECK(file_text(target.string() + ".part") == "012");
}

TEST_CASE("download: a server that sends another file is not asked for ever") {
  const TempFolder folder;
  const fs::path target = folder.path() / "file";
  write_text(target.string() + ".part", "012");
  const auto part = PartFile::open(target, {});
  REQUIRE(part);
  const Server server({rest(3), whole(kText)});
  const auto done =
      download({.url = server.url(), .max_bytes = 100}, digest_of("another"), part->get(), {});
  REQUIRE(done);
  CHECK(done->sha256 == digest_of(kText));
  CHECK_FALSE(done->resumed);
}
