#include "runtime/android/redacted_service.hpp"

#include <algorithm>

namespace clawperator {
namespace {

// Where something of a caller's begins, on each rung, and what is shown from there on.
struct Secret {
  std::string_view mark;
  std::string_view shown;
};
constexpr Secret kSecrets[] = {
    {"'--es'", "--es payload [REDACTED]"},      {"--es", "--es payload [REDACTED]"},
    {"input 'text' ", "input text [REDACTED]"}, {"input text ", "input text [REDACTED]"},
    {"VIEW' '-d' ", "VIEW' -d [REDACTED]"},     {"VIEW -d ", "VIEW -d [REDACTED]"},
};

}  // namespace

std::string redacted_service(std::string_view service) {
  std::string text(service);
  std::ranges::replace(text, '\0', ' ');
  for (const Secret& secret : kSecrets) {
    const auto at = text.find(secret.mark);
    if (at != std::string::npos) text.replace(at, std::string::npos, secret.shown);
  }
  return text;
}

}  // namespace clawperator
