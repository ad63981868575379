#pragma once
// The arguments of `forward` and `reverse`, which are the same:
//
//   --list | --remove-all | --remove FROM | [--no-rebind] FROM TO

#include "adbproto/wire/services.hpp"
#include "base/error.hpp"

namespace clawperator::cli {

struct ForwardPlan {
  enum class Kind { list, remove_all, remove, add };
  Kind kind{};
  std::string from{};  // where connections arrive
  std::string to{};
  Rebind rebind = Rebind::yes;

  bool operator==(const ForwardPlan&) const = default;
};

// `name` is forward or reverse. The error's message is adb's, without its "adb: ".
Result<ForwardPlan> parse_forward(std::string_view name, std::span<const std::string> words);

}  // namespace clawperator::cli
