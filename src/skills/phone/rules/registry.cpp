#include "skills/phone/rules/registry.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "skills/phone/rules/errc.hpp"

namespace clawperator::phone_skills {
namespace {

// The number of open containers: in the root, in the list of skills, in an entry, in a list of it.
constexpr std::size_t kRootDepth = 1;
constexpr std::size_t kListDepth = 2;
constexpr std::size_t kEntryDepth = 3;
constexpr std::size_t kEntryListDepth = 4;

constexpr std::size_t kShortEntry = 256;  // bytes

constexpr std::string_view kNoArray = "Invalid registry: skills array required";

constexpr std::pair<std::string_view, std::vector<std::string> Skill::*> kListMembers[] = {
    {"scripts", &Skill::scripts}, {"artifacts", &Skill::artifacts}, {"keywords", &Skill::keywords}};

// nullptr: the entry has no such member of that type.
template <class T, std::size_t count>
T* field_of(Skill& skill, const std::pair<std::string_view, T Skill::*> (&members)[count],
            std::string_view name) {
  for (const auto& [known, member] : members) {
    if (known == name) return &(skill.*member);
  }
  return nullptr;
}

enum class JsonKind { scalar, array, object };

// Writes the document again, compact, while the parser reads it, and notes where the list of skills
// and its entries begin and end. Texts are copied, not moved: both buffers keep their capacity.
class RegistryReader final : public nlohmann::json_sax<Json> {
 public:
  // Growing would copy the whole text; memory that is not written to costs nothing.
  RegistryReader(std::size_t text_size, EntryReading reading) : reading_(reading) {
    registry_.skills.reserve(text_size / kShortEntry + 1);
  }

  bool null() override { return scalar("null"); }
  bool boolean(bool value) override { return scalar(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return scalar(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return scalar(std::to_string(value)); }
  bool number_float(number_float_t value, const string_t&) override {
    return scalar(number_json(value));
  }
  bool binary(binary_t&) override { return false; }
  bool string(string_t& value) override {
    if (!begin_value(JsonKind::scalar)) return false;
    append_quoted(out_, value);
    if (is_in_list()) {
      end_entry();
    } else if (is_in_entry()) {
      if (auto* text = field_of(registry_.skills.back(), kSkillTexts, member_)) *text = value;
    } else if (list_ && depth() == kEntryListDepth) {
      list_->push_back(value);
    }
    return true;
  }

  bool key(string_t& name) override {
    if (!std::exchange(is_empty_.back(), false)) out_ += ',';
    append_quoted(out_, name);
    out_ += ':';
    after_key_ = true;
    if (depth() == kRootDepth || is_in_entry()) member_ = name;
    return true;
  }

  bool start_object(std::size_t) override { return open(JsonKind::object); }
  bool start_array(std::size_t) override { return open(JsonKind::array); }
  bool end_object() override {
    out_ += '}';
    is_empty_.pop_back();
    if (is_in_list()) end_entry();
    return true;
  }

  bool end_array() override {
    if (is_in_list()) in_skills_ = false;
    if (is_in_entry() || depth() == kEntryListDepth) list_ = nullptr;
    out_ += ']';
    is_empty_.pop_back();
    if (is_in_list()) end_entry();
    return true;
  }

  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& error) override {
    return refuse(parser_text(error.what()));
  }

  Result<Registry> take(bool parsed) {
    if (!parsed) return fail(errc::registry_read_failed, why_);
    if (!found_skills_) return fail(errc::registry_read_failed, std::string(kNoArray));
    registry_.tail = std::move(out_);
    return std::move(registry_);
  }

 private:
  bool refuse(std::string why) {
    why_ = std::move(why);
    return false;
  }
  bool scalar(std::string_view text) {
    if (!begin_value(JsonKind::scalar)) return false;
    out_ += text;
    if (is_in_list()) end_entry();
    return true;
  }
  void end_entry() {
    registry_.skills.back().json = out_;
    out_.clear();
  }
  [[nodiscard]] bool is_in_list() const { return in_skills_ && depth() == kListDepth; }
  [[nodiscard]] bool is_in_entry() const {
    return reading_ == EntryReading::fields && in_skills_ && depth() == kEntryDepth;
  }
  [[nodiscard]] std::size_t depth() const { return is_empty_.size(); }

  bool may_stand_here(JsonKind kind) {
    const bool is_skills = depth() == kRootDepth && member_ == "skills";
    if (depth() == 0 && kind != JsonKind::object) return refuse(std::string(kNoArray));
    if (is_skills && kind != JsonKind::array) return refuse(std::string(kNoArray));
    if (is_skills && found_skills_) return refuse("Invalid registry: there are two skills arrays");
    return depth() < kMaxJsonDepth || refuse("nested deeper than 128 levels");
  }

  bool begin_value(JsonKind kind) {
    if (!may_stand_here(kind)) return false;
    if (is_in_list()) {
      if (registry_.skills.size() == kMaxSkills) {
        return refuse("Invalid registry: more than " + std::to_string(kMaxSkills) + " skills");
      }
      registry_.skills.emplace_back();
      registry_.skills.back().is_object = kind == JsonKind::object;
      member_.clear();  // an array has none
      return true;
    }
    if (is_in_entry()) note_member(kind);
    const bool follows =
        !std::exchange(after_key_, false) && depth() > 0 && !std::exchange(is_empty_.back(), false);
    if (follows) out_ += ',';
    return true;
  }

  // A member of an entry begins; of a repeated one the last counts.
  void note_member(JsonKind kind) {
    Skill& skill = registry_.skills.back();
    if (auto* text = field_of(skill, kSkillTexts, member_)) text->clear();
    list_ = field_of(skill, kListMembers, member_);
    if (list_) list_->clear();
    if (kind != JsonKind::array) list_ = nullptr;
    if (member_ == "scripts") skill.lists_scripts = kind == JsonKind::array;
    if (member_ == "artifacts") skill.artifacts_usable = kind == JsonKind::array;
  }

  bool open(JsonKind kind) {
    const bool begins_skills = depth() == kRootDepth && member_ == "skills";
    if (!begin_value(kind)) return false;
    out_ += kind == JsonKind::object ? '{' : '[';
    is_empty_.push_back(true);
    if (!begins_skills) return true;
    in_skills_ = found_skills_ = true;
    registry_.head = std::exchange(out_, {});
    return true;
  }

  EntryReading reading_;
  Registry registry_;
  std::string out_;
  std::vector<char> is_empty_;  // for each open container: whether it is still empty
  bool after_key_ = false;
  bool in_skills_ = false;
  bool found_skills_ = false;
  std::string member_;                        // the last name in the root or in an entry
  std::vector<std::string>* list_ = nullptr;  // receives the strings of the entry's open list
  std::string why_;
};

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

