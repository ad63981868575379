#pragma once
// What is secret in an execution and in its answer. Pure.

#include "base/secrets.hpp"
#include "runtime/contract/envelope.hpp"
#include "runtime/contract/execution.hpp"

namespace clawperator {

// In what the steps and the error say.
void mask(Envelope& envelope, const Secrets& secrets);

// What the plan types; of it what its caller, or a screen, calls secret.
Secrets typed_by(const Execution& execution);
Secrets secrets_of(const Execution& execution);

// Actions that type one of these become secret.
void mark_secret(Execution& execution, const Secrets& secrets);
// The mask stands for what is secret.
Execution masked(Execution execution);
// The same of a payload that is none of ours: of each object that says "secret" its "text".
std::string masked_payload(std::string_view json);

// What a parser says of `payload`; where that names a secret, without what it quotes.
std::string fault_told(std::string fault, std::string_view payload);

}  // namespace clawperator
