#pragma once
// The user's file of blocked terms.

#include <filesystem>

#include "skills/privacy/terms.hpp"

namespace clawperator::phone_skills {

struct TermsFile {
  std::filesystem::path path{};
  std::optional<privacy::Terms> terms{};  // absent: there is no file
  std::string warning{};                  // the reason, for people

  [[nodiscard]] const privacy::Terms* get() const { return terms ? &*terms : nullptr; }
};

// `given`, which must be readable; null: ~/.clawperator/blocked-terms.txt, which may be absent.
// file_unreadable, privacy_terms_invalid.
Result<TermsFile> read_terms_file(const std::string* given);

}  // namespace clawperator::phone_skills
