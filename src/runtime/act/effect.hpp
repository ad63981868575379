#pragma once
// The result of a `Verify`, in the members of every surface:
//
//   "effect":"changed"|"unchanged"|"unknown","proof":"tree"|"pixels"[,"settled":true|false|null]
//
// `proof` is absent where nothing proves the effect. `settled` is absent where it was not
// requested, and null where the screen shows no picture.

#include "base/json_text.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::act {

struct Effect {
  std::string_view effect = "unknown";
  std::string_view proof{};  // empty: none
  bool asks_settled = false;
  std::optional<bool> settled{};

  // Whether the screen changed, or settled, as requested; also where that is unknown.
  [[nodiscard]] bool holds() const {
    return asks_settled ? settled.value_or(true) : effect != "unchanged";
  }
  void write_to(JsonObject& json) const;
};

// Removes a snapshot that ThenLook added from the envelope. The caller did not request it, so its
// failure is not the plan's.
std::optional<StepResult> remove_internal_snapshot(Envelope& envelope, std::string_view id);

// `before`: the result of remove_internal_snapshot, absent for a plan that has snapshots of its
// own. A tree that was rendered is not parsed again; the others are, which takes long where they
// are large.
Effect effect_of(const ExecuteResult& result, const Verify& wanted,
                 const std::optional<StepResult>& before = std::nullopt);

// For an input that is not a plan.
Effect effect_of(const PictureProof& proof, const Verify& wanted);

}  // namespace clawperator::act
