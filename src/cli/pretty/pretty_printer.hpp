#pragma once
// `--output pretty`: the same answers for people. Error codes are never hidden.

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

// Foreign text must not move the cursor or do more: characters that are not harmless_text
// (base/utf8.hpp) become '?'.
std::string printable(std::string_view text);
// The same for a name within a line: line feeds and tabs are replaced, too.
std::string printable_name(std::string name);

// Left-aligned columns, two spaces apart.
std::string table(const std::vector<std::vector<std::string>>& rows);

// CODE: message, then the hint, then the other members, indented.
std::string error_for_people(const Error& error);

std::string devices_for_people(const std::vector<DeviceRow>& rows);
std::string envelope_for_people(const Envelope& envelope, std::string_view device);
std::string timings_for_people(const Timings& timings);

std::string avds_for_people(const std::vector<Avd>& avds);
std::string running_for_people(const std::vector<RunningEmulator>& running);
std::string provisioned_for_people(const Provisioned& done);
// "  ok      accessibility service (was enabled)\n": one line for each grant of the Operator app.
std::string grants_for_people(const GrantReport& report);
// The missing features of an Operator app, one line each: "- snapshot: ... Needs 0.12.3.\n".
std::string missing_for_people(const std::vector<const OperatorFeature*>& missing);

}  // namespace clawperator::cli
