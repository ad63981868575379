#include "cli/grammar/group.hpp"

#include "cli/grammar/suggest.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"

namespace clawperator::cli {

std::string_view second_word(const Command& subcommand) {
  return subcommand.name.substr(subcommand.name.find(' ') + 1);
}

std::string subcommand_words(const Command& group) {
  std::string words;
  for (const Command* subcommand : group.subcommands) {
    words += (words.empty() ? "" : "|") + std::string(second_word(*subcommand));
  }
  return words;
}

std::unexpected<Error> group_usage(const Command& group, std::span<const std::string> words) {
  std::vector<NameCandidate> candidates;
  for (const Command* subcommand : group.subcommands) {
    candidates.push_back({second_word(*subcommand), true});
    for_each_word(subcommand->synonyms,
                  [&](std::string_view synonym) { candidates.push_back({synonym, false}); });
  }
  std::string message =
      "Usage: clawperator " + std::string(group.name) + " " + subcommand_words(group);
  const auto near = words.empty() ? std::nullopt : suggest_name(words.front(), candidates);
  if (!near) return fail(errc::usage, std::move(message));
  return fail(errc::usage, message + ". Did you mean '" + std::string(*near) + "'?",
              ErrorMembers().text("suggestion", *near).str());
}

}  // namespace clawperator::cli
