#pragma once
// What a command shows of the screen, to which `--ref @n` and `--snapshot=diff` of the next one
// refer; and the options of all verbs that act: --snapshot, --settle and --verify.

#include "cli/grammar/arguments.hpp"
#include "cli/grammar/command.hpp"
#include "cli/grammar/option.hpp"
#include "runtime/act/request.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::cli {

inline constexpr std::array kScreenOptions{
    Option{"--snapshot", "", Arity::optional, "[compact|xml|json|diff]",
           "read the screen afterwards, in the same execution; default compact",
           "compact xml json diff"},
    Option{"--settle", "", Arity::one, "<ms>",
           "how long the screen may change before --snapshot, and has to be still for --verify\n"
           "settled; default 300"},
};

// The same for commands without an execution, which prove their effect themselves.
inline constexpr std::array kPlainScreenOptions{
    Option{"--snapshot", "", Arity::optional, "[compact|xml|json|diff]",
           "read the screen afterwards; default compact", "compact xml json diff"},
    Option{"--settle", "", Arity::one, "<ms>",
           "how long the screen may change before --snapshot; default 300"},
};

// For fingers and keys, which are no execution either.
inline constexpr std::array kInputScreenOptions{kPlainScreenOptions[0], kScreenOptions[1]};

// Of what acts; a wait and a snapshot change nothing.
inline constexpr std::array kVerifyOptions{
    Option{"--verify", "", Arity::one, "<changed|settled>",
           "tell the `effect` and its `proof`, and fail where the screen is as it was before, or "
           "does\nnot come to rest",
           "changed settled"},
};

// Every verb that acts by an execution takes them: an option of all of them is a row above.
inline constexpr auto kActingOptions = join(kScreenOptions, kVerifyOptions);

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

struct ScreenOptions {
  std::optional<act::Observation> observe{};  // --snapshot; without it --verify alone
  std::optional<Verify> verify{};
};

// Empty without --snapshot and --verify.
Result<ScreenOptions> read_screen_options(const Arguments& arguments);
// --verify with its time, of a command that has no --snapshot.
Result<std::optional<Verify>> read_verification(const Arguments& arguments);

}  // namespace clawperator::cli
