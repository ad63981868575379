#pragma once
// Requests to a hub: search its skills, read the account, delete or restore a skill, and publish a
// folder as a version of a skill. Blocks.

#include <filesystem>
#include <stop_token>

#include "skills/hub/answers.hpp"
#include "skills/hub/names.hpp"
#include "skills/hub/places.hpp"

namespace clawperator::hub {

// `limit`: the hub checks it; absent: the hub's own.
Result<std::vector<SearchHit>> search_skills(const Places& places, const std::string& query,
                                             std::optional<int> limit, const std::stop_token& stop);

inline constexpr std::string_view kSortOrders =
    "newest downloads rating installs installsAllTime trending";
Result<std::vector<ListedSkill>> explore_skills(const Places& places, int limit,
                                                std::string_view sort, const std::stop_token& stop);

// hub_not_logged_in
Result<Account> who_am_i(const Places& places, const std::stop_token& stop);

enum class Deletion { deleted, undone };
// For the user's own skills; for others the hub answers 401.
Result<void> set_deletion(const Places& places, const SkillName& name, Deletion wanted,
                          const std::stop_token& stop);

struct LoggedIn {
  Account account{};
  std::string registry{};
  std::filesystem::path config{};
};
// Checks with the hub whose token it is, and stores it.
Result<LoggedIn> keep_token(const Places& places, const std::string& token,
                            const std::stop_token& stop);

struct PublishRequest {
  std::filesystem::path folder{};  // relative to the work folder
  std::string slug{};              // empty: made from the folder's name, and so is the name
  std::string name{};
  std::string version{};
  std::string changelog{};
  std::vector<std::string> tags{};
  std::string fork_of{};  // slug, or slug@version
};

struct PublishReport {
  std::string slug{};
  std::string version{};
  std::string registry{};
  std::size_t files = 0;
  Published published{};
};

// USAGE for a folder that cannot be published, before the first request; hub_not_logged_in,
// hub_request_failed (the hub's reason), io, cancelled.
Result<PublishReport> publish_skill(const Places& places, PublishRequest request,
                                    const std::stop_token& stop);

// A file of a multipart/form-data body.
struct FormFile {
  std::string path{};
  std::string bytes{};
};
// The field `payload` and the `files`; `boundary` occurs in none of them.
std::string multipart_body(std::string_view payload, const std::vector<FormFile>& files,
                           std::string_view boundary);

}  // namespace clawperator::hub
