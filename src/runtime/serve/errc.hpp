#pragma once
// The errors of HTTP requests.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode invalid_json{"INVALID_JSON", 400,
                                        "The body of a request is no JSON text."};
inline constexpr ErrorCode invalid_body{
    "INVALID_BODY", 400,
    "The body of a request is missing or no JSON object; it counts only with `Content-Type: "
    "application/json`."};
inline constexpr ErrorCode missing_execution{"MISSING_EXECUTION", 400,
                                             "`POST /execute` lacks `execution`."};
inline constexpr ErrorCode invalid_device_id{"INVALID_DEVICE_ID", 400,
                                             "`deviceId` of a request is no text."};
inline constexpr ErrorCode invalid_operator_package{
    "INVALID_OPERATOR_PACKAGE", 400, "`operatorPackage` of a request is no text, or empty."};
inline constexpr ErrorCode invalid_path{"INVALID_PATH", 400,
                                        "`path` of a request is no text, or empty."};
inline constexpr ErrorCode invalid_query{
    "INVALID_QUERY", 400, "A parameter of a request's query has a value that is not known."};
inline constexpr ErrorCode not_found{"NOT_FOUND", 404, "The server has no such route."};
inline constexpr ErrorCode method_not_allowed{
    "METHOD_NOT_ALLOWED", 405,
    "The route is there, but not with this method; the header `Allow` names those that are."};
inline constexpr ErrorCode too_many_requests{
    "TOO_MANY_REQUESTS", 429, "As many event streams are open as the server serves."};
inline constexpr ErrorCode internal_error{
    "INTERNAL_ERROR", 500, "A read-only request failed; the message has the reason."};
inline constexpr ErrorCode file_not_allowed{
    "FILE_NOT_ALLOWED", 403,
    "A client of `serve` names a file, but `--files FOLDER` was not given, or the file does "
    "not lie below it, lies behind a link, or is there and was not written by this server; "
    "nothing was done."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kHttpErrors[] = {&errc::invalid_json,
                                                   &errc::invalid_body,
                                                   &errc::missing_execution,
                                                   &errc::invalid_device_id,
                                                   &errc::invalid_operator_package,
                                                   &errc::invalid_path,
                                                   &errc::invalid_query,
                                                   &errc::not_found,
                                                   &errc::method_not_allowed,
                                                   &errc::too_many_requests,
                                                   &errc::internal_error,
                                                   &errc::file_not_allowed};

}  // namespace clawperator
