#pragma once
// What every fuzz target of a reader checks: the items and the verdict do not depend on how the
// bytes were cut.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto::fuzz {

inline ByteView input(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const std::byte*>(data), size};
}

inline void require(bool holds) {
  if (!holds) std::abort();
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
auto read_in_steps(Reader reader, ByteView bytes, std::size_t step, Own own) {
  Outcome<std::decay_t<decltype(own(**reader.next()))>> outcome;
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(step, bytes.size()));
    bytes = bytes.subspan(part.size());
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

// The outcome of the whole input, after comparing it with others.
template <class Reader, class Own>
auto read_any_way(const Reader& reader, ByteView bytes, Own own) {
  auto whole = read_in_steps(reader, bytes, std::max<std::size_t>(bytes.size(), 1), own);
  require(read_in_steps(reader, bytes, 1, own) == whole);
  require(read_in_steps(reader, bytes, 7, own) == whole);
  return whole;
}

template <class Reader>
auto read_any_way(const Reader& reader, ByteView bytes) {
  return read_any_way(reader, bytes, [](const auto& item) { return item; });
}

// `encoded` must stand at the front of `bytes`, which then move behind it.
inline void require_next(ByteView& bytes, ByteView encoded) {
  require(bytes.size() >= encoded.size() &&
          std::ranges::equal(bytes.first(encoded.size()), encoded));
  bytes = bytes.subspan(encoded.size());
}

}  // namespace adbproto::fuzz
