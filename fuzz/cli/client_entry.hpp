#pragma once
// What both editors of clients' settings promise: everything but the entry is byte-equal.

#include <string>
#include <string_view>

#include "base/js_string.hpp"
#include "cli/clients/errc.hpp"
#include "cli/clients/server_entry.hpp"
#include "wire/chunks.hpp"

namespace clawperator::fuzz_clients {

inline std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

// What is left of `before` where both texts differ stands in `after`, or was the old program.
inline void require_the_rest(std::string_view before, std::string_view after,
                             std::string_view old_program) {
  std::size_t head = 0;
  while (head < before.size() && head < after.size() && before[head] == after[head]) ++head;
  std::size_t tail = 0;
  const auto last = [](std::string_view text, std::size_t back) {
    return text[text.size() - 1 - back];
  };
  while (tail < before.size() - head && tail < after.size() - head &&
         last(before, tail) == last(after, tail)) {
    ++tail;
  }
  const auto lost = trimmed(before.substr(head, before.size() - head - tail));
  const auto made = after.substr(head, after.size() - head - tail);
  adbproto::fuzz::require(made.contains(lost) || lost.size() <= old_program.size() * 6 + 2);
}

inline void check(std::string_view client_name, const std::uint8_t* data, std::size_t size) {
  using adbproto::fuzz::require;
  using namespace cli;
  const std::string_view before(reinterpret_cast<const char*>(data), size);
  const McpClient& client = *find_mcp_client(client_name);
  const ServerEntry entry{.program = "/opt/clawperator"};
  const auto edited = with_entry(client, before, entry);
  if (!edited) {
    require(edited.error().code() == errc::client_config_invalid ||
            edited.error().code() == errc::client_entry_taken);
    return;
  }
  const auto old = entry_program(client, before);
  require(old.has_value());
  require((edited->change == EntryChange::added) == !*old);
  require((edited->change == EntryChange::none) == (edited->text == before));
  require(entry_program(client, edited->text).value() == entry.program);
  const auto again = with_entry(client, edited->text, entry);
  require(again && again->change == EntryChange::none && again->text == edited->text);
  if (!*old && client.notation == Notation::toml) require(edited->text.starts_with(before));
  if (!is_blank(before)) require_the_rest(before, edited->text, old->value_or(""));
}

}  // namespace clawperator::fuzz_clients
