#pragma once
// What a `Verify` came to, as every surface tells it:
//
//   "effect":"changed"|"unchanged"|"unknown","proof":"tree"|"pixels"[,"settled":true|false|null]
//
// `proof` is absent where nothing proves the effect; `settled` where nobody asked for it, and null
// where the screen shows no picture.

#include "base/json_text.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::act {

struct Effect {
  std::string_view effect = "unknown";
  std::string_view proof{};  // empty: none
  bool asks_settled = false;
  std::optional<bool> settled{};

  // Whether it is what was asked for, or nobody knows.
  [[nodiscard]] bool holds() const {
    return asks_settled ? settled.value_or(true) : effect != "unchanged";
  }
  void tell(JsonObject& json) const;
};

// A snapshot that ThenLook added, out of the envelope: nobody asked to see it, so that its failure
// is not the plan's.
std::optional<StepResult> take_unseen(Envelope& envelope, std::string_view id);

// `before`: what take_unseen took, absent of a plan that has snapshots of its own. Trees that were
// rendered are not read again; the others are, which takes long where they are large.
Effect effect_of(const ExecuteResult& result, const Verify& wanted,
                 const std::optional<StepResult>& before = std::nullopt);

// Of what no plan did.
Effect effect_of(const PictureProof& proof, const Verify& wanted);

}  // namespace clawperator::act
