#pragma once
// Runs a reader over every split of a stream, which must never change what it returns.

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "support/hex.hpp"

namespace adbproto::testing {

inline Bytes concat(std::initializer_list<Bytes> parts) {
  Bytes out;
  for (const auto& part : parts) append(out, part);
  return out;
}

template <class Item>
struct Outcome {
  std::vector<Item> items;
  std::optional<Errc> error;

  bool operator==(const Outcome&) const = default;
};

// Where a reader hands out one thing in pieces, Item::take_piece(next) puts them together and says
// whether it did.
template <class Item>
void add_item(std::vector<Item>& items, Item item) {
  if constexpr (requires { items.back().take_piece(item); }) {
    if (!items.empty() && items.back().take_piece(item)) return;
  }
  items.push_back(std::move(item));
}

// `own` turns what next() returns into something that may outlive the reader's buffer.
template <class Reader, class Own>
auto read_parts(Reader reader, const std::vector<ByteView>& parts, Own own) {
  using Item = std::decay_t<decltype(own(**reader.next()))>;
  Outcome<Item> outcome;
  for (const ByteView part : parts) {
    reader.feed(part);
    for (;;) {
      auto item = reader.next();
      if (!item) {
        outcome.error = item.error().code();
        return outcome;
      }
      if (!*item) break;
      add_item(outcome.items, own(**item));
    }
  }
  return outcome;
}

// Whole, cut in two everywhere, and byte by byte. Returns the common outcome.
template <class Reader, class Own>
auto read_every_split(const Reader& reader, ByteView stream, Own own) {
  auto whole = read_parts(reader, {stream}, own);
  std::vector<ByteView> bytes;
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    INFO("cut at " << cut);
    const auto halves = read_parts(reader, {stream.first(cut), stream.subspan(cut)}, own);
    REQUIRE(halves.error == whole.error);
    REQUIRE((halves.items == whole.items));
    if (cut < stream.size()) bytes.push_back(stream.subspan(cut, 1));
  }
  const auto single = read_parts(reader, bytes, own);
  REQUIRE(single.error == whole.error);
  REQUIRE((single.items == whole.items));
  return whole;
}

inline constexpr auto kOwned = [](const auto& item) { return item; };

template <class Reader>
auto read_every_split(const Reader& reader, ByteView stream) {
  return read_every_split(reader, stream, kOwned);
}

}  // namespace adbproto::testing
