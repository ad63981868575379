#include "skills/registry/listing.hpp"

namespace clawperator::skills {

std::string listing_json(const std::vector<const Skill*>& skills) {
  constexpr std::string_view kHead = R"({"skills":[)";
  std::size_t size = 64;
  for (const Skill* skill : skills) size += skill->json.size() + 1;
  std::string json;
  json.reserve(size);
  json += kHead;
  for (const Skill* skill : skills) {
    if (json.size() > kHead.size()) json += ',';
    json += skill->json;
  }
  return json + "],\"count\":" + std::to_string(skills.size()) + "}";
}

}  // namespace clawperator::skills
