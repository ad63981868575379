#include "runtime/android/service_command.hpp"

#include <algorithm>

#include "adbproto/wire/services.hpp"

namespace clawperator {

std::string_view service_name(AndroidService service) {
  static constexpr std::string_view kNames[] = {"activity", "package", "settings", "input"};
  return kNames[static_cast<std::size_t>(service)];
}

std::string_view program_name(AndroidService service) {
  static constexpr std::string_view kNames[] = {"am", "pm", "settings", "input"};
  return kNames[static_cast<std::size_t>(service)];
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
  Words words{"list", "packages", "--user", std::to_string(user)};
  if (!filter.empty()) words.emplace_back(filter);
  return words;
}

Words list_versions_words(int user, std::string_view filter) {
  Words words = list_packages_words(user, filter);
  words.insert(words.begin() + 2, "--show-versioncode");
  return words;
}

std::string_view without_stack(std::string_view printed) {
  return printed.substr(0, printed.find("\n\tat "));
}

namespace {

// Where a caller's text begins, on each rung, and its replacement.
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
