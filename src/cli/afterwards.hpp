#pragma once
// What a command shows of the screen, to which `--ref @n` and `--snapshot=diff` of the next one
// refer; and `--snapshot` of the verbs that act: the screen after the action, in the same
// execution.

#include "cli/grammar/arguments.hpp"
#include "cli/grammar/command.hpp"
#include "cli/grammar/option.hpp"
#include "runtime/act/request.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::cli {

inline constexpr std::array kAfterwardsOptions{
    Option{"--snapshot", "", Arity::optional, "[compact|xml|json|diff]",
           "read the screen afterwards, in the same execution; default compact",
           "compact xml json diff"},
    Option{"--settle", "", Arity::one, "<ms>",
           "how long the screen may change before --snapshot, and has to be still for --verify\n"
           "settled; default 300"},
};

// The same of what is no execution, and proves its effect itself.
inline constexpr std::array kScreenOptions{
    Option{"--snapshot", "", Arity::optional, "[compact|xml|json|diff]",
           "read the screen afterwards; default compact", "compact xml json diff"},
    Option{"--settle", "", Arity::one, "<ms>",
           "how long the screen may change before --snapshot; default 300"},
};

// Of fingers and keys, which are no execution either.
inline constexpr std::array kInputScreenOptions{kScreenOptions[0], kAfterwardsOptions[1]};

// Of what acts; waits and looks do nothing.
inline constexpr std::array kVerifyOptions{
    Option{"--verify", "", Arity::one, "<changed|settled>",
           "tell the `effect` and its `proof`, and fail where the screen is as it was before, or "
           "does\nnot come to rest",
           "changed settled"},
};

// By `--format` of a command that has it; without it compact for --output brief, else as the device
// gives the tree (nullopt).
std::optional<act::TreeFormat> tree_format(const Invocation& invocation);

// Every tree of a plan in that form.
void show_trees(ExecuteResult& result, act::TreeFormat format);

// The tree of a snapshot in that form. Fails where it cannot be read.
Result<void> show_tree(ExecuteResult& result, const act::SnapshotRequest& wanted);
// The tree of the snapshot, which is shown in another way; kept, so that it can be referred to.
Result<UiTree> observe_shown(const ExecuteResult& result,
                             const act::NaturalSize& natural = std::nullopt);

struct Afterwards {
  std::optional<act::Observation> observe{};  // --snapshot; without it --verify alone
  std::optional<Verify> verify{};
};

// nullopt without --snapshot and --verify.
Result<std::optional<Afterwards>> read_afterwards(const Arguments& arguments);
// --verify with its time, of a command that has no --snapshot.
Result<std::optional<Verify>> read_verification(const Arguments& arguments);

}  // namespace clawperator::cli
