#include "runtime/device/known_phones.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "adbproto/client/emulator_console.hpp"
#include "adbproto/wire/errc.hpp"
#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "runtime/device/errc.hpp"

namespace clawperator {

namespace {

constexpr auto kIdentityLimit = std::chrono::seconds(10);  // a busy phone is no other one
constexpr StateFile kFile("known_phones.json", std::size_t{256} * 1024);
constexpr std::size_t kMaxAddress = 512;  // a host name has 253 characters, a port 5
constexpr std::size_t kMaxWord = 92;      // a property of Android is no longer

// A phone's words as the file, messages and terminals can carry them.
std::string plain(std::string_view word) {
  std::string text(word.substr(0, kMaxWord));
  for (char& c : text) c = c >= ' ' && c <= '~' ? c : '?';
  return text;
}

std::optional<TrustedPhone> read_phone(const Json& entry) {
  const std::string* address = string_member(entry, "address");
  if (!address || address->empty() || address->size() > kMaxAddress) return std::nullopt;
  TrustedPhone phone{.address = *address, .tls = is_true_member(entry, "tls")};
  const auto read = [&entry](std::string_view name, std::string* into) {
    const std::string* word = string_member(entry, name);
    if (word) *into = *word;
    return plain(*into) == *into;
  };
  if (!read("serialno", &phone.serialno) || !read("model", &phone.model)) return std::nullopt;
  return phone;
}

Result<void> compare(const KnownPhones& known, const TrustedPhone& phone, bool accept_new) {
  const TrustedPhone* before = known.find(phone.address);
  if (!before || accept_new || is_same_phone(*before, phone)) return ok();
  return std::unexpected(phone_changed(*before, phone));
}

TrustedPhone merged(const KnownPhones& known, const TrustedPhone& phone) {
  const TrustedPhone* before = known.find(phone.address);
  return before && is_same_phone(*before, phone) ? learned(*before, phone) : phone;
}

// Another process may have stored another phone there since.
Task<void> remember(TrustedPhone phone, bool accept_new, OnNotice on_notice) {
  CO_TRY(const auto lock, co_await kFile.lock());
  CO_TRY(KnownPhones known, read_known_phones());
  CO_TRY_VOID(compare(known, phone, accept_new));
  phone = merged(known, phone);
  known.keep(std::move(phone));
  co_return kFile.replace(to_json(known), known.is_damaged, on_notice);
}

}  // namespace

KnownPhones parse_known_phones(std::string_view text) {
  return KnownPhones::parse(text, "phones", read_phone);
}

std::string to_json(const KnownPhones& known) {
  const auto phone_json = [](const TrustedPhone& phone) {
    JsonObject json;
    json.text("address", phone.address);
    if (!phone.serialno.empty()) json.text("serialno", phone.serialno);
    if (!phone.model.empty()) json.text("model", phone.model);
    return json.boolean("tls", phone.tls);
  };
  return JsonObject().json("phones", list_json(known.entries, phone_json)).str();
}

Result<KnownPhones> read_known_phones(const OnNotice& on_notice) {
  return read_state(kFile, parse_known_phones, on_notice);
}

Task<std::vector<std::string>> forget_phones(std::optional<std::string> address,
                                             OnNotice on_notice) {
  std::vector<std::string> forgotten;
  if (kFile.path().empty()) co_return forgotten;
  {
    CO_TRY(const auto lock, co_await kFile.lock());
    CO_TRY(KnownPhones known, read_known_phones());
    std::erase_if(known.entries, [&](const TrustedPhone& phone) {
      const bool is_chosen = !address || *address == phone.address;
      if (is_chosen) forgotten.push_back(phone.address);
      return is_chosen;
    });
    if (forgotten.empty() && !(known.is_damaged && !address)) co_return forgotten;
    CO_TRY_VOID(kFile.replace(to_json(known), known.is_damaged, on_notice));
  }
  for (const std::string& name : forgotten)
    CO_TRY_VOID(co_await note_disconnected(name, on_notice));
  co_return forgotten;
}

Task<void> meet_phone(const TargetOptions* options, const Device* device, Identity now,
                      DialNote* note) {
  // Another virtual device may take an emulator's port; its console shows which one it is.
  const bool is_emulator = adbproto::console_port(device->serial()).has_value();
  if (device->route() != "tcp" || is_emulator || kFile.path().empty()) co_return ok();
  const adbproto::RouteFacts facts = device->facts();
  const TrustedPhone phone{.address = device->serial(),
                           .serialno = plain(now.serialno),
                           .model = plain(facts.model),
                           .tls = facts.tls};
  auto noted = note ? std::exchange(note->known, std::nullopt) : std::nullopt;
  if (!noted) {
    CO_TRY(noted, read_known_phones());
  }
  const KnownPhones known = *std::move(noted);
  if (known.is_damaged) kFile.warn_of_damage(options->on_notice);
  CO_TRY_VOID(compare(known, phone, options->accept_new));
  const TrustedPhone* before = known.find(phone.address);
  if (before && merged(known, phone) == *before) co_return ok();
  if (!before && phone.serialno.empty() && !phone.tls) co_return ok();  // nothing identifies it
  const auto kept = co_await remember(phone, options->accept_new, options->on_notice);
  if (!kept && (kept.error().code() == errc::device_identity_changed ||
                kept.error().code() == errc::cancelled)) {
    co_return kept;
  }
  if (!kept)
    warn(options->on_notice, phone.address + " is not remembered: " + kept.error().message());
  // A process that keeps a link to the previous phone drops it.
  if (!before || is_same_phone(*before, phone)) co_return ok();
  [[maybe_unused]] const auto disconnected =
      co_await note_disconnected(phone.address, options->on_notice);
  co_return ok();
}

Task<void> meet_phone(const TargetOptions* options, Device* device, DialNote* note) {
  if (device->route() != "tcp") co_return ok();
  auto now = co_await read_identity(device, kIdentityLimit);
  if (!now && now.error().code() == errc::closed) {
    co_return fail(errc::link_lost, now.error().message());
  }
  CO_TRY_VOID(now);
  co_return co_await meet_phone(options, device, *std::move(now), note);
}

}  // namespace clawperator
