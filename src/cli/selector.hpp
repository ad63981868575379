#pragma once
// The selector flags and the selector that they build. Also the options that name a node by an
// earlier output: `--ref HASH@n` or `--ref @n` for a node of an earlier snapshot, instead of a
// selector, and `--nth`.
//
//   --text Wi-Fi --role switch          {"textEquals":"Wi-Fi","role":"switch"}
//   --selector '{"resourceId":"a:id/b"}'  the object itself, checked by the contract
//
// Simple flags are ANDed. The checks of a family have the published order: repeated flag, missing
// value, JSON together with simple flags, errors in the JSON, blank values.

#include "base/error.hpp"
#include "cli/grammar/arguments.hpp"
#include "cli/grammar/option.hpp"
#include "runtime/act/selector.hpp"
#include "runtime/contract/param.hpp"

namespace clawperator::cli {

inline constexpr std::array kTextSelector{
    Option{"--text", "", Arity::one, "<text>", "the node's whole text", "", OnMissing::command}};

inline constexpr std::array kSelectorWithoutText{
    Option{"--text-contains", "", Arity::one, "<text>", "part of its text, any case", "",
           OnMissing::command},
    Option{"--id", "--resource-id", Arity::one, "<resource-id>", "its resource id", "",
           OnMissing::command},
    Option{"--desc", "--content-desc", Arity::one, "<text>", "its whole content description", "",
           OnMissing::command},
    Option{"--desc-contains", "--content-desc-contains", Arity::one, "<text>",
           "part of its content description", "", OnMissing::command},
    Option{"--role", "", Arity::one, "<role>",
           "button, textfield, text, switch, checkbox, image, ...", "", OnMissing::command},
    Option{"--selector", "--matcher-json", Arity::one, "<json>",
           "a whole matcher object instead of the flags above", "", OnMissing::command},
};

inline constexpr auto kSelectorOptions = join(kTextSelector, kSelectorWithoutText);

inline constexpr std::array kContainerOptions{
    Option{"--container-text", "", Arity::one, "<text>",
           "search only inside the node with this text", "", OnMissing::command},
    Option{"--container-text-contains", "", Arity::one, "<text>", "... with this part of its text",
           "", OnMissing::command},
    Option{"--container-id", "--container-resource-id", Arity::one, "<resource-id>",
           "... with this resource id", "", OnMissing::command},
    Option{"--container-desc", "--container-content-desc", Arity::one, "<text>",
           "... with this content description", "", OnMissing::command},
    Option{"--container-desc-contains", "--container-content-desc-contains", Arity::one, "<text>",
           "... with this part of its description", "", OnMissing::command},
    Option{"--container-role", "", Arity::one, "<role>", "... with this role", "",
           OnMissing::command},
    Option{"--container-selector", "--container-json", Arity::one, "<json>",
           "a whole matcher object for the container", "", OnMissing::command},
};

inline constexpr std::array kRefOption{
    Option{"--ref", "", Arity::one, "<[hash]@n>",
           "a node of an earlier snapshot; @n alone: of the last one", "", OnMissing::command}};

// For verbs whose node is searched for.
inline constexpr std::array kPatienceOption{
    Option{"--patience", "", Arity::one, "<ms>",
           "how long the node is searched for, up to 10000; by default the app searches five\n"
           "times in about 7 s"}};
inline constexpr std::array kNthOption{
    Option{"--nth", "", Arity::one, "<n>",
           "the n-th of several matching nodes, in a tree that is read first"}};

inline constexpr std::array kStrictOption{
    Option{"--strict", "", Arity::none, "", "fail with NODE_AMBIGUOUS if several nodes match"}};

enum class SelectorFamily { node, node_without_text, container };

// nullopt when no flag of the family was given.
Result<std::optional<act::Selector>> read_selector(const Arguments& arguments,
                                                   SelectorFamily family);

// Like read_selector; MISSING_SELECTOR with flags and examples for `command` when there is none.
Result<act::Selector> require_selector(const Arguments& arguments, SelectorFamily family,
                                       std::string_view command);

// USAGE beside an option that selects one node, or all of them.
Result<std::optional<bool>> read_strict(const Arguments& arguments);

Error missing_selector(std::string_view command, SelectorFamily family);

// True with --ref; then `family`, the one of the command's selector, must be absent.
Result<bool> read_ref(const Arguments& arguments, SelectorFamily family);

}  // namespace clawperator::cli
