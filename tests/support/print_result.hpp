#pragma once
// Failed checks of a Result show its value or its error.

#include <catch2/catch.hpp>
#include <string>

#include "base/error.hpp"

namespace Catch {

template <>
struct StringMaker<base::ErrorCode> {
  static std::string convert(const base::ErrorCode& code) { return std::string(code.published); }
};

template <>
struct StringMaker<base::Errc> {
  static std::string convert(base::Errc code) { return std::string(code->published); }
};

template <>
struct StringMaker<adbproto::Error> {
  static std::string convert(const adbproto::Error& error) {
    return "error " + std::string(error.code()->published) + " '" + error.message() + "' " +
           error.members();
  }
};

template <class T>
struct StringMaker<std::expected<T, adbproto::Error>> {
  static std::string convert(const std::expected<T, adbproto::Error>& result) {
    if (!result) return StringMaker<adbproto::Error>::convert(result.error());
    if constexpr (std::is_void_v<T>) {
      return "ok";
    } else {
      return Detail::stringify(*result);
    }
  }
};

}  // namespace Catch
