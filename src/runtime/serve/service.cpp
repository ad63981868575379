#include "runtime/serve/service.hpp"

#include "runtime/contract/error_codes.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::serve {

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
