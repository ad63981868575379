#include "runtime/contract/action_phone.hpp"

#include "runtime/contract/action_row.hpp"

namespace clawperator {
namespace {

using namespace rows;

constexpr std::string_view kSession = "the recording's name";
constexpr std::array kPressKeyParams{
    use<PressKey, &PressKey::key>("key", "back, home or recents", Need::given)};
constexpr std::array kStartRecordingParams{
    use<StartRecording, &StartRecording::session_id>("sessionId", kSession)};
constexpr std::array kStopRecordingParams{
    use<StopRecording, &StopRecording::session_id>("sessionId", kSession)};

void check_press_key(const PressKey& press, const Rules& rules) {
  if (!is_blank_or_absent(press.key)) rules.choice("key", press.key);
}

template <class Recording>
void check_recording(const Recording& recording, const Rules& rules) {
  rules.not_blank_if_given("sessionId", recording.session_id, " must not be blank");
}

}  // namespace

constinit const ActionRow PressKey::kRow{
    .name = "press_key",
    .aliases = "key_press",
    .summary = "Press a system key.",
    .params = kPressKeyParams,
    .check = check<PressKey, check_press_key>,
    .own = {Manner::brief, "press_key", "a1", "cli-action-press-key", 10000}};

constinit const ActionRow StartRecording::kRow{
    .name = "start_recording",
    .summary = "Start recording a person's actions.",
    .params = kStartRecordingParams,
    .check = check<StartRecording, check_recording<StartRecording>>,
    .own = {Manner::brief, "start_recording", "a1", "cli-record-start", 10000}};

constinit const ActionRow StopRecording::kRow{
    .name = "stop_recording",
    .summary = "End the recording.",
    .params = kStopRecordingParams,
    .check = check<StopRecording, check_recording<StopRecording>>,
    .own = {Manner::brief, "stop_recording", "a1", "cli-record-stop", 15000}};

constinit const ActionRow DoctorPing::kRow{.name = "doctor_ping", .only_looks = true};

}  // namespace clawperator
