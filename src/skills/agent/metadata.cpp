// `metadata` of a frontmatter: read leniently, what is not as it should be is left out.

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "runtime/contract/js_string.hpp"
#include "skills/agent/frontmatter.hpp"

namespace clawperator::agent_skills {
namespace {

using Kind = InstallSpec::Kind;

std::string scalar_text(const Json& value) {
  const std::string* text = string_value(&value);
  return std::string(trim_js(text ? *text : write_json(value)));
}

void add_unless_blank(std::vector<std::string>* texts, std::string_view text) {
  if (!is_blank(text)) texts->emplace_back(trim_js(text));
}

// A list, or one text with commas.
std::vector<std::string> texts_of_member(const Json& of, const char* name) {
  std::vector<std::string> texts;
  const Json* value = find_member(of, name);
  if (value == nullptr) return texts;
  if (value->is_array()) {
    for (const Json& each : *value) add_unless_blank(&texts, scalar_text(each));
  } else if (const std::string* text = string_value(value)) {
    std::string_view rest = *text;
    for (auto comma = rest.find(','); comma != rest.npos; comma = rest.find(',')) {
      add_unless_blank(&texts, rest.substr(0, comma));
      rest.remove_prefix(comma + 1);
    }
    add_unless_blank(&texts, rest);
  }
  return texts;
}

std::string text_member(const Json& of, const char* name) {
  const std::string* text = string_value(find_member(of, name));
  return text == nullptr ? "" : *text;
}

std::optional<std::string> optional_text(const Json& of, const char* name) {
  const std::string* text = string_value(find_member(of, name));
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::optional<Kind> kind_of(const Json& item) {
  const std::string* text = string_value(find_member(item, "kind"));
  if (text == nullptr) text = string_value(find_member(item, "type"));
  if (text == nullptr) return std::nullopt;
  const std::string word = ascii_lower(trim_js(*text));
  if (word == "brew") return Kind::brew;
  if (word == "node") return Kind::node;
  if (word == "go") return Kind::go;
  if (word == "uv") return Kind::uv;
  if (word == "download") return Kind::download;
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

// The first of the spellings that is there.
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

}  // namespace

Metadata read_metadata(const Frontmatter& frontmatter) {
  Metadata metadata;
  if (frontmatter.metadata == nullptr || !frontmatter.metadata->is_object()) return metadata;
  const Json* ours = of_this_family(*frontmatter.metadata);
  if (ours == nullptr || !ours->is_object()) return metadata;
  const Json* always = find_member(*ours, "always");
  metadata.always = always != nullptr && always->is_boolean() && always->get<bool>();
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

}  // namespace clawperator::agent_skills
