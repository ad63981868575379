#include "skills/phone/repository_check.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "base/files.hpp"
#include "base/json_places.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "runtime/contract/parse.hpp"
#include "skills/agent/rules/frontmatter.hpp"
#include "skills/phone/errc.hpp"
#include "skills/phone/recipe/errc.hpp"
#include "skills/phone/recipe/recipe.hpp"
#include "skills/phone/recipe_files.hpp"
#include "skills/phone/registry_check.hpp"
#include "skills/phone/rules/compile.hpp"
#include "skills/phone/rules/errc.hpp"
#include "skills/privacy/errc.hpp"
#include "skills/privacy/scan_text.hpp"

namespace clawperator::phone_skills {

namespace fs = std::filesystem;

namespace {

using report::Fault;
using report::Report;

std::vector<Fault> issues_of(const Error& error, std::string_view text) {
  std::vector<Fault> faults;
  const auto take = [&](const Json& issue) {
    JsonPart part = json_part(text, {});
    std::string shown;
    const Json* path = find_member(issue, "path");
    for (const Json& step : path ? *path : Json()) {
      const std::string name = js_text(step);
      part = json_part(text, name, part);
      shown += (shown.empty() ? "" : ".") + name;
    }
    const std::string* message = string_member(issue, "message");
    faults.push_back({errc::skills_check_artifact_invalid, part.place,
                      shown + ": " + (message ? *message : error.message())});
  };
  if (for_each_issue(error, take)) return faults;
  return {{errc::skills_check_artifact_invalid, place_in(error.members()), error.message()}};
}

// As it stands, because a run requires that; and with values for its placeholders.
std::vector<Fault> artifact_faults(const std::string& path, const std::string& text) {
  if (const auto execution = parse_execution(text); !execution) {
    return issues_of(execution.error(), text);
  }
  Json vars = Json::object();
  for (const std::string& name : placeholders_of(text)) vars[name] = "1";
  const Artifact artifact{fs::path(path).parent_path().string(), path, text};
  const auto compiled = compile_artifact(artifact, vars);
  if (!compiled) return issues_of(compiled.error(), text);
  Json backward = Json::object();
  for (auto each = vars.end(); each != vars.begin();) {
    --each;
    backward[each.key()] = each.value();
  }
  if (compile_artifact(artifact, backward).value_or("") == *compiled) return {};
  return {{errc::skills_check_not_reproducible, {}, std::string(kNotReproducible)}};
}

// A SKILL.md needs no frontmatter. Where it has one, agent skills decide what it is.
std::vector<Fault> skill_file_faults(std::string_view text, const std::string& folder) {
  std::vector<Fault> faults;
  const auto wrong = [&faults](Errc code, TextPlace place, std::string message) {
    faults.push_back({code, place, std::move(message)});
  };
  const std::string_view head = first_line(text);
  if (trimmed_end(head) != "---") return faults;
  const std::size_t end = agent_skills::end_of_frontmatter(text);
  if (end == text.npos) {
    wrong(errc::skills_check_frontmatter_invalid, {}, "the frontmatter has no end (---)");
    return faults;
  }
  const auto read = agent_skills::read_frontmatter(text);
  YamlPlaces places;
  const std::size_t begin = std::min(text.find('\n'), end) + 1;
  const std::string_view block = text.substr(begin, end - std::min(end, begin + 3));
  const auto placed = read_placed_yaml(block, 2, &places);
  constexpr TextPlace kBlock{.line = 2};
  if (!read || read->yaml == nullptr) {
    wrong(errc::skills_check_frontmatter_invalid, placed ? kBlock : placed.error().place,
          read ? "the frontmatter must be a YAML mapping" : read.error().message());
    return faults;
  }
  const auto place_of = [&](std::string_view name) {
    const auto part = placed ? recipe::Part{&*placed, &places}.member(name) : std::nullopt;
    return part ? part->place() : kBlock;
  };
  const std::string* name = string_value(read->value("name"));
  if (name == nullptr || *name != folder) {
    wrong(errc::skills_check_name_invalid, place_of("name"),
          "`name` must be the folder's name, " + in_quotes(folder));
  }
  const std::string* about = string_value(read->value("description"));
  if (about == nullptr || trimmed(*about).empty() ||
      character_count(*about) > agent_skills::kLongestDescription) {
    wrong(errc::skills_check_description_invalid, place_of("description"),
          "`description` must be a text of 1 to 1,024 characters");
  }
  return faults;
}

// Other faults quote what is wrong: a personal text is taken out. `faults` are sorted by file.
void hide_found_texts(std::vector<report::FileFault>* faults) {
  for (auto begin = faults->begin(), end = begin; begin != faults->end(); begin = end) {
    std::set<std::string> found;
    for (; end != faults->end() && end->file == begin->file; ++end) found.insert(end->fault.found);
    found.erase("");
    for (auto each = begin; each != end && !found.empty(); ++each) {
      if (!each->fault.found.empty()) continue;
      for (const std::string& text : found) {
        each->fault.message = replaced(each->fault.message, text, "(...)");
      }
    }
  }
}

class FolderCheck {
 public:
  // `shown`: what the names of files begin with; empty: nothing.
  FolderCheck(fs::path root, std::string shown, const CheckOrder& order, RecipeIds* ids,
              Report* report)
      : root_(std::move(root)),
        shown_(std::move(shown)),
        order_(order),
        ids_(ids),
        report_(report) {}

