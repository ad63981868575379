#include "skills/agent/rules/frontmatter.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "skills/agent/rules/install_options.hpp"
#include "skills/agent/rules/json5.hpp"
#include "skills/yaml/yaml.hpp"

namespace clawperator::agent_skills {
namespace {

using Kind = InstallSpec::Kind;

void add_unless_blank(std::vector<std::string>* texts, std::string_view text) {
  if (!is_blank(text)) texts->emplace_back(trim_js(text));
}

// A list, or one text with commas.
std::vector<std::string> texts_of_member(const Json& of, const char* name) {
  std::vector<std::string> texts;
  const Json* value = find_member(of, name);
  if (value == nullptr) return texts;
  if (value->is_array()) {
    for (const Json& each : *value) add_unless_blank(&texts, js_text(each));
  } else if (const std::string* text = string_value(value)) {
    for (const std::string_view part : split(*text, ',')) add_unless_blank(&texts, part);
  }
  return texts;
}

std::optional<std::string> optional_text(const Json& of, const char* name) {
  const std::string* text = string_member(of, name);
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::string text_member(const Json& of, const char* name) {
  return optional_text(of, name).value_or("");
}

std::optional<Kind> kind_of(const Json& item) {
  const std::string* text = string_member(item, "kind");
  if (text == nullptr) text = string_member(item, "type");
  const std::string word = text == nullptr ? "" : ascii_lower(trim_js(*text));
  for (const Kind kind : {Kind::brew, Kind::node, Kind::go, Kind::uv, Kind::download}) {
    if (word == name_of(kind)) return kind;
  }
  return std::nullopt;
}

std::optional<InstallSpec> spec_of(const Json& item) {
  const auto kind = kind_of(item);
  if (!kind) return std::nullopt;
  InstallSpec spec{.kind = *kind};
  spec.id = text_member(item, "id");
  spec.label = text_member(item, "label");
  spec.bins = texts_of_member(item, "bins");
  spec.os = texts_of_member(item, "os");
  spec.formula = trim_js(text_member(item, "formula"));
  if (spec.formula.empty()) spec.formula = trim_js(text_member(item, "cask"));
  spec.package = text_member(item, "package");
  spec.module = text_member(item, "module");
  spec.url = text_member(item, "url");
  spec.archive = text_member(item, "archive");
  spec.target_dir = text_member(item, "targetDir");
  spec.sha256 = ascii_lower(trim_js(text_member(item, "sha256")));
  const Json* extract = find_member(item, "extract");
  if (extract != nullptr && extract->is_boolean()) spec.extract = extract->get<bool>();
  const Json* strip = find_member(item, "stripComponents");
  if (strip != nullptr && strip->is_number()) {
    const double count = strip->get<double>();
    spec.strip_components = count > 0 ? std::floor(count) : 0;
  }
  return spec;
}

// The first spelling of the key that exists.
const Json* of_this_family(const Json& metadata) {
  for (const char* key : {"openclaw", "clawdbot", "clawdis"}) {
    const Json* found = find_member(metadata, key);
    if (found != nullptr && found->is_structured()) return found;
  }
  return nullptr;
}

Requires requires_of(const Json& needs) {
  return {.bins = texts_of_member(needs, "bins"),
          .any_bins = texts_of_member(needs, "anyBins"),
          .env = texts_of_member(needs, "env"),
          .config = texts_of_member(needs, "config")};
}

// Lenient: a member of the wrong type counts as missing.
Metadata read_metadata(const Frontmatter& frontmatter) {
  Metadata metadata;
  if (frontmatter.metadata == nullptr || !frontmatter.metadata->is_object()) return metadata;
  const Json* ours = of_this_family(*frontmatter.metadata);
  if (ours == nullptr || !ours->is_object()) return metadata;
  metadata.always = is_true_member(*ours, "always");
  metadata.emoji = optional_text(*ours, "emoji");
  metadata.homepage = optional_text(*ours, "homepage");
  metadata.skill_key = text_member(*ours, "skillKey");
  metadata.primary_env = text_member(*ours, "primaryEnv");
  metadata.os = texts_of_member(*ours, "os");
  if (const Json* needs = find_member(*ours, "requires")) metadata.needs = requires_of(*needs);
  const Json* install = find_member(*ours, "install");
  if (install == nullptr || !install->is_array()) return metadata;
  for (const Json& item : *install) {
    if (auto spec = spec_of(item)) metadata.install.push_back(*std::move(spec));
  }
  return metadata;
}

using Texts = std::vector<std::pair<std::string, std::string>>;

std::string with_line_feeds(std::string_view file) {
  std::string out;
  out.reserve(file.size());
  for (std::size_t i = 0; i < file.size(); ++i) {
    if (file[i] == '\r') {
      out += '\n';
      if (i + 1 < file.size() && file[i + 1] == '\n') ++i;
    } else {
      out += file[i];
    }
  }
  return out;
}

// The text behind the frontmatter is for models.
std::string beginning_of(std::string_view file) {
  return with_line_feeds(valid_utf8(file.substr(0, end_of_frontmatter(file))));
}

std::string_view block_of(std::string_view file) {
  if (!file.starts_with("---")) return {};
  const auto end = file.find("\n---", 3);
  if (end == file.npos || end < 4) return {};
  return file.substr(4, end - 4);
}

// String() of JavaScript for scalars, JSON for the rest.
std::string scalar_text(const Json& value) {
  if (value.is_number() && !std::isfinite(value.get<double>())) {
    const double number = value.get<double>();
    return std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
  }
  return std::string(trim_js(js_text(value)));
}

bool is_key_char(char c) { return is_letter_or_digit(c) || c == '_' || c == '-'; }

std::string_view without_quotes(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == text.back() &&
                      (text.front() == '"' || text.front() == '\'');
  return quoted ? text.substr(1, text.size() - 2) : text;
}

bool goes_on(std::string_view line) {
  return line.empty() || line.front() == ' ' || line.front() == '\t';
}

void set(Texts* texts, std::string_view name, std::string_view value) {
  const auto found = std::ranges::find(*texts, name, &Texts::value_type::first);
  if (found == texts->end()) {
    texts->emplace_back(name, value);
  } else {
    found->second = value;
  }
}

struct Line {
  std::string_view name;
  std::string value;
  std::string_view whole;  // of the block, the lines below it aside
};

bool begins_as_json(std::string_view value) {
  return value.starts_with('{') || value.starts_with('[');
}

// The lines of the block, as `name: value` or a value that is indented below its name; of a
// repeated name the last one. Only values that begin as JSON: YAML reads all others.
std::vector<Line> lines_with_json(std::string_view block) {
  std::vector<Line> found;
  const std::vector<std::string_view> lines = split(block, '\n');
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const auto colon =
        static_cast<std::size_t>(std::ranges::find_if_not(line, is_key_char) - line.begin());
    if (colon == 0 || colon == line.size() || line[colon] != ':') continue;
    const std::string_view rest = trim_js(line.substr(colon + 1));
    std::string value(without_quotes(rest));
    if (rest.empty() && i + 1 < lines.size() && !lines[i + 1].empty() && goes_on(lines[i + 1])) {
      std::string below;
      while (i + 1 < lines.size() && goes_on(lines[i + 1])) {
        if (!below.empty()) below += '\n';
        below += lines[++i];
      }
      value = trim_js(below);
    }
    if (value.empty()) continue;
    const std::string_view name = line.substr(0, colon);
    std::erase_if(found, [name](const Line& each) { return each.name == name; });
    if (begins_as_json(value)) found.push_back({name, std::move(value), line});
  }
  return found;
}

// A value that begins as JSON in its line is read as JSON, because YAML reads `{a: b}` otherwise.
// Where the line alone is no JSON (it continues below), YAML's value stays.
struct JsonLine {
  const Line* line = nullptr;
  std::shared_ptr<const Json> json{};
  bool is_json = false;  // plain JSON, and not only JSON5
};

std::vector<JsonLine> json_lines(const std::vector<Line>& lines) {
  std::vector<JsonLine> found;
  for (const Line& line : lines) {
    bool is_json = false;
    auto json = read_json5(line.value, &is_json);
    if (!json) continue;
    found.push_back({&line, std::make_shared<const Json>(*std::move(json)), is_json});
  }
  return found;
}

// JSON is YAML, too, so values that were read already are left out. Their names stay, because a
// repeated name is an error.
std::string without_json(std::string_view block, const std::vector<JsonLine>& json_lines) {
  std::string shorter;
  std::vector<std::string_view> wholes;
  for (const JsonLine& each : json_lines) {
    const std::string_view whole = each.line->whole;
    if (each.is_json && trim_js(whole).ends_with(each.line->value)) wholes.push_back(whole);
  }
  std::ranges::sort(wholes, {}, &std::string_view::data);
  std::size_t at = 0;
  for (const std::string_view whole : wholes) {
    const auto begin = static_cast<std::size_t>(whole.data() - block.data());
    shorter += block.substr(at, begin - at);
    shorter.append(whole.substr(0, whole.find(':'))).append(": 0");
    at = begin + whole.size();
  }
  return shorter.append(block.substr(at));
}

void read_texts(const Json& yaml, const std::vector<JsonLine>& json_lines, Frontmatter* to) {
  for (const auto& [name, value] : yaml.get_ref<const Json::object_t&>()) {
    if (!value.is_null()) set(&to->texts, trim_js(name), scalar_text(value));
  }
  for (const JsonLine& each : json_lines) {
    set(&to->texts, each.line->name, each.line->value);
    if (each.line->name == "metadata") to->metadata = each.json;
  }
  const std::string* metadata = to->text("metadata");
  if (metadata == nullptr || to->metadata != nullptr) return;
  if (auto json = read_json5(*metadata)) {
    to->metadata = std::make_shared<const Json>(*std::move(json));
  }
}

bool flag_of(const Frontmatter& frontmatter, std::string_view name, bool otherwise) {
  const std::string* text = frontmatter.text(name);
  if (text == nullptr) return otherwise;
  const std::string word = ascii_lower(trim_js(*text));
  return otherwise ? !is_one_of(word, "false 0 no off") : is_one_of(word, "true 1 yes on");
}

// The value of the first of these names that exists.
std::string first_text(const Frontmatter& frontmatter, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const std::string* text = frontmatter.text(name)) return std::string(trim_js(*text));
  }
  return {};
}

