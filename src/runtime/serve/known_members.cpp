#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/suggest.hpp"
#include "runtime/serve/errc.hpp"
#include "runtime/serve/request_body.hpp"
#include "runtime/serve/route_table.hpp"

namespace clawperator::serve {
namespace {

using Names = std::vector<std::string_view>;

Result<void> only_known(Errc code, std::string_view what, const std::string& name,
                        const Names& known) {
  if (std::ranges::find(known, name) != known.end()) return ok();
  return fail(code, "there is no " + std::string(what) + " '" + clipped(name) + "'" +
                        did_you_mean(name, known));
}

Result<void> only_properties(const Json& schema, const Json& body) {
  Names known;
  for (const auto& [name, ignored] : schema.at("properties").get_ref<const Json::object_t&>()) {
    known.push_back(name);
  }
  for (const auto& [name, ignored] : body.get_ref<const Json::object_t&>()) {
    TRY_VOID(only_known(errc::invalid_body, "member", name, known));
  }
  return ok();
}

}  // namespace

Result<void> refuse_unknown(const Service& service, const RouteRow& row,
                            const http::Request& request) {
  const RequestForm& form = row.request;
  Names known;
  for (const Parameter& parameter : form.query) known.push_back(parameter.name);
  for (const auto& [name, ignored] : request.query) {
    TRY_VOID(only_known(errc::invalid_query, "parameter", name, known));
  }
  if (form.body_schema.empty() || form.judges_members) return ok();
  const auto body = read_body(request);
  if (!body || !body->is_object()) return ok();
  const Json* schema = service.schemas ? find_member(*service.schemas, form.body_schema) : nullptr;
  if (schema) return only_properties(*schema, *body);
  return ok();
}

}  // namespace clawperator::serve
