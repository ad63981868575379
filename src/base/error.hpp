#pragma once
// The project's error type and the macros that pass errors on.
//
// Callers branch on `code()`; `message()` is for users: lower case unless a published contract
// requires another spelling. It names the thing and the value, never a secret.

#include <expected>

#include "base/errc.hpp"

namespace base {

class Error {
 public:
  Error(Errc code, std::string message, std::string members = {}, int system_error = 0)
      : code_(code),
        message_(std::move(message)),
        members_(std::move(members)),
        system_error_(system_error) {}

  [[nodiscard]] Errc code() const { return code_; }
  [[nodiscard]] const std::string& message() const { return message_; }

  // Further members of the published error object (`hint`, `details`, ...), as the text of one JSON
  // object in output order; empty when there are none. It is text because this layer has no JSON
  // library. Only runtime, skills and cli write it.
  [[nodiscard]] const std::string& members() const { return members_; }

  // The errno of a failed connection; 0 for other errors.
  [[nodiscard]] int system_error() const { return system_error_; }

  bool operator==(const Error&) const = default;

 private:
  Errc code_;
  std::string message_;
  std::string members_;
  int system_error_ = 0;
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(Errc code, std::string message, std::string members = {}) {
  return std::unexpected(Error(code, std::move(message), std::move(members)));
}

inline Result<void> ok() { return {}; }

// The same error under another code.
template <class T>
Result<T> with_code(Errc code, Result<T> result) {
  if (!result) return fail(code, result.error().message());
  return result;
}

}  // namespace base

// TRY(auto x, f());              binds the value or returns the error.
// CO_TRY(auto x, co_await g());  the same inside a coroutine.
// TRY_VOID(f()), CO_TRY_VOID(co_await g())  for Result<void>.
#define BASE_CAT2(a, b) a##b
#define BASE_CAT(a, b) BASE_CAT2(a, b)
#define BASE_TRY(ret, tmp, decl, ...)                    \
  auto tmp = (__VA_ARGS__);                              \
  if (!tmp) ret std::unexpected(std::move(tmp).error()); \
  decl = *std::move(tmp)
#define TRY(decl, ...) BASE_TRY(return, BASE_CAT(try_result_, __LINE__), decl, __VA_ARGS__)
#define CO_TRY(decl, ...) BASE_TRY(co_return, BASE_CAT(try_result_, __LINE__), decl, __VA_ARGS__)
#define TRY_VOID(...)                                                   \
  do {                                                                  \
    auto try_void = (__VA_ARGS__);                                      \
    if (!try_void) return std::unexpected(std::move(try_void).error()); \
  } while (false)
#define CO_TRY_VOID(...)                                                   \
  do {                                                                     \
    auto try_void = (__VA_ARGS__);                                         \
    if (!try_void) co_return std::unexpected(std::move(try_void).error()); \
  } while (false)