std::string tool_of(const Frontmatter& frontmatter) {
  const std::string kind = first_text(frontmatter, {"command-dispatch", "command_dispatch"});
  if (ascii_lower(kind) != "tool") return {};
  return first_text(frontmatter, {"command-tool", "command_tool"});
}

std::string homepage_of(const Metadata& metadata, const Frontmatter& frontmatter) {
  if (metadata.homepage) return std::string(trim_js(*metadata.homepage));
  return first_text(frontmatter, {"homepage", "website", "url"});
}

std::string emoji_of(const Metadata& metadata, const Frontmatter& frontmatter) {
  if (metadata.emoji) return *metadata.emoji;
  const std::string* text = frontmatter.text("emoji");
  return text == nullptr ? "" : *text;
}

constexpr std::size_t kLongestName = 64;
constexpr std::size_t kLongestCompatibility = 500;
constexpr std::ptrdiff_t kManyLines = 500;

std::string counted(std::string_view what, std::size_t most, std::size_t is) {
  return std::string(what) + " is over " + std::to_string(most) + " characters long (" +
         std::to_string(is) + ")";
}

void check_fields(const Json& yaml, std::vector<std::string>* broken) {
  // The names of the specification, and those that the hosts of this family know.
  constexpr std::string_view kKnown =
      "name description license compatibility metadata allowed-tools homepage website url emoji "
      "user-invocable disable-model-invocation command-dispatch command_dispatch command-tool "
      "command_tool command-arg-mode command_arg_mode";
  std::vector<std::string> unknown;
  for (const auto& [name, value] : yaml.get_ref<const Json::object_t&>()) {
    if (!is_one_of(name, kKnown)) unknown.push_back(name);
  }
  if (!unknown.empty()) {
    broken->push_back("unknown fields in the frontmatter: " + joined(unknown, ", "));
  }
}

