#pragma once
// Writes a plan into a checkout so that all of it is done or nothing: what is new is staged first,
// each file then takes its place by a rename, and what was there before is kept until the end.

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "skills/sync/checkout_plan.hpp"

namespace clawperator::skills {

class CheckoutJournal {
 public:
  // `staging`: a folder of our own on the file system of `folder`; it is made, and removed at the
  // end.
  CheckoutJournal(std::filesystem::path folder, std::filesystem::path staging);
  ~CheckoutJournal();  // takes back what was done, unless keep() was called
  CheckoutJournal(const CheckoutJournal&) = delete;
  CheckoutJournal& operator=(const CheckoutJournal&) = delete;

  // Nothing of the checkout is touched yet.
  Result<void> stage(git_repository* repository, const std::vector<FileChange>& changes,
                     const std::stop_token& stop);
  Result<void> write(const std::vector<FileChange>& changes);
  // Of a file that somebody else is about to replace: it is taken back with the others.
  Result<void> remember(const std::filesystem::path& file);
  void keep() { kept_ = true; }

 private:
  struct Done {
    std::filesystem::path file{};
    std::filesystem::path before{};  // empty: there was none
  };
  Result<void> write_one(const FileChange& change, std::size_t number);
  void take_back();

  std::filesystem::path folder_;
  std::filesystem::path staging_;
  std::vector<Done> done_;
  bool kept_ = false;
};

}  // namespace clawperator::skills
