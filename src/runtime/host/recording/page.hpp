#pragma once
// A recording as one page for people: self-contained, without scripts, every text of the phone's
// escaped. web/recording holds its frame and its style.

#include "runtime/host/recording/export_json.hpp"

namespace clawperator {

std::string recording_page(const Recording& recording, const std::vector<RecordedPicture>& pictures,
                           Snapshots snapshots);

}  // namespace clawperator
