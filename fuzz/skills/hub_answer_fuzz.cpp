// Invariants: whatever a hub answers is read or refused with HUB_REQUEST_FAILED; what is read has
// what its schema wants; the text of an error is valid UTF-8 without characters that act; a token
// is not left in a text, and nothing of a text without it is changed.

#include <nlohmann/json.hpp>
#include <string>

#include "base/json_document.hpp"
#include "base/utf8.hpp"
#include "skills/hub/answers.hpp"
#include "skills/hub/client.hpp"
#include "skills/hub/errc.hpp"
#include "skills/hub/names.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;

namespace {

template <class T>
void check(const Result<T>& answer) {
  if (answer) return;
  fuzz::require(answer.error().code() == errc::hub_request_failed);
  fuzz::require(answer.error().message().starts_with("API response: "));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check(hub::read_search(text));
  const auto page = hub::read_skill_page(text);
  check(page);
  if (page) {
    for (const hub::ListedSkill& skill : *page)
      fuzz::require(read_json(skill.stats, 1 << 24).has_value());
  }
  check(hub::read_hub_skill(text));
  check(hub::read_version_files(text));
  for (const std::string& owner : hub::read_owners(text)) fuzz::require(hub::is_owner(owner));
  const auto wait = hub::read_retry_after(text, std::chrono::seconds(1'771'404'506));
  fuzz::require(!wait || (wait->count() >= 0 && *wait <= std::chrono::hours(24)));
  check(hub::read_resolved(text));
  check(hub::read_account(text));
  check(hub::read_published(text));
  check(hub::read_done(text));
  check(hub::read_discovery(text));
  check(hub::read_brought_token(text));
  const std::string message = hub::error_text(500, text);
  fuzz::require(!message.empty() && message == harmless_text(message, "?"));
  const std::string token = text.substr(0, 8);
  if (token.size() == 8 && !token.contains('*')) {
    const std::string shown = hub::without_token(text, token);
    fuzz::require(!shown.contains(token) && hub::without_token(shown, token) == shown);
  }
  return 0;
}
