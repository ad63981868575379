// Invariants: a lock file is read or taken for empty, what is written of it reads the same, and an
// entry that is set is there; an origin reads the same when it is written again; the order of paths
// is one (either of two comes first, whichever is named first); a member's path stays below
// its folder. The input is a file, or two names with a zero byte between.

#include <algorithm>
#include <string>
#include <tuple>

#include "skills/hub/local_skill.hpp"
#include "skills/hub/lock_file.hpp"
#include "skills/hub/names.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;

namespace {

int sign(int order) { return (order > 0 ? 1 : 0) - (order < 0 ? 1 : 0); }

void check_lock(std::string_view text) {
  hub::LockFile lock = hub::LockFile::read(text);
  const hub::LockFile again = hub::LockFile::read(lock.text());
  fuzz::require(!again.was_unreadable() && again.text() == lock.text());
  lock.set("demo", "1.0.0", 7);
  const auto found = hub::LockFile::read(lock.text()).find("demo");
  fuzz::require(found && found->version == "1.0.0" && found->installed_at == 7);
}

void check_origin(std::string_view text) {
  const auto origin = hub::read_origin(text);
  if (!origin) return;
  const auto again = hub::read_origin(hub::origin_text(*origin));
  fuzz::require(again && again->slug == origin->slug && again->version == origin->version &&
                again->installed_at == origin->installed_at);
}

void check_names(const std::string& a, const std::string& b) {
  const int order = hub::compare_paths(a, b);
  fuzz::require(sign(order) == -sign(hub::compare_paths(b, a)) && (order == 0) == (a == b));
  fuzz::require(hub::fingerprint_of({{a, "1"}, {b, "2"}}) ==
                    hub::fingerprint_of({{b, "2"}, {a, "1"}}) ||
                a == b);
  fuzz::require(std::is_eq(hub::compare_versions(a, a)));
  if (const auto slug = hub::checked_slug(a)) fuzz::require(hub::is_slug(*slug));
  if (const auto name = hub::checked_name(a)) {
    const auto again = hub::checked_name(name->text());
    fuzz::require(hub::is_slug(name->slug) && again && again->text() == name->text());
    fuzz::require(name->owner.empty() || hub::is_owner(name->owner));
  }
  if (const auto source = hub::read_git_source(a)) {
    fuzz::require(!source->name.empty() && !source->name.contains('/'));
  }
  if (const auto path = hub::member_path(a)) {
    const std::string inside = "/" + *path + "/";
    fuzz::require(inside.find("/../") == inside.npos && !path->starts_with('/'));
  }
  hub::IgnoreRules rules;
  rules.add(a);
  std::ignore = rules.ignores(b);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 1 << 14));
  check_lock(text);
  check_origin(text);
  const auto zero = text.find('\0');
  check_names(text.substr(0, zero), zero == text.npos ? std::string() : text.substr(zero + 1));
  return 0;
}