  void check_repository(const std::string& registry) {
    check_registry_file(registry);
    check_below(fs::path(registry).parent_path().string());
  }

  void check_below(const std::string& folder) {
    for (const std::string& path : files_below(folder)) {
      std::error_code ignored;
      if (!fs::equivalent(root_ / path, order_.terms_file, ignored)) check_file(path);
    }
  }

 private:
  [[nodiscard]] std::string name_of(const std::string& path) const {
    return path.empty() ? shown_ : (fs::path(shown_) / path).lexically_normal().string();
  }

  void wrong(const std::string& path, Fault fault) {
    add_fault(name_of(path), std::move(fault), report_);
  }

  void check_registry_file(const std::string& path) {
    Repo repo{.registry_path = root_ / path, .root = root_, .registry = {}};
    const auto inside = check_inside(repo, repo.registry_path);
    const auto text = inside ? read_text(repo.registry_path, kMaxRegistryBytes)
                             : Result<std::string>(std::unexpected(inside.error()));
    auto registry = text ? parse_registry(*text) : std::unexpected(text.error());
    if (!registry) {
      const std::string& why = registry.error().message();
      return wrong(path,
                   {errc::skills_check_registry_invalid, text ? place_in(why) : TextPlace{}, why});
    }
    repo.registry = *std::move(registry);
    check_registry(repo, *text,
                   [this](const std::string& file, Fault fault) { wrong(file, std::move(fault)); });
    for (const Skill& skill : repo.registry.skills) {
      for (const std::string& each : skill.artifacts) {
        if (each.ends_with(".json")) artifacts_.insert(fs::path(each).lexically_normal().string());
      }
    }
  }

  // Sorted. Bounded, also where one folder has ten million files.
  std::vector<std::string> files_below(const std::string& top) {
    std::vector<std::string> files;
    std::vector<std::string> folders;
    std::size_t count = 0;
    const auto take = [&](const std::string& path) {
      std::error_code ignored;
      switch (fs::symlink_status(root_ / path, ignored).type()) {
        case fs::file_type::directory: return folders.push_back(path);
        case fs::file_type::regular: return files.push_back(path);
        case fs::file_type::symlink: return;
        default: unreadable(path, "it is neither a file nor a folder");
      }
    };
    if (top.empty()) {
      folders.emplace_back();
    } else {
      take(top);
    }
    while (!folders.empty()) {
      const std::string folder = std::move(folders.back());
      folders.pop_back();
      std::error_code error;
      for (fs::directory_iterator at(root_ / folder, error), end; !error && at != end;
           at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (name == ".git") continue;
        if (++count > kMaxCheckedFiles) {
          wrong(top, {errc::skills_check_limit_exceeded,
                      {},
                      "more than 100,000 files: not all are checked"});
          folders.clear();
          break;
        }
        take(folder.empty() ? name : folder + "/" + name);
      }
      if (error) unreadable(folder, error.message());
    }
    std::ranges::sort(files);
    return files;
  }

