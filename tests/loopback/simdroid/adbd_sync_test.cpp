#include "simdroid/adbd/sync_request_reader.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/sync_reader.hpp"
#include "loopback/simdroid/sim_support.hpp"
#include "simdroid/adbd/sync_answers.hpp"

using namespace simdroid;
using simdroid::testing::SimHost;

namespace {

// Sends the requests in one go and returns the answers, as text where they have one.
struct Conversation {
  Bytes sent;
  SyncResponseReader reader;

  Conversation& ask(SyncAnswerTo what, Bytes request) {
    reader.expect(what);
    append(sent, request);
    return *this;
  }
  std::vector<SyncResponse> run(SimHost& sim) {
    append(sent, to_bytes(std::string_view("QUIT\0\0\0\0", 8)));
    received = sim.exchange("sync:", std::string(as_text(sent)));
    reader.feed(as_bytes(received));
    std::vector<SyncResponse> answers;
    while (auto answer = reader.next().value_or(std::nullopt)) {
      data += as_text(answer->data);
      answers.push_back(*std::move(answer));
    }
    return answers;
  }
  std::string received;
  std::string data;
};

Bytes upload(const std::string& path, std::uint32_t mode, std::string_view content,
             std::uint32_t mtime) {
  Bytes request = *encode_sync_send(path, mode);
  while (!content.empty()) {
    const std::string_view piece = content.substr(0, kMaxSyncData);
    append(request, encode_sync_data(as_bytes(piece)));
    content.remove_prefix(piece.size());
  }
  append(request, encode_sync_done(mtime));
  return request;
}

}  // namespace

TEST_CASE("simdroid sync: what is sent comes back, with mode and time") {
  SimHost sim;
  const std::string content(300'000, 'x');
  Conversation talk;
  talk.ask(SyncAnswerTo::send, upload("/sdcard/new/dir/f", 0100600, content, 1'700'000'000))
      .ask(SyncAnswerTo::stat, *encode_sync_request(SyncId::stat, "/sdcard/new/dir/f"))
      .ask(SyncAnswerTo::stat_v2, *encode_sync_request(SyncId::stat_v2, "/sdcard/new/dir/f"))
      .ask(SyncAnswerTo::recv, *encode_sync_request(SyncId::recv, "/sdcard/new/dir/f"));
  const auto answers = talk.run(sim);
  REQUIRE(answers.size() >= 4);
  CHECK(answers[0].kind == SyncResponse::Kind::okay);
  for (const std::size_t i : {1u, 2u}) {
    CHECK(answers[i].stat.mode == 0100666);  // the user's bits for everybody
    CHECK(answers[i].stat.size == 300'000);
    CHECK(answers[i].stat.mtime == 1'700'000'000);
  }
  CHECK(talk.data == content);
  CHECK(answers.back().kind == SyncResponse::Kind::done);
}

TEST_CASE("simdroid sync: a missing file is zeros in v1, an errno in v2") {
  SimHost sim;
  Conversation talk;
  talk.ask(SyncAnswerTo::stat, *encode_sync_request(SyncId::stat, "/no"))
      .ask(SyncAnswerTo::stat_v2, *encode_sync_request(SyncId::lstat_v2, "/no"))
      .ask(SyncAnswerTo::list, *encode_sync_request(SyncId::list, "/no"));
  const auto answers = talk.run(sim);
  REQUIRE(answers.size() == 3);
  CHECK(answers[0].stat == SyncStat{});
  CHECK(answers[1].stat.error == 2);
  CHECK(answers[2].kind == SyncResponse::Kind::done);
}

TEST_CASE("simdroid sync: both listings name the same entries") {
  SimHost sim;
  Conversation talk;
  talk.ask(SyncAnswerTo::list, *encode_sync_request(SyncId::list, "/sdcard/Android"))
      .ask(SyncAnswerTo::list_v2, *encode_sync_request(SyncId::list_v2, "/sdcard/Android"));
  std::vector<std::string> names;
  for (const SyncResponse& answer : talk.run(sim)) names.push_back(answer.text);
  const std::vector<std::string> once{".", "..", "data", "media", ""};
  std::vector<std::string> twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  CHECK(names == twice);
}

TEST_CASE("simdroid sync: links keep their target") {
  SimHost sim;
  Conversation talk;
  talk.ask(SyncAnswerTo::send,
           upload("/sdcard/link", 0120777, std::string_view("/sdcard/Download\0", 17), 1))
      .ask(SyncAnswerTo::stat, *encode_sync_request(SyncId::stat, "/sdcard/link"));
  const auto answers = talk.run(sim);
  REQUIRE(answers.size() == 2);
  CHECK(answers[1].stat.mode == 0120777);
  CHECK(sim.shell("readlink /sdcard/link").out == "/sdcard/Download\n");
}

TEST_CASE("simdroid sync: a refused upload is drained, then the stream ends") {
  SimHost sim;
  Conversation talk;
  talk.ask(SyncAnswerTo::send, upload("/system/f", 0100644, std::string(200'000, 'y'), 1));
  const auto answers = talk.run(sim);
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].kind == SyncResponse::Kind::fail);
  CHECK(answers[0].text == "couldn't create file: Permission denied");
  CHECK(sim.shell("echo alive").out == "alive\n");
}

TEST_CASE("simdroid sync: downloads that fail say why") {
  SimHost sim;
  const auto [path, text] = GENERATE(table<std::string, std::string>({
      {"/sdcard/none", "open failed: No such file or directory"},
      {"/sdcard/Download", "read failed: Is a directory"},
      {"/system/build.prop", "open failed: Permission denied"},
  }));
  Conversation talk;
  talk.ask(SyncAnswerTo::recv, *encode_sync_request(SyncId::recv, path));
  const auto answers = talk.run(sim);
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].text == text);
}

TEST_CASE("simdroid sync: two compressions at once are refused") {
  SimHost sim;
  Conversation talk;
  talk.ask(SyncAnswerTo::recv, *encode_sync_recv_v2("/etc/hosts", 3));
  const auto answers = talk.run(sim);
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].text == "unknown flags: 3");
}

TEST_CASE("simdroid sync: garbage ends the stream, not the device") {
  SimHost sim;
  CHECK(sim.exchange("sync:", std::string(5000, 'Z')).size() < 200);
  CHECK(sim.exchange("sync:", std::string("STAT\xff\xff\xff\xff", 8)).size() < 200);
  CHECK(sim.shell("echo alive").out == "alive\n");
}