void check_name(const Json* value, std::string_view folder, std::vector<std::string>* broken) {
  if (value == nullptr) return broken->push_back("name is missing");
  const std::string* name = string_value(value);
  if (name == nullptr || is_blank(*name)) return broken->push_back("name must be a text");
  const std::size_t length = character_count(*name);
  if (length > kLongestName) broken->push_back(counted("name", kLongestName, length));
  if (ascii_lower(*name) != *name) broken->push_back("name must be in lower case");
  if (name->starts_with('-') || name->ends_with('-')) {
    broken->push_back("name must not begin or end with a hyphen");
  }
  if (name->contains("--")) broken->push_back("name must not have two hyphens in a row");
  if (!std::ranges::all_of(*name, [](char c) { return is_letter_or_digit(c) || c == '-'; })) {
    broken->push_back("name may have lower case letters, digits and hyphens only");
  }
  if (*name != folder) {
    broken->push_back("name " + in_quotes(*name) + " is not the folder's, " + in_quotes(folder));
  }
}

void check_text(const Json& yaml, const char* field, std::size_t most, bool is_required,
                std::vector<std::string>* broken) {
  const Json* value = find_member(yaml, field);
  if (value == nullptr) {
    if (is_required) broken->push_back(std::string(field) + " is missing");
    return;
  }
  const std::string* text = string_value(value);
  if (text == nullptr || is_blank(*text)) {
    return broken->push_back(std::string(field) + " must be a text that is not blank");
  }
  const std::size_t length = character_count(*text);
  if (length > most) broken->push_back(counted(field, most, length));
}

void check_metadata(const Frontmatter& frontmatter, std::vector<std::string>* broken) {
  const std::string* text = frontmatter.text("metadata");
  if (text == nullptr) return;
  const auto json = read_json5(*text);
  if (!json) return broken->push_back("metadata is no JSON: " + json.error().message());
  if (!json->is_object()) broken->push_back("metadata must be an object");
}

