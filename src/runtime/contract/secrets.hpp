#pragma once
// The secrets in an execution and in its answer. Pure.

#include "base/secrets.hpp"
#include "runtime/contract/envelope.hpp"
#include "runtime/contract/execution.hpp"

namespace clawperator {

// In the data of the steps, and in the error.
void mask(Envelope& envelope, const Secrets& secrets);

// The texts that the plan types and that its caller, or a screen, marks as secret.
Secrets typed_by(const Execution& execution);
Secrets secrets_of(const Execution& execution);

// Actions that type one of these become secret.
void mark_secret(Execution& execution, const Secrets& secrets);
// The execution with the mask in place of its secrets.
Execution masked(Execution execution);
// The same for a payload that is not validated: in each object with "secret" its "text".
std::string masked_payload(std::string_view json);

// A parser's message without the text that it quotes.
std::string_view without_quotation(std::string_view fault);
// A parser's message about `payload`; without its quotation where that may contain a secret.
std::string masked_fault(std::string fault, std::string_view payload);

}  // namespace clawperator
