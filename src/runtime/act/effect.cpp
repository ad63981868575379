#include "runtime/act/effect.hpp"

#include <algorithm>

#include "runtime/act/execution.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/engine/post_process.hpp"

namespace clawperator::act {
namespace {

std::optional<std::string> hash_of(const StepResult& step) {
  if (const std::string* hash = find_data(step.data, "tree_hash")) return *hash;
  auto tree = tree_of(step);
  return tree ? std::optional(std::move(tree->hash)) : std::nullopt;
}

std::string_view effect_word(bool changed) { return changed ? "changed" : "unchanged"; }

// nullopt where a tree is missing or cannot be parsed.
std::optional<bool> changed_by_trees(const StepResult* before, const StepResult* after) {
  const auto was = before ? hash_of(*before) : std::nullopt;
  const auto is = was && after ? hash_of(*after) : std::nullopt;
  return is ? std::optional(was != is) : std::nullopt;
}

const StepResult* look_of(const Envelope& envelope) {
  const auto& steps = envelope.step_results;
  return steps.empty() || steps.back().id != kLookStep ? nullptr : &steps.back();
}

}  // namespace

void Effect::write_to(JsonObject& json) const {
  json.text("effect", effect);
  if (!proof.empty()) json.text("proof", proof);
  if (!asks_settled) return;
  if (settled) {
    json.boolean("settled", *settled);
  } else {
    json.null("settled");
  }
}

std::optional<StepResult> remove_internal_snapshot(Envelope& envelope, std::string_view id) {
  auto& steps = envelope.step_results;
  const auto step = std::ranges::find(steps, id, &StepResult::id);
  if (step == steps.end()) return std::nullopt;
  const bool follows = step != steps.begin();
  StepResult taken = std::move(*step);
  steps.erase(step);
  // Removes its failure from the envelope, in our own words or those of an app that stopped at this
  // last step.
  const std::string its_failure = "Step " + taken.id + " (";
  const bool named = envelope.error && envelope.error->starts_with(its_failure);
  const bool alone = follows && std::ranges::all_of(steps, &StepResult::success);
  if (!taken.success && (named || alone)) {
    envelope.status = EnvelopeStatus::success;
    envelope.error.reset();
    envelope.error_code.reset();
    reconcile(envelope, {});
  }
  return taken;
}

Effect effect_of(const PictureProof& proof, const Verify& wanted) {
  Effect effect;
  effect.asks_settled = wanted.settles();
  effect.settled = proof.settled;
  if (!proof.changed) return effect;
  effect.proof = "pixels";
  effect.effect = effect_word(*proof.changed);
  return effect;
}

Effect effect_of(const ExecuteResult& result, const Verify& wanted,
                 const std::optional<StepResult>& before) {
  Effect effect = effect_of(result.proof, wanted);
  if (!effect.proof.empty()) return effect;
  const auto pair = surrounding_snapshots(result.envelope);
  const auto changed = before ? changed_by_trees(&*before, look_of(result.envelope))
                       : pair ? changed_by_trees(pair->before, pair->after)
                              : std::nullopt;
  if (!changed) return effect;
  effect.proof = "tree";
  effect.effect = effect_word(*changed);
  return effect;
}

}  // namespace clawperator::act
