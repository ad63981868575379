#pragma once
// What a caller wants to know of the screen beside the steps' results: whether it changed, and
// whether it has come to rest. The phone is only read for that, never changed.
//
//   changed  the trees of the plan's own snapshots before and after, else pictures before and after
//   settled  pictures, until they have been the same for `still`

#include "runtime/contract/envelope.hpp"
#include "runtime/contract/execution.hpp"

namespace clawperator {

struct Verify {
  enum class What { changed, settled };
  What what = What::changed;
  // the pause before the picture afterwards; how long the screen has to rest
  std::chrono::milliseconds still{300};

  [[nodiscard]] bool settles() const { return what == What::settled; }
  // How long pictures are compared for `settled`. Most screens rest within 5 s. A long `still` has
  // 2 s more, which is enough for a screen that rests and pictures that take a second.
  [[nodiscard]] std::chrono::milliseconds limit() const {
    return std::max(std::chrono::milliseconds(5000), still + std::chrono::milliseconds(2000));
  }
};

// The longest published `settle`: the command lasts as long, and most screens rest sooner.
inline constexpr std::chrono::milliseconds kLongestStill{10000};

// "changed" or "settled", the words of every surface.
std::optional<Verify::What> read_verify(std::string_view word);

// The proof by pictures; absent: there were none, or they show nothing.
struct PictureProof {
  std::optional<bool> changed{};
  std::optional<bool> settled{};
};

// Two snapshots of a plan around all of its steps that can change the screen.
struct SnapshotPair {
  const StepResult* before;
  const StepResult* after;
};
bool plans_surrounding_snapshots(const Execution& execution);
// nullopt where the plan has none, or one of them has no tree; an app is closed before any
// snapshot.
std::optional<SnapshotPair> surrounding_snapshots(const Envelope& envelope);

}  // namespace clawperator
