#include "skills/hub/local_skill.hpp"

#include <algorithm>

#include "runtime/host/operator/part_file.hpp"
#include "skills/hub/ignore_rules.hpp"
#include "skills/hub/plain_file.hpp"

namespace clawperator::hub {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxFiles = 20'000;
constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxIgnoreFile = std::size_t{1} << 20;

bool is_marker(const std::string& name) { return name == ".clawdhub" || name == ".clawhub"; }

class SkillWalk {
 public:
  SkillWalk(fs::path root, std::stop_token stop) : root_(std::move(root)), stop_(std::move(stop)) {}

  Result<LocalSkill> run() {
    found_.kind = LocalSkill::Kind::folder;
    read_ignore_files();
    TRY_VOID(walk(root_, "", 0));
    sort_by_path(&found_.files);
    return std::move(found_);
  }

 private:
  void read_ignore_files() {
    ignored_.add(".git/\nnode_modules/\n.clawdhub/\n.clawhub/");
    for (const char* name : {".gitignore", ".clawhubignore", ".clawdhubignore"}) {
      const auto text = read_plain_file(root_ / name, kMaxIgnoreFile);
      if (!text) found_.unread = text.error();
      if (text && *text) ignored_.add(**text);
    }
  }

  Result<void> walk(const fs::path& folder, const std::string& prefix, std::size_t depth) {
    if (depth > kMaxDepth) return fail(errc::limit, folder.string() + " is too deep for a skill");
    std::error_code error;
    auto at = fs::directory_iterator(folder, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
      if (stop_.stop_requested()) return fail(errc::cancelled, "cancelled");
      TRY_VOID(take(*at, prefix, depth));
    }
    return error ? fail(errc::io, "cannot read " + folder.string() + ": " + error.message()) : ok();
  }

  Result<void> take(const fs::directory_entry& entry, const std::string& prefix,
                    std::size_t depth) {
    const std::string name = entry.path().filename().string();
    std::error_code ignored;
    const auto type = entry.symlink_status(ignored).type();
    if (depth == 0 && is_marker(name)) return note_marker(entry.path());
    if (name.starts_with('.') || name == "node_modules") return note_uncounted();
    if (type == fs::file_type::directory) return walk(entry.path(), prefix + name + "/", depth + 1);
    if (type != fs::file_type::regular || ignored_.ignores(prefix + name)) return note_uncounted();
    if (found_.files.size() == kMaxFiles) {
      return fail(errc::limit, root_.string() + " has more files than a skill may have");
    }
    TRY(std::string digest, file_sha256(entry.path(), stop_));
    found_.files.push_back({prefix + name, std::move(digest)});
    return ok();
  }

  Result<void> note_uncounted() {
    found_.has_uncounted = true;
    return ok();
  }

  // The hub's own note in it is nobody's work.
  Result<void> note_marker(const fs::path& marker) {
    std::error_code error;
    if (fs::symlink_status(marker, error).type() != fs::file_type::directory) {
      return note_uncounted();
    }
    auto at = fs::directory_iterator(marker, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
      std::error_code ignored;
      const bool is_note = at->path().filename() == "origin.json" &&
                           at->symlink_status(ignored).type() == fs::file_type::regular;
      if (!is_note) return note_uncounted();
    }
    return error ? note_uncounted() : ok();
  }

  fs::path root_;
  std::stop_token stop_;
  IgnoreRules ignored_;
  LocalSkill found_;
};

}  // namespace

std::vector<HashedFile> LocalSkill::text_files() const {
  std::vector<HashedFile> texts;
  std::ranges::copy_if(files, std::back_inserter(texts),
                       [](const HashedFile& file) { return is_text_path(file.path); });
  return texts;
}

bool LocalSkill::is_same_as(const LocalSkill& other) const {
  return kind == other.kind && has_uncounted == other.has_uncounted &&
         std::ranges::equal(files, other.files, [](const HashedFile& a, const HashedFile& b) {
           return a.path == b.path && a.sha256 == b.sha256;
         });
}

Result<LocalSkill> read_local_skill(const fs::path& folder, const std::stop_token& stop) {
  std::error_code error;
  const auto type = fs::symlink_status(folder, error).type();
  LocalSkill found;
  if (type == fs::file_type::not_found) return found;
  if (type == fs::file_type::none) {
    return fail(errc::io, "cannot read " + folder.string() + ": " + error.message());
  }
  found.kind = LocalSkill::Kind::other;
  if (type != fs::file_type::directory) return found;
  return SkillWalk(folder, stop).run();
}

}  // namespace clawperator::hub
