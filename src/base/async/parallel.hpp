#pragma once
// Waits for several tasks at once. With `using namespace base::parallel`:
//
//   auto [size, name] = co_await (read_size() && read_name());  // all of them
//   auto first = co_await (read() || sleep_for(limit));       // the first; others are cancelled
//
// `&&` and `||` return the same as asio's own awaitable operators: a tuple of all results, or a
// variant with the result of the first one. A task that throws cancels the others of `&&`, and does
// not count as the first of `||`. A Result with an error is an ordinary end: `&&` still waits for
// the other task, and `||` takes it as the first.
//
// asio instantiates its operators for each pair of types, which was most of the work of compiling a
// coroutine; here only the passing of results is a template.

#include <asio/awaitable.hpp>
#include <tuple>
#include <type_traits>
#include <variant>

#include "base/prelude.hpp"

namespace base::parallel {

template <class T>
using Kept = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

// Awaits `task` and stores its value in `result`.
template <class T>
asio::awaitable<void> keep(asio::awaitable<T> task, std::optional<Kept<T>>* result) {
  if constexpr (std::is_void_v<T>) {
    co_await std::move(task);
    result->emplace();
  } else {
    result->emplace(co_await std::move(task));
  }
}

// Runs in its own thread of coroutines: it is cancelled with its caller, but a change of its
// cancellation state (reset_cancellation_state) ends with it.
asio::awaitable<void> apart(asio::awaitable<void> task);

// 0 or 1: the index of the first end. The other task is cancelled and has ended, too.
asio::awaitable<std::size_t> wait_for_first(asio::awaitable<void> left,
                                            asio::awaitable<void> right);

namespace detail {

asio::awaitable<void> wait_for_both(asio::awaitable<void> left, asio::awaitable<void> right);

// `(a && b) && c` is one tuple of three.
template <class T>
std::tuple<T> as_tuple(T value) {
  return {std::move(value)};
}
template <class... Ts>
std::tuple<Ts...> as_tuple(std::tuple<Ts...> values) {
  return values;
}

// A task without a value adds nothing.
template <class L, class R>
struct Both {
  using Type = decltype(std::tuple_cat(as_tuple(std::declval<L>()), as_tuple(std::declval<R>())));
};
template <class L>
struct Both<L, void> {
  using Type = L;
};
template <class R>
struct Both<void, R> {
  using Type = R;
};
template <>
struct Both<void, void> {
  using Type = void;
};

// `(a || b) || c` is one variant of three.
template <class T>
std::variant<T> as_variant(T value) {
  return std::variant<T>(std::in_place_index<0>, std::move(value));
}
template <class... Ts>
std::variant<Ts...> as_variant(std::variant<Ts...> value) {
  return value;
}
template <class T>
using VariantOf = decltype(as_variant(std::declval<Kept<T>>()));

template <class... Ls, class... Rs>
std::variant<Ls..., Rs...> joined(const std::variant<Ls...>&, const std::variant<Rs...>&);
template <class L, class R>
using First = decltype(joined(std::declval<VariantOf<L>>(), std::declval<VariantOf<R>>()));

// The value in a wider variant, whose own alternatives begin at `Offset`.
template <class Wide, std::size_t Offset, std::size_t I = 0, class Narrow>
Wide widened(Narrow value) {
  if constexpr (I + 1 < std::variant_size_v<Narrow>) {
    if (value.index() != I) return widened<Wide, Offset, I + 1>(std::move(value));
  }
  return Wide(std::in_place_index<Offset + I>, std::get<I>(std::move(value)));
}

}  // namespace detail

template <class L, class R>
asio::awaitable<typename detail::Both<L, R>::Type> operator&&(asio::awaitable<L> left,
                                                              asio::awaitable<R> right) {
  using namespace detail;
  std::optional<Kept<L>> first;
  std::optional<Kept<R>> second;
  co_await wait_for_both(keep(std::move(left), &first), keep(std::move(right), &second));
  if constexpr (std::is_void_v<L> && std::is_void_v<R>) {
    co_return;
  } else if constexpr (std::is_void_v<L>) {
    co_return *std::move(second);
  } else if constexpr (std::is_void_v<R>) {
    co_return *std::move(first);
  } else {
    co_return std::tuple_cat(as_tuple(*std::move(first)), as_tuple(*std::move(second)));
  }
}

template <class L, class R>
asio::awaitable<detail::First<L, R>> operator||(asio::awaitable<L> left, asio::awaitable<R> right) {
  using namespace detail;
  using Wide = First<L, R>;
  std::optional<Kept<L>> first;
  std::optional<Kept<R>> second;
  const std::size_t winner =
      co_await wait_for_first(keep(std::move(left), &first), keep(std::move(right), &second));
  if (winner == 0) co_return widened<Wide, 0>(as_variant(*std::move(first)));
  co_return widened<Wide, std::variant_size_v<VariantOf<L>>>(as_variant(*std::move(second)));
}

}  // namespace base::parallel
