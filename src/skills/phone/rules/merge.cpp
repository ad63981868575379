#include "skills/phone/rules/merge.hpp"

#include <map>
#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "skills/phone/rules/registry.hpp"

namespace clawperator::phone_skills {
namespace {

constexpr const char* kSkills = "skills";

Result<Json> read_document(std::string_view text) {
  TRY(Json registry, read_json(text, kMaxRegistryBytes));
  const Json* skills = find_member(registry, kSkills);
  if (skills != nullptr && skills->is_array()) return registry;
  return fail(errc::protocol, "skills array required");
}

// The entries of a registry; views into it.
struct EntriesById {
  std::map<std::string, const Json*> by_id{};
  std::vector<std::string> in_order{};

  [[nodiscard]] const Json* find(const std::string& id) const {
    const auto found = by_id.find(id);
    return found == by_id.end() ? nullptr : found->second;
  }
};

Result<EntriesById> entries_of(const Json& registry) {
  EntriesById entries;
  for (const Json& entry : registry.at(kSkills)) {
    const std::string* id = string_member(entry, "id");
    if (id == nullptr) return fail(errc::protocol, "an entry has no id");
    if (!entries.by_id.emplace(*id, &entry).second) {
      return fail(errc::protocol, "the id " + *id + " is there twice");
    }
    entries.in_order.push_back(*id);
  }
  return entries;
}

// Members in another order are a change of the entry, because people edit the text. Absent is equal
// to absent.
bool same(const Json* one, const Json* other) {
  if (one == nullptr || other == nullptr) return one == other;
  return *one == *other;
}

enum class Side { local, incoming, both };

// The side whose value counts: null there means that it was removed.
Side chosen(const Json* base, const Json* local, const Json* incoming) {
  if (same(local, incoming) || same(local, base)) return Side::incoming;
  if (same(incoming, base)) return Side::local;
  return local == nullptr ? Side::incoming : Side::both;
}

class Merge {
 public:
  Merge(const Json& base, const Json& local, const Json& incoming)
      : base_(base), local_(local), incoming_(incoming) {}

  Result<RegistryMerge> run() {
    TRY(const EntriesById base, entries_of(base_));
    TRY(const EntriesById local, entries_of(local_));
    TRY(const EntriesById incoming, entries_of(incoming_));
    for (const std::string& id : incoming.in_order) {
      take(id, base.find(id), local.find(id), incoming.find(id));
    }
    for (const auto& [id, entry] : local.by_id) {
      if (incoming.find(id) == nullptr) take(id, base.find(id), entry, nullptr);
    }
    if (!merged_.conflicts.empty()) return std::move(merged_);
    merged_.text = indent_json(write_json(whole())) + "\n";
    return std::move(merged_);
  }

 private:
  void take(const std::string& id, const Json* base, const Json* local, const Json* incoming) {
    const Side side = chosen(base, local, incoming);
    if (side == Side::both) merged_.conflicts.push_back(id);
    const Json* entry = side == Side::local ? local : incoming;
    if (entry != nullptr) skills_.push_back(*entry);
  }

  // Upstream's document with these skills and the user's own members.
  [[nodiscard]] Json whole() const {
    Json document = Json::object();
    for (const auto& [name, value] : incoming_.items()) {
      const Json* local = find_member(local_, name);
      const bool ours = chosen(find_member(base_, name), local, &value) == Side::local;
      if (name == kSkills || !ours) document[name] = name == kSkills ? skills_ : value;
      if (name != kSkills && ours && local != nullptr) document[name] = *local;
    }
    for (const auto& [name, value] : local_.items()) {
      const bool gone = same(find_member(base_, name), &value);
      if (!incoming_.contains(name) && !gone) document[name] = value;
    }
    return document;
  }

  const Json& base_;
  const Json& local_;
  const Json& incoming_;
  Json skills_ = Json::array();
  RegistryMerge merged_;
};

// A missing registry, or one that upstream itself had broken, is empty: then everything local is
// the user's.
Json base_of(std::string_view text) {
  auto registry = read_document(text);
  if (registry && entries_of(*registry)) return *std::move(registry);
  return {{kSkills, Json::array()}};
}

}  // namespace

Result<RegistryMerge> merge_registry(std::string_view base, std::string_view local,
                                     std::string_view incoming) {
  if (local == base || local == incoming) return RegistryMerge{std::string(incoming), {}};
  if (incoming == base) return RegistryMerge{std::string(local), {}};
  TRY(const Json theirs, read_document(incoming));
  TRY(const Json ours, read_document(local));
  const Json before = base_of(base);
  if (ours == before) return RegistryMerge{std::string(incoming), {}};
  return Merge(before, ours, theirs).run();
}

}  // namespace clawperator::phone_skills
