#include "skills/agent/gating.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/contract/js_string.hpp"
#include "skills/agent/json5.hpp"

namespace clawperator::agent_skills {
namespace {

bool contains(const std::vector<std::string>& list, std::string_view wanted) {
  return std::ranges::find(list, wanted) != list.end();
}

class Judge {
 public:
  Judge(const Entry& entry, const Gate& gate)
      : entry_(entry), gate_(gate), settings_(gate.config->entry(entry.key())) {}

  Standing judge() const {
    Standing standing;
    standing.disabled = settings_ != nullptr && settings_->enabled == false;
    standing.blocked = is_blocked();
    if (!has_platform()) standing.missing_os = entry_.metadata.os;
    if (!entry_.metadata.always) standing.missing = missing();
    const Requires& lacks = standing.missing;
    standing.eligible = !standing.disabled && !standing.blocked && standing.missing_os.empty() &&
                        lacks.bins.empty() && lacks.any_bins.empty() && lacks.env.empty() &&
                        lacks.config.empty();
    return standing;
  }

 private:
  bool is_blocked() const {
    const auto& allowed = gate_.config->allow_bundled;
    return entry_.skill.source == Source::bundled && !allowed.empty() &&
           !contains(allowed, entry_.key()) && !contains(allowed, entry_.skill.name);
  }

  bool has_platform() const {
    const auto& wanted = entry_.metadata.os;
    if (wanted.empty() || contains(wanted, gate_.host->platform)) return true;
    return gate_.remote != nullptr &&
           std::ranges::any_of(gate_.remote->platforms,
                               [&](const std::string& each) { return contains(wanted, each); });
  }

  bool has_bin(const std::string& bin) const {
    return gate_.host->has_bin(bin) ||
           (gate_.remote != nullptr && contains(gate_.remote->bins, bin));
  }

  bool has_variable(const std::string& name) const {
    if (const auto value = gate_.host->variable(name); value && !value->empty()) return true;
    if (settings_ == nullptr) return false;
    if (!settings_->api_key.empty() && entry_.metadata.primary_env == name) return true;
    return std::ranges::any_of(settings_->env, [&](const auto& each) {
      return each.first == name && !each.second.empty();
    });
  }

  Requires missing() const {
    const Requires& needs = entry_.metadata.needs;
    Requires lacks;
    std::ranges::copy_if(needs.bins, std::back_inserter(lacks.bins),
                         [&](const std::string& each) { return !has_bin(each); });
    if (std::ranges::none_of(needs.any_bins,
                             [&](const std::string& each) { return has_bin(each); })) {
      lacks.any_bins = needs.any_bins;
    }
    std::ranges::copy_if(needs.env, std::back_inserter(lacks.env),
                         [&](const std::string& each) { return !has_variable(each); });
    std::ranges::copy_if(
        needs.config, std::back_inserter(lacks.config),
        [&](const std::string& each) { return !is_config_true(*gate_.config, each); });
    return lacks;
  }

  const Entry& entry_;
  const Gate& gate_;
  const SkillConfig* settings_;
};

Result<std::vector<std::string>> remote_list(const Json& json, const char* name) {
  std::vector<std::string> list;
  const Json* value = find_member(json, name);
  if (value == nullptr) return list;
  if (value->is_array()) {
    for (const Json& each : *value) {
      const std::string* text = string_value(&each);
      if (text == nullptr) break;
      list.push_back(*text);
    }
    if (list.size() == value->size()) return list;
  }
  return fail(errc::invalid_argument, std::string(name) + " must be a list of texts");
}

}  // namespace

Result<Remote> read_remote(std::string_view json) {
  auto document = read_json5(json);
  if (!document) return fail(errc::invalid_argument, document.error().message());
  if (!document->is_object()) return fail(errc::invalid_argument, "an object was expected");
  Remote remote;
  TRY(remote.platforms, remote_list(*document, "platforms"));
  TRY(remote.bins, remote_list(*document, "bins"));
  const Json* note = find_member(*document, "note");
  if (note == nullptr || note->is_null()) return remote;
  const std::string* text = string_value(note);
  if (text == nullptr) return fail(errc::invalid_argument, "note must be a text");
  remote.note = *text;
  return remote;
}

Standing standing_of(const Entry& entry, const Gate& gate) { return Judge(entry, gate).judge(); }

std::vector<const Entry*> eligible_entries(std::span<const Entry* const> entries, const Gate& gate,
                                           const NameFilter& filter) {
  std::vector<const Entry*> eligible;
  for (const Entry* entry : entries) {
    const auto is_it = [&](const std::string& each) { return trim_js(each) == entry->skill.name; };
    const bool is_named = !filter || std::ranges::any_of(*filter, is_it);
    if (is_named && standing_of(*entry, gate).eligible) eligible.push_back(entry);
  }
  return eligible;
}

}  // namespace clawperator::agent_skills
