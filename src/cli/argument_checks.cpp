#include "cli/argument_checks.hpp"

#include "base/number.hpp"
#include "base/suggest.hpp"
#include "cli/grammar/errc.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/operator_app.hpp"

namespace clawperator::cli {

Result<void> check_given_once(const Arguments& arguments, std::string_view flag) {
  if (!arguments.repeated(flag)) return {};
  return validation_error(arguments.find(flag)->spelling + " must not appear more than once");
}

Result<std::optional<std::string>> positional_or(const Arguments& arguments, std::string_view flag,
                                                 std::string_view both_message) {
  TRY_VOID(check_given_once(arguments, flag));
  const bool has_positional = !arguments.positionals().empty();
  if (has_positional && arguments.has(flag)) return validation_error(std::string(both_message));
  if (has_positional) return arguments.positionals().front();
  if (const std::string* value = arguments.value(flag)) return *value;
  return std::nullopt;
}

Result<std::optional<int>> whole_option(const Arguments& arguments, std::string_view flag, int low,
                                        int high, Errc code) {
  const std::string* text = arguments.value(flag);
  if (!text) return std::nullopt;
  const auto value = whole_number<int>(*text);
  if (value && *value >= low && *value <= high) return value;
  return fail(code, std::string(flag) + " must be a whole number from " + std::to_string(low) +
                        " to " + std::to_string(high));
}

Result<std::string> package_argument(const Arguments& arguments, std::string_view usage) {
  if (arguments.positionals().empty()) {
    return missing_argument("It requires a package name.", usage);
  }
  const std::string& name = arguments.positionals().front();
  if (is_package_name(name)) return name;
  return validation_error("'" + clipped(name) +
                          "' is no package name; give one such as com.example.app");
}

std::unexpected<Error> validation_error(std::string message) {
  return fail(errc::execution_validation_failed, std::move(message));
}

std::unexpected<Error> missing_argument(std::string message, std::string_view usage) {
  return fail(errc::missing_argument,
              std::move(message) + "\n\nUsage: clawperator " + std::string(usage));
}

}  // namespace clawperator::cli