  void unreadable(const std::string& path, const std::string& why) {
    wrong(path, {errc::skills_check_file_unreadable, {}, "cannot be read: " + why});
  }

  void check_file(const std::string& path) {
    const auto text = read_file(root_ / path, kMaxCheckedFile);
    if (!text && text.error().code() != errc::limit) {
      return unreadable(path, text.error().message());
    }
    if (!text) {
      ++report_->skipped.large;
      return;
    }
    const std::size_t before = report_->faults.size();
    scan_text(name_of(path), *text, order_.terms, report_);
    if (privacy::is_binary(*text)) return;
    for (Fault& each : faults_of(path, *text)) {
      const bool is_twice =
          each.code == errc::recipe_literal_found &&
          std::any_of(report_->faults.begin() + static_cast<std::ptrdiff_t>(before),
                      report_->faults.end(), [&each](const auto& found) {
                        return found.fault.code == errc::privacy_literal_found &&
                               found.fault.place == each.place;
                      });
      if (!is_twice) wrong(path, std::move(each));
    }
  }

  std::vector<Fault> faults_of(const std::string& path, const std::string& text) {
    if (is_recipe(path, text)) {
      return recipe_faults(name_of(path), text, RecipeRules::repository, ids_);
    }
    if (path.ends_with(".recipe.json") || artifacts_.contains(path)) {
      return artifact_faults(path, text);
    }
    const fs::path place(path);
    const fs::path folder = place.parent_path();
    if (place.filename() != "SKILL.md" || folder.parent_path() != "skills") return {};
    return skill_file_faults(text, folder.filename().string());
  }

  fs::path root_;
  std::string shown_;
  const CheckOrder& order_;
  RecipeIds* ids_;
  Report* report_;
  std::set<std::string> artifacts_;  // that entries name, whatever they are called
};

}  // namespace

Result<Report> check_repositories(const CheckOrder& order) {
  Report report{.counted = "files"};
  RecipeIds ids;
  if (order.folders.empty()) {
    TRY(const fs::path registry, find_registry());
    const fs::path root = registry.parent_path().parent_path();
    FolderCheck(root, {}, order, &ids, &report)
        .check_repository(registry.lexically_relative(root).string());
  }
  for (const std::string& folder : order.folders) {
    const fs::path root(folder);
    if (!is_folder(root)) {
      return fail(errc::file_unreadable, folder + " is no folder: name a skills repository");
    }
    if (is_there(root / fs::path(kRegistryName).filename())) {
      return fail(errc::file_unreadable,
                  folder + " has a registry itself: name the folder above it");
    }
    FolderCheck check(root, folder, order, &ids, &report);
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(root / "skills", ignored))) {
      check.check_repository(std::string(kRegistryName));
    } else {
      check.check_below({});
    }
  }
  std::ranges::sort(report.faults, {}, [](const report::FileFault& each) {
    return std::tie(each.file, each.fault.place, each.fault.code->published);
  });
  hide_found_texts(&report.faults);
  return report;
}

std::vector<const ErrorCode*> check_rules() {
  std::vector<const ErrorCode*> rules;
  for (const ErrorList list : {ErrorList(kSkillsCheckErrors), ErrorList(kSkillErrors),
                               ErrorList(kRecipeErrors), ErrorList(kPrivacyErrors)}) {
    rules.insert(rules.end(), list.begin(), list.end());
  }
  return rules;
}

}  // namespace clawperator::phone_skills
