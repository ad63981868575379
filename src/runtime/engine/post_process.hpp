#pragma once
// What the host makes of an envelope, in the published order: close_app, snapshots, screenshots,
// reconciliation, hints. Pure; the picture was captured before.

#include "runtime/contract/envelope.hpp"
#include "runtime/contract/execution.hpp"
#include "runtime/engine/hierarchy_shelf.hpp"
#include "runtime/engine/service_list.hpp"

namespace clawperator {

// What the app leaves to the host is no failure of its own: an envelope that failed for nothing
// else is a success from here on, and each of those steps has to be done.
void take_over_host_steps(Envelope& envelope, const Execution& execution);

// Steps of the force-stopped apps that the device reported as unsupported have succeeded.
void settle_closed_apps(Envelope& envelope, const Execution& execution);

// The first successful snapshot step that has a hierarchy, and its text; nullptr when there is
// none.
StepResult* snapshot_step(Envelope& envelope);
const std::string* snapshot_text(const Envelope& envelope);

std::size_t successful_snapshots(const Envelope& envelope);

// Looks for what is wrong with each, which takes long where they are large; what follows goes by
// it.
void judge_hierarchies(std::vector<Hierarchy>& hierarchies);

// One for each successful snapshot step: the envelope's own, which is taken out of it, else the
// log's, in order. Where the log has another number than there are steps that want one, all of
// those are missing: which one is whose cannot be known. So it is where a step at which the plan
// failed may have drawn one.
std::vector<Hierarchy> pair_snapshots(Envelope& envelope, std::vector<Hierarchy> logged,
                                      const Execution& plan);

// Puts them into their steps. A step without a whole hierarchy fails with
// SNAPSHOT_EXTRACTION_FAILED and says why. A snapshot right after a click gets a warning. Returns
// warnings for stderr.
std::vector<std::string> attach_snapshots(Envelope& envelope, const Execution& execution,
                                          std::vector<Hierarchy> hierarchies);

// Whether the log lost a part of what these steps need; asking again may help.
bool lost_hierarchies(std::vector<Hierarchy>& hierarchies);

// Where the picture of one take_screenshot step was written, or why it was not.
struct SavedPicture {
  std::string step_id;
  std::string path;
  std::string problem{};  // empty: saved
  std::string warning{};  // of a saved one; empty: none
  bool link_lost = false;
};

std::vector<std::string> attach_screenshots(Envelope& envelope,
                                            const std::vector<SavedPicture>& pictures);

inline constexpr std::string_view kServiceUnavailable = "SERVICE_UNAVAILABLE";

// What a hint about a missing service tells.
struct ServiceContext {
  std::string device_id;
  std::string operator_package;
  ServiceListing listing = ServiceListing::unknown;
};

// A failed step fails the envelope. What the app itself says of a failure stays as it is.
// SERVICE_UNAVAILABLE gets a hint.
void reconcile(Envelope& envelope, const ServiceContext& context);

}  // namespace clawperator
