#include "base/suggest.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace base {
namespace {

// Longer words are no typing errors, and the cost is quadratic.
constexpr std::size_t kLongestWord = 64;

// The longest part of a caller's word that a message repeats.
constexpr std::size_t kLongestEcho = 256;

}  // namespace

std::string clipped(std::string_view word) {
  if (word.size() <= kLongestEcho) return std::string(word);
  return std::string(word.substr(0, kLongestEcho)) + "... (" + std::to_string(word.size()) +
         " bytes)";
}

std::size_t levenshtein(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

std::optional<std::string_view> suggest_flag(std::string_view flag,
                                             std::span<const std::string_view> candidates) {
  if (flag.size() > kLongestWord) return std::nullopt;
  std::optional<std::string_view> best;
  double best_likeness = 0.75;
  for (const std::string_view candidate : candidates) {
    const auto longer = static_cast<double>(std::max(flag.size(), candidate.size()));
    const double likeness = 1.0 - static_cast<double>(levenshtein(flag, candidate)) / longer;
    if (likeness > best_likeness) {
      best = candidate;
      best_likeness = likeness;
    }
  }
  return best;
}

std::optional<std::string_view> suggest_name(std::string_view name,
                                             std::span<const NameCandidate> candidates) {
  if (name.size() > kLongestWord) return std::nullopt;
  const std::size_t limit = std::max<std::size_t>(2, name.size() / 2);
  const auto rank = [&](const NameCandidate& candidate) {
    return std::tuple(levenshtein(name, candidate.name), !candidate.primary, candidate.name);
  };
  const auto best = std::ranges::min_element(candidates, {}, rank);
  if (best == candidates.end() || levenshtein(name, best->name) > limit) return std::nullopt;
  return best->name;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> known) {
  std::vector<NameCandidate> candidates;
  for (const std::string_view each : known) candidates.push_back({each});
  if (const auto near = suggest_name(name, candidates)) {
    return ". Did you mean '" + std::string(*near) + "'?";
  }
  std::string list;
  for (const std::string_view each : known) list.append(list.empty() ? "" : ", ").append(each);
  return list.empty() ? "; there is none here" : "; known are: " + list;
}

}  // namespace base
