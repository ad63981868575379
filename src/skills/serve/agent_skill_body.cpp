#include "skills/serve/agent_skill_body.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "runtime/contract/errc.hpp"
#include "runtime/serve/request_body.hpp"

namespace clawperator::agent_skills {
namespace {

// What is asked of the members of one method's body.
class BodyReader {
 public:
  BodyReader(const Json& body, std::string_view method) : body_(body), method_(method) {}

  [[nodiscard]] std::unexpected<Error> refuse(std::string_view where,
                                              const std::string& what) const {
    return fail(errc::invalid_body, "invalid " + std::string(method_) + " params: at " +
                                        std::string(where) + ": " + what);
  }

  [[nodiscard]] Result<void> only(std::span<const std::string_view> known) const {
    for (const auto& [name, value] : body_.get_ref<const Json::object_t&>()) {
      if (std::ranges::find(known, name) == known.end()) {
        return refuse("root", "unexpected property '" + name + "'");
      }
    }
    return ok();
  }

  [[nodiscard]] Result<std::string> text(const char* name) const {
    const Json* value = find_member(body_, name);
    if (value == nullptr) {
      return refuse("root", "must have required property '" + std::string(name) + "'");
    }
    const std::string* found = string_value(value);
    const std::string where = "/" + std::string(name);
    if (found == nullptr) return refuse(where, "must be string");
    if (found->empty()) return refuse(where, "must NOT have fewer than 1 characters");
    return *found;
  }

 private:
  const Json& body_;
  std::string_view method_;
};

constexpr std::array<std::string_view, 3> kInstallMembers{"name", "installId", "timeoutMs"};
constexpr std::array<std::string_view, 4> kUpdateMembers{"skillKey", "enabled", "apiKey", "env"};

}  // namespace

Result<InstallBody> read_install_body(const http::Request& request) {
  constexpr double kLeast = 1000;
  constexpr double kMost = 1e9;
  TRY(const Json json, serve::read_object_body(request));
  const BodyReader reader(json, "skills.install");
  TRY_VOID(reader.only(kInstallMembers));
  InstallBody body;
  TRY(body.name, reader.text("name"));
  TRY(body.install_id, reader.text("installId"));
  const Json* timeout = find_member(json, "timeoutMs");
  if (timeout == nullptr) return body;
  const double ms = timeout->is_number() ? timeout->get<double>() : std::nan("");
  if (std::isnan(ms) || ms != std::floor(ms)) return reader.refuse("/timeoutMs", "must be integer");
  if (ms < kLeast) return reader.refuse("/timeoutMs", "must be >= 1000");
  body.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(std::min(ms, kMost)));
  return body;
}

Result<SkillChange> read_update_body(const http::Request& request) {
  TRY(const Json json, serve::read_object_body(request));
  const BodyReader reader(json, "skills.update");
  TRY_VOID(reader.only(kUpdateMembers));
  SkillChange change;
  TRY(change.key, reader.text("skillKey"));
  if (const Json* enabled = find_member(json, "enabled")) {
    if (!enabled->is_boolean()) return reader.refuse("/enabled", "must be boolean");
    change.enabled = enabled->get<bool>();
  }
  if (const Json* api_key = find_member(json, "apiKey")) {
    const std::string* text = string_value(api_key);
    if (text == nullptr) return reader.refuse("/apiKey", "must be string");
    change.api_key = *text;
  }
  const Json* env = find_member(json, "env");
  if (env == nullptr) return change;
  if (!env->is_object()) return reader.refuse("/env", "must be object");
  for (const auto& [name, value] : env->get_ref<const Json::object_t&>()) {
    const std::string* text = string_value(&value);
    if (text == nullptr) return reader.refuse("/env/" + name, "must be string");
    change.env.emplace_back(name, *text);
  }
  return change;
}

}  // namespace clawperator::agent_skills
