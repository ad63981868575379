#pragma once
// The result of one action: a step, or the app's exception.

#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simdroid/operator/command.hpp"

namespace simdroid {

using StepData = std::vector<std::pair<std::string, std::string>>;

struct StepResult {
  std::string id;
  std::string action_type;
  bool success = true;
  StepData data;
};

// The reason that the app's exception would carry, and the code that newer apps give it.
struct Failure {
  std::string reason;
  std::string code;
  StepData details{};
  bool returned = false;  // a failed step after all: the plan goes on
};

template <class T>
using Attempt = std::expected<T, Failure>;
using Outcome = Attempt<StepResult>;

inline std::unexpected<Failure> give_up(std::string reason, std::string code = "ACTION_FAILED") {
  return std::unexpected(Failure{std::move(reason), std::move(code)});
}

std::string not_found(const Matcher& matcher);

StepResult succeeded(const DeviceAction& action, StepData data = {});
StepResult failed_step(const DeviceAction& action, std::string error, StepData more = {});
// One value for each key: `more` wins.
void merge(StepData& data, StepData more);
std::string point_json(Point point);
std::string decimal(double value);  // as Kotlin prints a Float: 0.7, 1.0
std::string milliseconds_text(Duration duration);
std::string_view click_name(Click click);
std::string_view direction_name(Direction direction);  // lower case

}  // namespace simdroid
