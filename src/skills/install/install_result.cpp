#include "skills/install/install_result.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/contract/js_string.hpp"

namespace clawperator::agent_skills {

namespace {

constexpr std::size_t kLongestSummary = 200;  // in UTF-16 code units

bool is_word_char(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  const char c = lower_char(text[at]);
  return (c >= 'a' && c <= 'z') || is_digit(c) || c == '_';
}

// The end of a word, where one is: between a character of a word and one of none.
bool is_word_edge(std::string_view text, std::size_t at) {
  return is_word_char(text, at) != (at > 0 && is_word_char(text, at - 1));
}

bool begins_with_error(std::string_view line) {
  constexpr std::string_view kError = "error";
  return line.starts_with(kError) && is_word_edge(line, kError.size());
}

// "err!" and "error:" end a word only where another one follows at once, as those have it who
// publish this: a line of npm's that begins with "ERR!" does not tell most.
bool tells_of_failure(std::string_view line) {
  for (const std::string_view word : {"err!", "error:", "failed"}) {
    for (std::size_t at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
      if (is_word_edge(line, at) && is_word_edge(line, at + word.size())) return true;
    }
  }
  return false;
}

// Runs of white space, whatever JavaScript takes for it, become one blank. Of a line that is
// trimmed.
std::string in_one_line(std::string_view line) {
  std::string text;
  for (std::string_view rest = line; !rest.empty();) {
    const std::string_view sequence = rest.substr(0, sequence_length(rest));
    rest.remove_prefix(sequence.size());
    if (!is_blank(sequence)) {
      text += sequence;
    } else if (!text.ends_with(' ')) {
      text += ' ';
    }
  }
  return text;
}

std::string shortened(const std::string& text) {
  if (utf16_length(text) <= kLongestSummary) return text;
  std::size_t end = 0;
  for (std::size_t units = 0; end < text.size();) {
    const std::size_t length = sequence_length(std::string_view(text).substr(end));
    units += length == 4 ? 2 : 1;
    if (units >= kLongestSummary) break;
    end += length;
  }
  return std::string(trimmed_end(std::string_view(text).substr(0, end))) + "\xe2\x80\xa6";
}

std::string summary_of(std::string_view said) {
  const std::string text = valid_utf8(said);
  std::vector<std::string_view> lines;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trim_js(rest.substr(0, end));
    if (!line.empty()) lines.push_back(line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (lines.empty()) return {};
  const auto first = [&lines](bool (*fits)(std::string_view)) {
    return std::ranges::find_if(lines,
                                [fits](std::string_view line) { return fits(ascii_lower(line)); });
  };
  auto chosen = first(begins_with_error);
  if (chosen == lines.end()) chosen = first(tells_of_failure);
  return shortened(in_one_line(chosen == lines.end() ? lines.back() : *chosen));
}

struct StatusName {
  long status;
  std::string_view name;
};
constexpr auto kStatusNames = std::to_array<StatusName>({
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {408, "Request Timeout"},
    {410, "Gone"},
    {429, "Too Many Requests"},
    {500, "Internal Server Error"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
});

void add_outcome(JsonObject* json, const InstallResult& result) {
  json->text("stdout", result.out).text("stderr", result.err);
  if (result.code) {
    json->number("code", *result.code);
  } else {
    json->null("code");
  }
}

}  // namespace

std::string install_json(const InstallResult& result) {
  JsonObject json;
  json.boolean("ok", result.ok).text("message", result.message);
  add_outcome(&json, result);
  return json.str();
}

Error install_error(const InstallResult& result) {
  ErrorMembers details;
  add_outcome(&details, result);
  return {errc::agent_install_failed, result.message,
          ErrorMembers().object("details", details).str()};
}

std::string install_failure(std::optional<int> code, std::string_view out, std::string_view err) {
  const std::string exit = code ? "exit " + std::to_string(*code) : "unknown exit";
  std::string summary = summary_of(err);
  if (summary.empty()) summary = summary_of(out);
  return "Install failed (" + exit + ")" + (summary.empty() ? "" : ": " + summary);
}

std::string download_failure(long status) {
  const auto* const known = std::ranges::find(kStatusNames, status, &StatusName::status);
  const std::string name =
      known == kStatusNames.end() ? std::string() : " " + std::string(known->name);
  return "Download failed (" + std::to_string(status) + name + ")";
}

}  // namespace clawperator::agent_skills
