#pragma once
// How commands show the screen, to which `--ref @n` and `--snapshot=diff` of the next command
// refer; and the options of all verbs that act: --snapshot, --settle and --verify.

#include "cli/grammar/arguments.hpp"
#include "cli/grammar/command.hpp"
#include "cli/grammar/option.hpp"
#include "runtime/act/request.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::cli {

inline constexpr std::array kScreenOptions{
    Option{"--snapshot", "", Arity::optional, "[compact|xml|nodes|diff]",
           "read the screen afterwards, in the same execution; default compact",
           "compact xml nodes diff"},
    Option{"--settle", "", Arity::one, "<ms>",
           "how long the screen may change before --snapshot, and must be still for --verify\n"
           "settled; default 300"},
};

// The same for commands without an execution, which verify their effect themselves.
inline constexpr std::array kPlainScreenOptions{
    Option{"--snapshot", "", Arity::optional, "[compact|xml|nodes|diff]",
           "read the screen afterwards; default compact", "compact xml nodes diff"},
    Option{"--settle", "", Arity::one, "<ms>",
           "how long the screen may change before --snapshot; default 300"},
};

// For touches and keys, which are no execution either.
inline constexpr std::array kInputScreenOptions{kPlainScreenOptions[0], kScreenOptions[1]};

// For commands that act; a wait and a snapshot change nothing.
inline constexpr std::array kVerifyOptions{
    Option{
        "--verify", "", Arity::one, "<changed|settled>",
        "report the `effect` and its `proof`; fail if the screen is unchanged (changed) or does\n"
        "not come to rest (settled)",
        "changed settled"},
};

// Every verb that acts by an execution takes them: an option for all of them is a row above.
inline constexpr auto kActingOptions = join(kScreenOptions, kVerifyOptions);

// From `--format` of a command that has it; else compact for --output brief; else nullopt: the
// device's own form.
std::optional<act::TreeFormat> tree_format(const Invocation& invocation);

// Converts every tree of a plan to that form.
void show_trees(ExecuteResult& result, act::TreeFormat format);

// Converts the tree of a snapshot to that form. Fails if the tree cannot be read.
Result<void> show_tree(ExecuteResult& result, const act::SnapshotRequest& wanted);
// The tree of a snapshot that is shown in another way; it is kept, so that refs can name its nodes.
Result<UiTree> observe_shown(const ExecuteResult& result,
                             const act::NaturalSize& natural = std::nullopt);

struct ScreenOptions {
  std::optional<act::Observation> observe{};  // from --snapshot; without it from --verify alone
  std::optional<Verify> verify{};
};

// Empty without --snapshot and --verify.
Result<ScreenOptions> read_screen_options(const Arguments& arguments);
// --verify with its time, for a command without --snapshot.
Result<std::optional<Verify>> read_verification(const Arguments& arguments);

}  // namespace clawperator::cli
