#include "skills/result/frame_shapes_table.hpp"

namespace clawperator::skills {
namespace {

using Kind = Shape::Kind;

constexpr std::string_view kStatuses[] = {"success", "failed", "indeterminate"};
constexpr std::string_view kCheckpointStatuses[] = {"ok", "failed", "skipped"};
constexpr std::string_view kVerificationStatuses[] = {"verified", "failed", "not_run"};
constexpr std::string_view kRuntimeStates[] = {"healthy", "poisoned", "unavailable", "unknown"};

constexpr Shape kText{.kind = Kind::text};
constexpr Shape kNullableText{.kind = Kind::text, .nullable = true};
constexpr Shape kName{.kind = Kind::some_text};
constexpr Shape kAny{.kind = Kind::any};
constexpr Shape kFlag{.kind = Kind::boolean};
constexpr Shape kIndex{.kind = Kind::whole};
constexpr Shape kObject{.kind = Kind::map_of_any};
constexpr Shape kTextMap{.kind = Kind::map_of_text};
constexpr Shape kTexts{.kind = Kind::list, .element = &kText};

// Evidence and the answer: {"kind":"text","text"} or {"kind":"json","value"}; evidence may also
// point at a step of an envelope.
constexpr Field kTextFields[] = {{"kind", &kText, true}, {"text", &kText, true}};
constexpr Field kJsonFields[] = {{"kind", &kText, true}, {"value", &kAny, true}};
constexpr Field kEnvelopeFields[] = {
    {"kind", &kText, true}, {"execEnvelopeIndex", &kIndex, true}, {"stepResultId", &kText}};
constexpr Shape kTextEvidence{.kind = Kind::object, .fields = kTextFields};
constexpr Shape kJsonEvidence{.kind = Kind::object, .fields = kJsonFields};
constexpr Shape kEnvelopeEvidence{.kind = Kind::object, .fields = kEnvelopeFields};
constexpr Field kEvidences[] = {{"text", &kTextEvidence},
                                {"json", &kJsonEvidence},
                                {"result_envelope_ref", &kEnvelopeEvidence}};
constexpr Shape kEvidence{.kind = Kind::tagged, .variants = kEvidences};
constexpr Shape kNullableEvidence{.kind = Kind::tagged, .variants = kEvidences, .nullable = true};
constexpr Field kAnswers[] = {{"text", &kTextEvidence}, {"json", &kJsonEvidence}};
constexpr Shape kAnswer{.kind = Kind::tagged, .variants = kAnswers, .nullable = true};

constexpr Shape kCheckpointStatus{.kind = Kind::choice, .choices = kCheckpointStatuses};
constexpr Field kCheckpointFields[] = {{"id", &kName, true},
                                       {"status", &kCheckpointStatus, true},
                                       {"observedAt", &kText},
                                       {"evidence", &kEvidence},
                                       {"note", &kText}};
constexpr Shape kCheckpoint{.kind = Kind::object, .fields = kCheckpointFields};
constexpr Shape kCheckpoints{.kind = Kind::list, .element = &kCheckpoint};

constexpr Shape kVerificationStatus{.kind = Kind::choice, .choices = kVerificationStatuses};
constexpr Field kVerificationFields[] = {{"status", &kVerificationStatus, true},
                                         {"expected", &kEvidence},
                                         {"observed", &kNullableEvidence},
                                         {"note", &kNullableText}};
constexpr Shape kVerification{
    .kind = Kind::object, .fields = kVerificationFields, .nullable = true};

constexpr Field kStepFields[] = {{"id", &kText, true},
                                 {"actionType", &kText, true},
                                 {"success", &kFlag, true},
                                 {"data", &kTextMap, true}};
constexpr Shape kStep{.kind = Kind::object, .fields = kStepFields};
constexpr Shape kSteps{.kind = Kind::list, .element = &kStep};
constexpr Field kExecFields[] = {{"commandId", &kText, true}, {"taskId", &kText, true},
                                 {"status", &kText, true},    {"stepResults", &kSteps, true},
                                 {"error", &kNullableText},   {"errorCode", &kNullableText},
                                 {"hint", &kNullableText}};
constexpr Shape kExecEnvelope{.kind = Kind::object, .fields = kExecFields};
constexpr Shape kExecEnvelopes{.kind = Kind::list, .element = &kExecEnvelope};

constexpr Shape kRuntimeState{.kind = Kind::choice, .choices = kRuntimeStates};
constexpr Field kDiagnosticFields[] = {
    {"runtimeState", &kRuntimeState}, {"warnings", &kTexts}, {"hints", &kTexts}};
constexpr Shape kDiagnostics{
    .kind = Kind::object, .fields = kDiagnosticFields, .keeps_unknown = true};

constexpr Shape kStatus{.kind = Kind::choice, .choices = kStatuses};
constexpr Field kResultFields[] = {{"contractVersion", &kText, true},
                                   {"skillId", &kName, true},
                                   {"goal", &kObject},
                                   {"inputs", &kObject},
                                   {"result", &kAnswer},
                                   {"status", &kStatus, true},
                                   {"checkpoints", &kCheckpoints, true},
                                   {"terminalVerification", &kVerification},
                                   {"execEnvelopes", &kExecEnvelopes},
                                   {"diagnostics", &kDiagnostics}};
constexpr Shape kResult{.kind = Kind::object, .fields = kResultFields};

}  // namespace

const Shape& skill_result_shape() { return kResult; }

}  // namespace clawperator::skills
