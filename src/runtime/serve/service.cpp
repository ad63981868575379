#include "runtime/serve/service.hpp"

#include <algorithm>

#include "runtime/act/stamp.hpp"
#include "runtime/contract/error_codes.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::serve {

TargetOptions target_of(const Defaults& defaults, std::string device) {
  TargetOptions target = defaults.target;
  target.device = std::move(device);
  target.honour_android_serial = false;
  return target;
}

std::int64_t next_stamp(Service* service) {
  service->last_stamp = std::max(act::Stamp::now().epoch_ms, service->last_stamp + 1);
  return service->last_stamp;
}

http::Response error_answer(const Error& error) {
  return {.status = error_row(error.code()).http_status,
          .body = JsonObject().boolean("ok", false).json("error", to_json(error)).str()};
}

http::Response ok_answer(const std::string& object) {
  std::string body = R"({"ok":true)";
  if (object.size() > 2) body += "," + object.substr(1, object.size() - 2);
  return {.body = body + "}"};
}

}  // namespace clawperator::serve
