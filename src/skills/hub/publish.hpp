#pragma once
// A folder as a version of a skill, sent to a hub. Blocks.

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "skills/hub/answers.hpp"
#include "skills/hub/places.hpp"

namespace clawperator::hub {

struct PublishRequest {
  std::filesystem::path folder{};
  std::string slug{};  // empty: made of the folder's name, as the name is
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

// USAGE for what cannot be published, before anything is asked; hub_not_logged_in,
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
