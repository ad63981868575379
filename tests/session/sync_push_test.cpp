#include "adbproto/session/sync_push.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/sync.hpp"

using namespace adbproto;

namespace {

std::vector<PushItem> two_files() {
  return {{.local = "a", .remote = "/sdcard/a", .size = 3, .mtime = 1, .mode = 0100644},
          {.local = "b", .remote = "/sdcard/b", .size = 0, .mtime = 2, .mode = 0100600}};
}

SyncResponse okay() {
  SyncResponse answer;
  answer.kind = SyncResponse::Kind::okay;
  return answer;
}

SyncResponse failure(std::string text) {
  SyncResponse answer;
  answer.kind = SyncResponse::Kind::fail;
  answer.text = std::move(text);
  return answer;
}

// SEND, its path and mode; DATA, its bytes; DONE, its time: as an old device reads them.
std::string v1(std::string_view path_and_mode, std::string_view content, char mtime) {
  std::string text = "SEND" + std::string{static_cast<char>(path_and_mode.size()), 0, 0, 0};
  text += path_and_mode;
  if (!content.empty()) {
    text += "DATA" + std::string{static_cast<char>(content.size()), 0, 0, 0};
    text += content;
  }
  return text + "DONE" + std::string{mtime, 0, 0, 0};
}

}  // namespace

TEST_CASE("sync push: small files share one write, each with its end") {
  PushRequests push(two_files(), {});
  REQUIRE(push.next()->local == "a");
  REQUIRE(push.send_whole(as_bytes("abc")));
  REQUIRE(push.next()->local == "b");
  REQUIRE(push.send_whole({}));
  CHECK(push.next() == nullptr);
  CHECK_FALSE(push.is_worth_a_write());
  CHECK(as_text(push.take()) == v1("/sdcard/a,33188", "abc", 1) + v1("/sdcard/b,33152", {}, 2));
  CHECK(push.take().empty());
}

TEST_CASE("sync push: a large file is its request, the caller's blocks and its end") {
  PushRequests push(two_files(), {.v2 = true, .flags = sync_flag::kDryRun, .large_flags = 4});
  const PushItem large = *push.next();
  REQUIRE(push.begin_large());
  const auto request = encode_sync_send_v2("/sdcard/a", 0100644, sync_flag::kDryRun | 4);
  REQUIRE(request);
  CHECK(as_text(push.take()) == as_text(*request));
  push.end_large(large);
  CHECK(as_text(push.take()) == std::string("DONE\1\0\0\0", 8));
  REQUIRE(push.send_whole({}));
  const auto small = encode_sync_send_v2("/sdcard/b", 0100600, sync_flag::kDryRun);
  REQUIRE(small);
  CHECK(as_text(push.take()).starts_with(as_text(*small)));
}

TEST_CASE("sync push: what is batched is written before it grows") {
  PushRequests push(two_files(), {});
  REQUIRE(push.send_whole(Bytes(kMaxSyncData)));
  CHECK(push.is_worth_a_write());
}

TEST_CASE("sync push: answers come in the order of the files") {
  PushRequests push(two_files(), {});
  REQUIRE(push.send_whole({}));
  REQUIRE(push.send_whole({}));
  CHECK(push.on_answer(okay()));
  CHECK_FALSE(push.is_answered());
  SECTION("a refusal names the file that it is about") {
    const auto refused = push.on_answer(failure("No space left on device"));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code() == errc::refused);
    CHECK(refused.error().message() ==
          "failed to copy 'b' to '/sdcard/b': remote No space left on device");
  }
  SECTION("all are there when each was acknowledged") {
    CHECK(push.on_answer(okay()));
    CHECK(push.is_answered());
  }
}

TEST_CASE("sync push: an acknowledgement of unsent data is its own error") {
  PushRequests push(two_files(), {});
  REQUIRE(push.send_whole({}));
  CHECK(push.on_answer(okay()));
  CHECK(push.on_answer(okay()).error().code() == errc::protocol);
}
