#pragma once
// What somebody wants to be told of the screen beside what the steps tell: whether it is another
// one than before, and whether it has come to rest. Nothing is done for that on the phone but
// looking.
//
//   changed  the trees of the plan's own snapshots before and after, else pictures before and after
//   settled  pictures, until they have been the same for `still`

#include "runtime/contract/envelope.hpp"
#include "runtime/contract/execution.hpp"

namespace clawperator {

struct Verify {
  enum class What { changed, settled };
  What what = What::changed;
  std::chrono::milliseconds still{300};  // before the picture afterwards; how long it has to last

  [[nodiscard]] bool settles() const { return what == What::settled; }
  // How long the pictures of `settled` are compared. Most screens rest within 5 s. A long `still`
  // has 2 s more, which is enough for a screen that rests and pictures that take a second.
  [[nodiscard]] std::chrono::milliseconds limit() const {
    return std::max(std::chrono::milliseconds(5000), still + std::chrono::milliseconds(2000));
  }
};

// The longest published `settle`: the command lasts as long, and most screens rest sooner.
inline constexpr std::chrono::milliseconds kLongestStill{10000};

// "changed" or "settled", the words of every surface.
std::optional<Verify::What> read_verify(std::string_view word);

// What pictures tell; absent: they could not be had, or show nothing.
struct PictureProof {
  std::optional<bool> changed{};
  std::optional<bool> settled{};
};

// Two snapshots of a plan between which lies all of it that can change the screen.
struct SnapshotPair {
  const StepResult* before;
  const StepResult* after;
};
bool plans_surrounding_snapshots(const Execution& execution);
// nullopt where a plan has none, or one of them no tree; an app is closed before any snapshot.
std::optional<SnapshotPair> surrounding_snapshots(const Envelope& envelope);

}  // namespace clawperator
