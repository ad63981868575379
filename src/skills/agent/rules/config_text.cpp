// Puts the includes and the variables of a configuration file in.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "skills/agent/rules/config.hpp"
#include "skills/agent/rules/errc.hpp"
#include "skills/agent/rules/json5.hpp"

namespace clawperator::agent_skills {
namespace {

constexpr std::size_t kMaxIncludes = 10;          // one within the other
constexpr std::size_t kMaxFiles = 100;            // in all
constexpr std::size_t kMaxSubstituted = 4 << 20;  // bytes of all texts with variables in them

constexpr std::string_view kVariableChars = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

// The NAME of "${NAME}" at the front of `text`; empty: there is none.
std::string_view variable_at(std::string_view text) {
  if (!text.starts_with("${")) return {};
  const std::size_t end = text.find_first_not_of(kVariableChars, 2);
  if (end == text.npos || text[end] != '}') return {};
  const std::string_view name = text.substr(2, end - 2);
  return is_variable_name(name) ? name : std::string_view();
}

// Merges objects member by member and concatenates lists; of other values the later one stays.
void merge_into(Json* into, Json from) {
  if (into->is_object() && from.is_object()) {
    for (auto& [name, value] : from.get_ref<Json::object_t&>()) {
      if (into->contains(name)) {
        merge_into(&(*into)[name], std::move(value));
      } else {
        (*into)[name] = std::move(value);
      }
    }
  } else if (into->is_array() && from.is_array()) {
    for (Json& each : from) into->push_back(std::move(each));
  } else {
    *into = std::move(from);
  }
}

std::unexpected<Error> invalid(const std::string& message) {
  return fail(errc::agent_config_invalid, message);
}

// {"source":"env","id":"NAME"}
bool is_reference(const Json& value) {
  const std::string* source = string_member(value, "source");
  return source != nullptr && *source == "env" && string_member(value, "id") != nullptr;
}

// A key "$NAME" becomes a reference. This comes before the variables: the value of one is a secret,
// and may itself begin with '$'.
void put_references_in(Json* document) {
  const Json* skills = find_member(*document, "skills");
  const Json* entries = skills == nullptr ? nullptr : find_member(*skills, "entries");
  if (entries == nullptr || !entries->is_object()) return;
  for (auto& [key, entry] : (*document)["skills"]["entries"].get_ref<Json::object_t&>()) {
    const std::string* text = string_member(entry, "apiKey");
    if (text == nullptr || !text->starts_with('$') || !is_variable_name(text->substr(1))) continue;
    entry["apiKey"] = Json{{"source", "env"}, {"id", text->substr(1)}};
  }
}

class Resolver {
 public:
  explicit Resolver(const ConfigReading& reading) : reading_(reading) {}

  Result<Json> file(std::string_view text, const std::string& path) {
    if (open_.size() > kMaxIncludes)
      return invalid("$include goes deeper than 10 files at " + path);
    if (++files_ > kMaxFiles) return invalid("$include names more than 100 files");
    if (std::ranges::find(open_, path) != open_.end()) {
      return invalid("$include leads back to " + path);
    }
    auto json = read_json5(text);
    if (!json) {
      // The caller adds the path of the first file.
      return invalid((open_.empty() ? "" : path + ": ") + json.error().message());
    }
    open_.push_back(path);
    TRY_VOID(put_includes_in(&*json));
    open_.pop_back();
    return *std::move(json);
  }

  Result<void> put_variables_in(Json* value, const std::string& path) {
    if (value->is_string()) return substitute(value, path);
    if (is_reference(*value)) return ok();  // a warning may show the id
    if (value->is_object()) {
      for (auto& [name, member] : value->get_ref<Json::object_t&>()) {
        TRY_VOID(put_variables_in(&member, path.empty() ? name : path + "." + name));
      }
    } else if (value->is_array()) {
      for (std::size_t i = 0; i < value->size(); ++i) {
        TRY_VOID(put_variables_in(&(*value)[i], path + "." + std::to_string(i)));
      }
    }
    return ok();
  }

