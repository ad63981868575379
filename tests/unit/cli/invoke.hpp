#pragma once
// Command lines as tests write them: the words, and a fixed stamp instead of time and chance.

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/grammar/command_line.hpp"

namespace clawperator::cli {

using Words = std::vector<std::string>;

inline adbproto::Result<Invocation> invoke(const Words& words) {
  auto request = read_command_line(words).request;
  if (!request) return std::unexpected(std::move(request).error());
  auto* invocation = std::get_if<Invocation>(&*request);
  if (!invocation) return adbproto::fail(errc::unknown, "help or version");
  invocation->stamp = {1700000000000, "abcd123"};
  return std::move(*invocation);
}

}  // namespace clawperator::cli