  // 0: no match.
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

Result<Registry> parse_registry(std::string_view text, EntryReading reading) {
  if (text.size() > kMaxRegistryBytes) {
    return fail(errc::registry_read_failed, "Invalid registry: longer than 32 MiB");
  }
  RegistryReader reader(text.size(), reading);
  const bool parsed = Json::sax_parse(text, &reader);
  return reader.take(parsed);
}

std::string write_registry(const Registry& registry) {
  std::string compact = registry.head;
  for (const Skill& skill : registry.skills) {
    if (&skill != registry.skills.data()) compact += ',';
    compact += skill.json;
  }
  return indent_json(compact + registry.tail) + "\n";
}

const Skill* find_skill(const Registry& registry, std::string_view id) {
  const auto found = std::ranges::find(registry.skills, id, &Skill::id);
  return found == registry.skills.end() || id.empty() ? nullptr : &*found;
}

std::unexpected<Error> no_such_skill(std::string_view id) {
  return fail(errc::skill_not_found, "Skill not found: " + std::string(id));
}

bool is_inner_path(std::string_view path) {
  if (path.empty() || path.starts_with('/') || path.contains('\\') || path.contains('\0')) {
    return false;
  }
  const auto parts = split(path, '/');
  return std::ranges::find(parts, "..") == parts.end();
}

std::vector<const Skill*> search(const Registry& registry, const Query& query) {
  const bool ranked = query.keyword && !is_blank(*query.keyword);
  const Scorer scorer(ranked ? *query.keyword : "");
  std::vector<std::pair<int, const Skill*>> found;
  for (const Skill& skill : registry.skills) {
    if (!skill.is_object || !fits(skill, query)) continue;
    const int score = ranked ? scorer.score(skill) : 1;
    if (score > 0) found.emplace_back(-score, &skill);
  }
  std::ranges::sort(found);  // the best first, then in the registry's order
  std::vector<const Skill*> skills;
  for (const auto& [score, skill] : found) skills.push_back(skill);
  return skills;
}

std::string listing_json(const std::vector<const Skill*>& skills) {
  constexpr std::string_view kHead = R"({"skills":[)";
  std::size_t size = 64;
  for (const Skill* skill : skills) size += skill->json.size() + 1;
  std::string json;
  json.reserve(size);
  json += kHead;
  for (const Skill* skill : skills) {
    if (json.size() > kHead.size()) json += ',';
    json += skill->json;
  }
  return json + "],\"count\":" + std::to_string(skills.size()) + "}";
}

}  // namespace clawperator::phone_skills
