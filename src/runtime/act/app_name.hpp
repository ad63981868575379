#pragma once
// An app by a name as people say it. A phone's shell reports no labels, so the words of the name
// are compared with the package's parts:
//
//   "Chrome" -> com.android.chrome      "youtube music" -> com.google.android.apps.youtube.music
//
// Two packages that fit are an error with both of them; there is no guess.

#include "runtime/contract/execution.hpp"
#include "runtime/engine/executor.hpp"

namespace clawperator::act {

// A package has a dot.
bool is_app_name(std::string_view text);

// The packages in which each word of the name is a part between dots; case does not count. None for
// words that many packages have, as "google".
std::vector<std::string> packages_named(std::string_view name,
                                        const std::vector<std::string>& packages);

// Puts packages in place of the names in open_app, close_app and wait_for_navigation, and returns
// the last one; empty: there was no name. A name that no package fits stays, and the device's
// answer is about it. android_app_launch_failed, with them in `details.near`, where several fit;
// nothing was sent then.
Task<std::string> resolve_app_names(Executor* executor, TargetOptions target, Execution* execution);

}  // namespace clawperator::act
