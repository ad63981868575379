#pragma once
// What an Error is about. The type is open: each layer adds the codes that it reports, the
// protocol's in adbproto/wire/errc.hpp, the published ones in runtime/contract/errc.hpp. The
// numbers are stable within a build only; callers see the published spelling
// (runtime/contract/error_codes.cpp).

#include "base/prelude.hpp"

namespace base {

enum class Errc : std::uint16_t {};

// 0 to 31: what codecs, machines and links report. Of a peer's bytes a codec says `protocol`,
// `limit` or, for its FAIL, `refused`; of our caller's `invalid_argument`.
namespace errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr Errc cancelled{0};          // somebody asked to stop
inline constexpr Errc deadline_exceeded{1};  // the peer did not answer in time
inline constexpr Errc closed{2};             // orderly end of a stream or link
inline constexpr Errc io{3};        // the operating system refused; the message carries its text
inline constexpr Errc protocol{4};  // the peer sent what the protocol does not allow
inline constexpr Errc limit{5};     // a bound was reached
inline constexpr Errc refused{6};   // the peer said no (FAIL, CLSE); the message carries its text
inline constexpr Errc unsupported{7};         // the peer lacks a feature
inline constexpr Errc invalid_argument{8};    // our caller is wrong
inline constexpr Errc file_unreadable{9};     // a file of ours cannot be read
inline constexpr Errc file_write_failed{10};  // a file of ours cannot be written
// NOLINTEND(readability-identifier-naming)

}  // namespace errc
}  // namespace base
