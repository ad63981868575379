#include "skills/registry/registry.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_document.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::skills {
namespace {

// How many containers are open: in the root, in the list of skills, in an entry, in a list of it.
constexpr std::size_t kRootDepth = 1;
constexpr std::size_t kListDepth = 2;
constexpr std::size_t kEntryDepth = 3;
constexpr std::size_t kEntryListDepth = 4;

constexpr std::size_t kShortEntry = 256;  // bytes

constexpr std::string_view kNoArray = "Invalid registry: skills array required";

std::string* text_field(Skill& skill, std::string_view name) {
  if (name == "id") return &skill.id;
  if (name == "applicationId") return &skill.application_id;
  if (name == "intent") return &skill.intent;
  if (name == "summary") return &skill.summary;
  if (name == "path") return &skill.path;
  if (name == "skillFile") return &skill.skill_file;
  return nullptr;
}

std::vector<std::string>* list_field(Skill& skill, std::string_view name) {
  if (name == "scripts") return &skill.scripts;
  if (name == "artifacts") return &skill.artifacts;
  if (name == "keywords") return &skill.keywords;
  return nullptr;
}

enum class Kind { scalar, array, object };

// Writes the document again, compact, while the parser goes over it, and cuts what it has written
// where the list of skills and its entries begin and end. Texts are copied, not moved: the parser's
// buffer and ours keep their room.
class RegistryReader final : public nlohmann::json_sax<Json> {
 public:
  // Growing would copy all that there is; memory that is not written to costs nothing.
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
  bool string(string_t& value) override;
  bool key(string_t& name) override;
  bool start_object(std::size_t) override { return open(Kind::object); }
  bool start_array(std::size_t) override { return open(Kind::array); }
  bool end_object() override;
  bool end_array() override;
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
    if (!begin_value(Kind::scalar)) return false;
    out_ += text;
    return true;
  }
  [[nodiscard]] bool is_in_list() const { return in_skills_ && depth() == kListDepth; }
  [[nodiscard]] bool is_in_entry() const {
    return reading_ == EntryReading::fields && in_skills_ && depth() == kEntryDepth;
  }
  [[nodiscard]] std::size_t depth() const { return is_empty_.size(); }

  bool may_stand_here(Kind kind);
  bool begin_value(Kind kind);
  void note_member(Kind kind);
  bool open(Kind kind);
  void end_entry();

  EntryReading reading_;
  Registry registry_;
  std::string out_;
  std::vector<char> is_empty_;  // of each open container: nothing stands in it yet
  bool after_key_ = false;
  bool in_skills_ = false;
  bool found_skills_ = false;
  std::string member_;                        // the last name in the root or in an entry
  std::vector<std::string>* list_ = nullptr;  // where the strings of the entry's open list go
  std::string why_;
};

bool RegistryReader::may_stand_here(Kind kind) {
  const bool is_skills = depth() == kRootDepth && member_ == "skills";
  if (depth() == 0 && kind != Kind::object) return refuse(std::string(kNoArray));
  if (is_skills && kind != Kind::array) return refuse(std::string(kNoArray));
  if (is_skills && found_skills_) return refuse("Invalid registry: there are two skills arrays");
  if (is_in_list() && kind != Kind::object) {
    return refuse("Invalid registry: skills[" + std::to_string(registry_.skills.size()) +
                  "] is no object");
  }
  return depth() < kMaxJsonDepth || refuse("nested deeper than 128 levels");
}

bool RegistryReader::begin_value(Kind kind) {
  if (!may_stand_here(kind)) return false;
  if (is_in_list()) {
    registry_.skills.emplace_back();
    return true;
  }
  if (is_in_entry()) note_member(kind);
  const bool follows =
      !std::exchange(after_key_, false) && depth() > 0 && !std::exchange(is_empty_.back(), false);
  if (follows) out_ += ',';
  return true;
}

// A member of an entry begins; of a repeated one the last counts.
void RegistryReader::note_member(Kind kind) {
  Skill& skill = registry_.skills.back();
  if (auto* text = text_field(skill, member_)) text->clear();
  list_ = list_field(skill, member_);
  if (list_) list_->clear();
  if (kind != Kind::array) list_ = nullptr;
  if (member_ == "scripts") skill.lists_scripts = kind == Kind::array;
  if (member_ == "artifacts") skill.artifacts_usable = kind == Kind::array;
}

bool RegistryReader::string(string_t& value) {
  if (!begin_value(Kind::scalar)) return false;
  append_quoted(out_, value);
  if (is_in_entry()) {
    if (auto* text = text_field(registry_.skills.back(), member_)) *text = value;
  } else if (list_ && depth() == kEntryListDepth) {
    list_->push_back(value);
  }
  return true;
}

bool RegistryReader::key(string_t& name) {
  if (!std::exchange(is_empty_.back(), false)) out_ += ',';
  append_quoted(out_, name);
  out_ += ':';
  after_key_ = true;
  if (depth() == kRootDepth || is_in_entry()) member_ = name;
  return true;
}

bool RegistryReader::open(Kind kind) {
  const bool begins_skills = depth() == kRootDepth && member_ == "skills";
  if (!begin_value(kind)) return false;
  out_ += kind == Kind::object ? '{' : '[';
  is_empty_.push_back(true);
  if (!begins_skills) return true;
  in_skills_ = found_skills_ = true;
  registry_.head = std::exchange(out_, {});
  return true;
}

bool RegistryReader::end_object() {
  out_ += '}';
  is_empty_.pop_back();
  if (is_in_list()) end_entry();
  return true;
}

void RegistryReader::end_entry() {
  registry_.skills.back().json = out_;
  out_.clear();
}

bool RegistryReader::end_array() {
  if (is_in_list()) in_skills_ = false;
  if (is_in_entry() || depth() == kEntryListDepth) list_ = nullptr;
  out_ += ']';
  is_empty_.pop_back();
  return true;
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

}  // namespace clawperator::skills
