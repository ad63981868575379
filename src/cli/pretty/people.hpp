#pragma once
// `--output pretty`: the same answers for human eyes. Error codes are never hidden.

#include "base/error.hpp"
#include "runtime/contract/envelope.hpp"
#include "runtime/device/target.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator {
struct Avd;
struct GrantReport;
struct OperatorFeature;
struct Provisioned;
struct RunningEmulator;
}  // namespace clawperator

namespace clawperator::cli {

// Foreign text must not move the cursor or worse: what is not harmless_text (base/utf8.hpp) becomes
// '?'.
std::string printable(std::string_view text);
// A name within a line: those two as well.
std::string printable_name(std::string name);

// Left-aligned columns, two spaces apart.
std::string table(const std::vector<std::vector<std::string>>& rows);

// CODE: message, then the hint, then the other members indented.
std::string error_for_people(const Error& error);

std::string devices_for_people(const std::vector<DeviceRow>& rows);
std::string envelope_for_people(const Envelope& envelope, std::string_view device);
std::string timings_for_people(const Timings& timings);

std::string avds_for_people(const std::vector<Avd>& avds);
std::string running_for_people(const std::vector<RunningEmulator>& running);
std::string provisioned_for_people(const Provisioned& done);
// "  ok      accessibility service (was enabled)\n", one line a grant of the Operator app.
std::string grants_for_people(const GrantReport& report);
// What an Operator app lacks, one line each: "- snapshot: ... Needs 0.12.3.\n".
std::string missing_for_people(const std::vector<const OperatorFeature*>& missing);

}  // namespace clawperator::cli