 private:
  Result<void> put_includes_in(Json* value) {
    if (value->is_array()) {
      for (Json& each : *value) TRY_VOID(put_includes_in(&each));
    }
    if (!value->is_object()) return ok();
    Json beside = Json::object();
    const Json* include = nullptr;
    for (auto& [name, member] : value->get_ref<Json::object_t&>()) {
      if (name == "$include") {
        include = &member;
        continue;
      }
      TRY_VOID(put_includes_in(&member));
    }
    if (include == nullptr) return ok();
    TRY(Json included, included_by(*include));
    for (auto& [name, member] : value->get_ref<Json::object_t&>()) {
      if (name != "$include") beside[name] = std::move(member);
    }
    if (!beside.empty() && !included.is_object()) {
      return invalid("members beside $include want the included file to be an object");
    }
    if (!beside.empty()) merge_into(&included, std::move(beside));
    *value = std::move(included);
    return ok();
  }

  Result<Json> included_by(const Json& include) {
    if (const std::string* path = string_value(&include)) return read(*path);
    if (!include.is_array()) return invalid("$include must be a path, or a list of paths");
    Json whole = Json::object();
    for (const Json& each : include) {
      const std::string* path = string_value(&each);
      if (path == nullptr) return invalid("$include must be a path, or a list of paths");
      TRY(Json part, read(*path));
      merge_into(&whole, std::move(part));
    }
    return whole;
  }

  Result<Json> read(const std::string& path) {
    std::string resolved = open_.back();
    auto text = reading_.read(path, &resolved);
    if (!text) return invalid("$include " + in_quotes(path) + ": " + text.error().message());
    return file(*text, resolved);
  }

  Result<void> substitute(Json* value, const std::string& path) {
    const std::string& text = value->get_ref<const std::string&>();
    if (!text.contains("${")) return ok();
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
      const std::string_view rest = std::string_view(text).substr(i);
      if (rest.starts_with("$$") && !variable_at(rest.substr(1)).empty()) {
        const std::string_view name = variable_at(rest.substr(1));
        out.append("${").append(name).append("}");
        i += name.size() + 4;
      } else if (const std::string_view name = variable_at(rest); !name.empty()) {
        const auto found = reading_.variable(std::string(name));
        if (!found || found->empty()) return without_value(value, name, path);
        out += *found;
        i += name.size() + 3;
      } else {
        out += text[i++];
      }
      if (out.size() > kMaxSubstituted) return invalid(path + ": too long");
    }
    substituted_ += out.size();
    if (substituted_ > kMaxSubstituted) return invalid("the variables make too much text");
    *value = std::move(out);
    return ok();
  }

  // Other parts of the file are other programs'; what requires such a value finds a blank one.
  Result<void> without_value(Json* value, std::string_view name, const std::string& path) {
    const std::string what =
        "Missing env var \"" + std::string(name) + "\" referenced at config path: " + path;
    if (path.starts_with("skills.")) return invalid(what);
    if (++missing_ <= kMostMissing) reading_.warn(what);
    *value = "";
    return ok();
  }

  static constexpr std::size_t kMostMissing = 20;  // a screenful

  const ConfigReading& reading_;
  std::vector<std::string> open_;
  std::size_t files_ = 0;
  std::size_t substituted_ = 0;
  std::size_t missing_ = 0;
};

}  // namespace

bool is_variable_name(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) && text.find_first_not_of(kVariableChars) == text.npos;
}

Result<Json> resolve_config(std::string_view text, const std::string& path,
                            const ConfigReading& reading) {
  Resolver resolver(reading);
  TRY(Json document, resolver.file(text, path));
  put_references_in(&document);
  TRY_VOID(resolver.put_variables_in(&document, ""));
  return document;
}

}  // namespace clawperator::agent_skills