void check_texts(const Result<Json>& whole, std::vector<std::string>* broken) {
  if (!whole) return broken->push_back("the frontmatter is no YAML: " + whole.error().message());
  for (const char* field : {"license", "allowed-tools"}) {
    const Json* value = find_member(*whole, field);
    if (value && !value->is_string()) broken->push_back(std::string(field) + " must be a text");
  }
  const Json* metadata = find_member(*whole, "metadata");
  const auto is_text = [](const Json& value) { return value.is_string(); };
  if (metadata && !(metadata->is_object() && std::ranges::all_of(*metadata, is_text))) {
    broken->push_back("metadata must map texts to texts");
  }
}

}  // namespace

const std::string* Frontmatter::text(std::string_view name) const {
  const auto found = std::ranges::find(texts, name, &Texts::value_type::first);
  return found == texts.end() ? nullptr : &found->second;
}

const Json* Frontmatter::value(std::string_view name) const {
  return yaml == nullptr ? nullptr : find_member(*yaml, name);
}

std::size_t end_of_frontmatter(std::string_view file) {
  // With any kind of line end.
  for (std::size_t at = 3; (at = file.find("---", at)) != file.npos; ++at) {
    if (file[at - 1] == '\n' || file[at - 1] == '\r') return at + 3;
  }
  return file.npos;
}

Result<Json> whole_frontmatter(std::string_view file) {
  const std::string text = beginning_of(file);
  const std::string_view block = block_of(text);
  return block.empty() ? Json() : read_yaml(block);
}

Result<Frontmatter> read_frontmatter(std::string_view file) {
  const std::string text = beginning_of(file);
  const std::string_view block = block_of(text);
  Frontmatter frontmatter;
  if (block.empty()) return frontmatter;
  if (block.size() > kMaxYaml) return fail(errc::limit, "over 64 KiB of YAML");
  const std::vector<Line> lines = lines_with_json(block);
  const std::vector<JsonLine> json = json_lines(lines);
  TRY(Json yaml, read_yaml(without_json(block, json)));
  if (!yaml.is_object()) return frontmatter;
  read_texts(yaml, json, &frontmatter);
  frontmatter.yaml = std::make_shared<const Json>(std::move(yaml));
  return frontmatter;
}

Result<Entry> read_skill(std::string_view file, std::string_view folder_name) {
  TRY(const Frontmatter frontmatter, read_frontmatter(file));
  const Json* description = frontmatter.value("description");
  const std::string* described = string_value(description);
  if (described == nullptr && description != nullptr && !description->is_null()) {
    return fail(errc::protocol, "description is no text");
  }
  if (described == nullptr || is_blank(*described)) {
    return fail(errc::protocol, "description is required");
  }
  const Json* name = frontmatter.value("name");
  Entry entry;
  entry.skill.name = folder_name;
  if (name != nullptr && is_truthy(*name)) {
    const std::string* text = string_value(name);
    if (text == nullptr) return fail(errc::protocol, "name is no text");
    entry.skill.name = *text;
  }
  entry.skill.description = *described;
  entry.metadata = read_metadata(frontmatter);
  entry.user_invocable = flag_of(frontmatter, "user-invocable", true);
  entry.hidden_from_model = flag_of(frontmatter, "disable-model-invocation", false);
  entry.tool = tool_of(frontmatter);
  entry.homepage = homepage_of(entry.metadata, frontmatter);
  entry.emoji = emoji_of(entry.metadata, frontmatter);
  return entry;
}

std::vector<std::string> broken_rules(std::string_view file, std::string_view folder_name,
                                      JudgedFor judged_for) {
  if (!file.starts_with("---")) return {"the file must begin with a line of three hyphens (---)"};
  if (end_of_frontmatter(file) == file.npos) return {"the frontmatter has no end (---)"};
  if (valid_utf8(file) != file) return {"the file is no valid UTF-8"};
  const auto frontmatter = read_frontmatter(file);
  if (!frontmatter) return {"the frontmatter is no YAML: " + frontmatter.error().message()};
  if (frontmatter->yaml == nullptr) return {"the frontmatter must be a YAML mapping"};
  std::vector<std::string> broken;
  const Json& yaml = *frontmatter->yaml;
  if (judged_for == JudgedFor::its_author) check_fields(yaml, &broken);
  check_name(find_member(yaml, "name"), folder_name, &broken);
  check_text(yaml, "description", kLongestDescription, true, &broken);
  check_text(yaml, "compatibility", kLongestCompatibility, false, &broken);
  check_metadata(*frontmatter, &broken);
  if (judged_for == JudgedFor::a_client) check_texts(whole_frontmatter(file), &broken);
  return broken;
}

std::vector<std::string> advice_of(std::string_view file) {
  if (std::ranges::count(file, '\n') <= kManyLines) return {};
  return {"over 500 lines: what is not always wanted is better kept in references/"};
}

}  // namespace clawperator::agent_skills
