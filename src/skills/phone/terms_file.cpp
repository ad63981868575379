#include "skills/phone/terms_file.hpp"

#include "base/files.hpp"
#include "base/system/environment.hpp"
#include "skills/privacy/errc.hpp"

namespace clawperator::phone_skills {

Result<TermsFile> read_terms_file(const std::string* given) {
  TermsFile file;
  if (given != nullptr) {
    file.path = *given;
  } else {
    const auto folder = state_folder();
    file.path = folder / "blocked-terms.txt";
    if (folder.empty() || !is_there(file.path)) {
      file.warning = "there is no ~/.clawperator/blocked-terms.txt: no terms are searched for";
      return file;
    }
    if (!is_plain_file(file.path)) {
      return fail(errc::file_unreadable, file.path.string() + " is no file: write terms into one");
    }
  }
  auto text = read_file(file.path, privacy::kMaxTermsFile);
  if (!text) {
    const bool is_long = text.error().code() == errc::limit;
    return fail(is_long ? errc::privacy_terms_invalid : errc::file_unreadable,
                text.error().message());
  }
  auto terms = privacy::Terms::read(*text);
  if (!terms) {
    return fail(terms.error().code(), file.path.string() + ": " + terms.error().message());
  }
  file.terms = *std::move(terms);
  return file;
}

}  // namespace clawperator::phone_skills
