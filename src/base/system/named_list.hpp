#pragma once
// A state file that contains one list of entries with names: {"MEMBER":[ENTRY, ...]}.

#include <algorithm>

#include "base/json_document.hpp"
#include "base/system/state_file.hpp"

namespace base {

template <class Entry, std::string Entry::* kName, std::size_t kMostEntries>
struct NamedList {
  static constexpr std::size_t kMost = kMostEntries;  // above it, the oldest entries are dropped

  std::vector<Entry> entries{};
  bool is_damaged = false;  // the text has further content, or is not ours

  bool operator==(const NamedList&) const = default;

  [[nodiscard]] const Entry* find(std::string_view name) const {
    const auto found = std::ranges::find(entries, name, kName);
    return found == entries.end() ? nullptr : &*found;
  }

  // Replaces the entry of that name, else appends the new one.
  void keep(Entry entry) {
    const auto at = std::ranges::find(entries, entry.*kName, kName);
    if (at != entries.end()) {
      *at = std::move(entry);
      return;
    }
    if (entries.size() == kMost) entries.erase(entries.begin());
    entries.push_back(std::move(entry));
  }

  static NamedList parse(std::string_view text, std::string_view member,
                         std::optional<Entry> (*read)(const Json& entry)) {
    NamedList list;
    const bool is_list = for_each_entry(text, member, [&list, read](const Json& json) {
      auto entry = read(json);
      list.is_damaged =
          list.is_damaged || !entry || list.find((*entry).*kName) || list.entries.size() == kMost;
      if (entry) list.keep(*std::move(entry));
    });
    list.is_damaged = list.is_damaged || !is_list;
    return list;
  }
};

}  // namespace base
