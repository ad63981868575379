#include "runtime/android/service_command.hpp"

#include <algorithm>

#include "adbproto/wire/services.hpp"

namespace clawperator {
std::string_view service_name(AndroidService service) {
  switch (service) {
    case AndroidService::activity: return "activity";
    case AndroidService::package: return "package";
    case AndroidService::input: return "input";
    default: return "settings";
  }
}

std::string_view program_name(AndroidService service) {
  switch (service) {
    case AndroidService::activity: return "am";
    case AndroidService::package: return "pm";
    case AndroidService::input: return "input";
    default: return "settings";
  }
}

std::optional<Words> abb_words(AndroidService service, std::span<const std::string> words) {
  Words all{std::string(service_name(service))};
  std::size_t size = all.front().size() + 1;
  for (const std::string& word : words) {
    if (word.empty() || word.find('\0') != word.npos) return std::nullopt;
    size += word.size() + 1;
    all.push_back(word);
  }
  if (size > adbproto::kMaxAbbName) return std::nullopt;
  return all;
}

std::string service_line(Rung rung, AndroidService service, std::span<const std::string> words) {
  std::string line = rung == Rung::cmd ? "cmd " + std::string(service_name(service))
                                       : std::string(program_name(service));
  for (const std::string& word : words) line += " " + adbproto::quote_for_shell(word);
  return line;
}

Words broadcast_words(const Broadcast& broadcast) {
  return {"broadcast",
          "-a",
          broadcast.action,
          "-p",
          broadcast.package,
          "--es",
          "payload",
          broadcast.payload,
          "--receiver-foreground",
          "--include-stopped-packages"};
}

Words force_stop_words(const std::string& package) { return {"force-stop", package}; }

Words current_user_words() { return {"get-current-user"}; }

Words list_packages_words(int user, std::string_view filter) {
  return {"list", "packages", "--user", std::to_string(user), std::string(filter)};
}

std::string_view without_stack(std::string_view printed) {
  return printed.substr(0, printed.find("\n\tat "));
}

}  // namespace clawperator
