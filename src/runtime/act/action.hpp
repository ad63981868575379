#pragma once
// Where a caller's action goes: the contract's actions by a node or a point.

#include <variant>

#include "runtime/act/selector.hpp"
#include "runtime/contract/action.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator::act {

using clawperator::Action, clawperator::Click, clawperator::EnterText, clawperator::ReadText,
    clawperator::ReadValue, clawperator::WaitForNode, clawperator::WaitForNavigation,
    clawperator::PressKey, clawperator::OpenApp, clawperator::OpenUri, clawperator::CloseApp,
    clawperator::Sleep, clawperator::Scroll, clawperator::ScrollUntil, clawperator::ScrollAndClick,
    clawperator::Snapshot, clawperator::Screenshot, clawperator::StartRecording,
    clawperator::StopRecording;

// A node by what distinguishes it from others, or a point of the screen.
using Place = std::variant<Selector, Point>;

// At that place instead of where it was.
void put_at(Click& click, const Place& place);

}  // namespace clawperator::act
