#include "skills/registry/search.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "runtime/contract/js_string.hpp"

namespace clawperator::skills {
namespace {

using Words = std::vector<std::string_view>;

// Views into `lower`, which is in lower case.
Words words_of(std::string_view lower) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  Words words;
  for (auto at = lower.find_first_of(kLetters); at != lower.npos;
       at = lower.find_first_of(kLetters, at)) {
    const auto end = std::min(lower.find_first_not_of(kLetters, at), lower.size());
    words.push_back(lower.substr(at, end - at));
    at = end;
  }
  return words;
}

class Scorer {
 public:
  explicit Scorer(std::string_view keyword)
      : asked_(ascii_lower(trim_js(keyword))), words_(words_of(asked_)) {}

  // 0: it does not fit.
  [[nodiscard]] int score(const Skill& skill) const {
    int best = 0;
    for (const std::string& keyword : skill.keywords) {
      best = std::max(best, score_of(keyword, {600, 550, 400}));
    }
    for (const std::string* name : {&skill.id, &skill.application_id}) {
      best = std::max(best, score_of(*name, {500, 450, 300}));
    }
    if (best > 0) return best;
    return ascii_lower(skill.summary).contains(asked_) ? 100 : 0;
  }

 private:
  struct Ranks {
    int same, has_words, has_part;
  };

  [[nodiscard]] int score_of(std::string_view text, Ranks ranks) const {
    const std::string lower = ascii_lower(text);
    if (lower == asked_) return ranks.same;
    if (has_all_words(lower)) return ranks.has_words;
    return lower.contains(asked_) ? ranks.has_part : 0;
  }

  [[nodiscard]] bool has_all_words(std::string_view lower) const {
    if (words_.empty() || !lower.contains(words_[0])) return false;
    const Words theirs = words_of(lower);
    return std::ranges::all_of(words_, [&](std::string_view word) {
      return std::ranges::find(theirs, word) != theirs.end();
    });
  }

  std::string asked_;
  Words words_;
};

bool fits(const Skill& skill, const Query& query) {
  return (!query.app || skill.application_id == *query.app) &&
         (!query.intent || skill.intent == *query.intent);
}

}  // namespace

std::vector<const Skill*> search(const Registry& registry, const Query& query) {
  const bool ranked = query.keyword && !is_blank(*query.keyword);
  const Scorer scorer(ranked ? *query.keyword : "");
  std::vector<std::pair<int, const Skill*>> found;
  for (const Skill& skill : registry.skills) {
    if (!fits(skill, query)) continue;
    const int score = ranked ? scorer.score(skill) : 1;
    if (score > 0) found.emplace_back(-score, &skill);
  }
  std::ranges::sort(found);  // the best first, then in the registry's order
  std::vector<const Skill*> skills;
  for (const auto& [score, skill] : found) skills.push_back(skill);
  return skills;
}

}  // namespace clawperator::skills
