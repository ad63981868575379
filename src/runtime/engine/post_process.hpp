#pragma once
// What the host changes in an envelope, in the published order: close_app, snapshots, screenshots,
// reconciliation, hints. Pure; the picture was captured before.

#include "runtime/contract/envelope.hpp"
#include "runtime/contract/execution.hpp"
#include "runtime/engine/hierarchy_shelf.hpp"
#include "runtime/engine/service_list.hpp"

namespace clawperator {

// Steps that the app leaves to the host are no failures of its own: an envelope that failed only
// for them is a success from here on, and the host has to carry out each of them.
void take_over_host_steps(Envelope& envelope, const Execution& execution);

// Steps of the force-stopped apps that the device reported as unsupported have succeeded.
void settle_closed_apps(Envelope& envelope, const Execution& execution);

// The error code of a failed step, which an app before 0.10 has in `error`; nullptr without one.
const std::string* code_of(const StepResult& step);

// The first successful snapshot step that has a hierarchy, and its text; nullptr when there is
// none.
StepResult* snapshot_step(Envelope& envelope);
const std::string* snapshot_text(const Envelope& envelope);

std::size_t successful_snapshots(const Envelope& envelope);

// Checks each hierarchy, which takes long where they are large; the functions below use the result.
void judge_hierarchies(std::vector<Hierarchy>& hierarchies);

// One hierarchy for each successful snapshot step: the envelope's own, which is taken out of it,
// else the log's, in order. Where the log has another number of them than steps that want one, all
// of those are missing, because their steps are unknown. The same where a failed step may have
// logged one.
std::vector<Hierarchy> pair_snapshots(Envelope& envelope, std::vector<Hierarchy> logged,
                                      const Execution& plan);

// Puts them into their steps. A step without a whole hierarchy fails with
// SNAPSHOT_EXTRACTION_FAILED and the reason. A snapshot right after a click gets a warning. Returns
// warnings for stderr.
std::vector<std::string> attach_snapshots(Envelope& envelope, const Execution& execution,
                                          std::vector<Hierarchy> hierarchies);

// Whether the log lost a part of what these steps need; a new dispatch may help.
bool lost_hierarchies(std::vector<Hierarchy>& hierarchies);

// Where the picture of one take_screenshot step was written, or why it was not.
struct SavedPicture {
  std::string step_id;
  std::string path;
  std::string problem{};                                // empty: saved
  std::string warning{};                                // of a saved one; empty: none
  std::string_view code = "SCREENSHOT_CAPTURE_FAILED";  // of the problem
};

std::vector<std::string> attach_screenshots(Envelope& envelope,
                                            const std::vector<SavedPicture>& pictures);

inline constexpr std::string_view kServiceUnavailable = "SERVICE_UNAVAILABLE";

// The facts for the hint about a missing service.
struct ServiceContext {
  std::string device_id;
  std::string operator_package;
  ServiceListing listing = ServiceListing::unknown;
};

// A failed step fails the envelope. The app's own error message stays. SERVICE_UNAVAILABLE gets a
// hint.
void reconcile(Envelope& envelope, const ServiceContext& context);

}  // namespace clawperator
