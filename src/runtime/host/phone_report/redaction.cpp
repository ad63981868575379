#include "runtime/host/phone_report/redaction.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace clawperator {
namespace {

constexpr std::string_view kNameLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._$";
constexpr std::size_t kShortestSerial = 4;  // shorter ones would eat ordinary words

void replace_all(std::string* text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text->find(what, at)) != text->npos; at += with.size()) {
    text->replace(at, what.size(), with);
  }
}

// What stands between `before` and the next `after` becomes `with`, every time.
void replace_between(std::string* text, std::string_view before, std::string_view after,
                     std::string_view with) {
  for (std::size_t at = 0; (at = text->find(before, at)) != text->npos;) {
    at += before.size();
    const auto end = std::min(text->find(after, at), text->find('\n', at));
    text->replace(at, (end == text->npos ? text->size() : end) - at, with);
    at += with.size();
  }
}

// UserInfo{0:NAME:c13}
void hide_users(std::string* text) {
  constexpr std::string_view kBegin = "UserInfo{";
  for (std::size_t at = 0; (at = text->find(kBegin, at)) != text->npos; at += kBegin.size()) {
    const auto name = text->find(':', at);
    const auto end = std::min(text->find('}', at), text->find('\n', at));
    if (name == text->npos || end == text->npos || name > end) continue;
    const auto flags = text->rfind(':', end);
    if (flags > name) text->replace(name + 1, flags - name - 1, "<name>");
  }
}

bool is_name_letter(char c) { return kNameLetters.find(c) != kNameLetters.npos; }

// "app/class" with a dot in the app's name; a path has its slash in front of it.
void hide_services(std::string* text, const std::string& ours) {
  for (std::size_t at = 0; (at = text->find('/', at)) != text->npos; ++at) {
    std::size_t begin = at;
    while (begin > 0 && is_name_letter((*text)[begin - 1])) --begin;
    const std::string app = text->substr(begin, at - begin);
    const bool is_app = app.find('.') != app.npos && !(begin > 0 && (*text)[begin - 1] == '/');
    if (!is_app || app == ours || app == ours + ".dev") continue;
    std::size_t end = at + 1;
    while (end < text->size() && is_name_letter((*text)[end])) ++end;
    constexpr std::string_view kHidden = "<app>/<service>";
    text->replace(begin, end - begin, kHidden);
    at = begin + kHidden.size() - 1;
  }
}

void hide_odd_bytes(std::string* text) {
  std::ranges::replace_if(
      *text,
      [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\n' && c != '\t') || byte >= 0x7f;
      },
      '?');
}

}  // namespace

std::string redact(std::string_view text, const Secrets& secrets) {
  std::string kept(text);
  std::erase(kept, '\r');
  hide_odd_bytes(&kept);
  for (const std::string& serial : secrets.serials) {
    if (serial.size() >= kShortestSerial) replace_all(&kept, serial, "<serial>");
  }
  hide_users(&kept);
  replace_between(&kept, "displayName=\"", "\"", "<name>");
  hide_services(&kept, secrets.operator_package);
  return kept;
}

std::string lines_with(std::string_view text, const std::vector<std::string_view>& words) {
  std::string kept;
  while (!text.empty()) {
    const std::string_view line = take_line(&text);
    const bool wanted =
        std::ranges::any_of(words, [&](std::string_view word) { return line.contains(word); });
    if (wanted) kept.append(line).append("\n");
  }
  return kept;
}

}  // namespace clawperator
