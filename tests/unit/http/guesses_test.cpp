#include "runtime/http/guesses.hpp"

#include <catch2/catch.hpp>

using namespace clawperator::http;
using namespace std::chrono_literals;

namespace {

constexpr base::Clock::time_point kStart{std::chrono::hours(1)};

void show_wrong(Guesses* guesses, std::size_t times, base::Clock::time_point now = kStart) {
  for (std::size_t at = 0; at < times; ++at) guesses->note_wrong("peer", now);
}

}  // namespace

TEST_CASE("guesses: the first are free, then each costs twice the time, a minute at most") {
  Guesses guesses;
  show_wrong(&guesses, Guesses::kFree);
  CHECK(guesses.wait("peer", kStart) == 0s);
  for (const auto wait : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
    show_wrong(&guesses, 1);
    CHECK(guesses.wait("peer", kStart) == wait);
  }
  show_wrong(&guesses, 1'000'000);
  CHECK(guesses.wait("peer", kStart) == 60s);
  CHECK(guesses.wait("peer", kStart + 59'500ms) == 1s);
  CHECK(guesses.wait("peer", kStart + 60s) == 0s);
  CHECK(guesses.wait("other", kStart) == 0s);
}

TEST_CASE("guesses: they are forgotten ten minutes after the last one") {
  Guesses guesses;
  show_wrong(&guesses, Guesses::kFree + 1);
  show_wrong(&guesses, 1, kStart + 10min);
  CHECK(guesses.wait("peer", kStart + 10min) == 2s);
  show_wrong(&guesses, 1, kStart + 20min + 1ms);
  CHECK(guesses.wait("peer", kStart + 20min + 1ms) == 0s);
}

TEST_CASE("guesses: of more peers than are remembered the quietest is forgotten") {
  Guesses guesses;
  show_wrong(&guesses, Guesses::kFree + 4);
  for (std::size_t at = 0; at < Guesses::kPeers; ++at) {
    guesses.note_wrong(std::to_string(at), kStart + 1ms);
  }
  CHECK(guesses.peers() == Guesses::kPeers);
  CHECK(guesses.wait("peer", kStart) == 0s);
  for (std::size_t at = 0; at < Guesses::kFree; ++at) guesses.note_wrong("0", kStart + 1ms);
  CHECK(guesses.wait("0", kStart + 1ms) == 1s);
}
