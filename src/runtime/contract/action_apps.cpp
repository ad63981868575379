#include "runtime/contract/action_apps.hpp"

#include "base/js_string.hpp"
#include "runtime/contract/action_row.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/operator_app.hpp"

namespace clawperator {
namespace {

using namespace rows;

constexpr std::string_view kPackage = "the package";
constexpr std::array kOpenAppParams{
    use<OpenApp, &OpenApp::application_id>("applicationId", kPackage, Need::given)};
constexpr std::array kOpenUriParams{
    use<OpenUri, &OpenUri::uri>("uri", "a web address or a deep link", Need::given)};
constexpr std::array kCloseAppParams{
    use<CloseApp, &CloseApp::application_id>("applicationId", kPackage, Need::given)};

// A stopped app loses its accessibility permission, so the Operator would never answer again.
void check_close_app(const CloseApp& close, const Rules& rules) {
  if (is_blank_or_absent(close.application_id)) return;
  const std::string_view app = trim_js(*close.application_id);
  if (!is_package_name(app))
    rules.refuse("applicationId", " params.applicationId is no package's name: com.example.app");
  if (is_published_operator(app)) rules.refuse("applicationId", kNotTheOperator);
}

}  // namespace

constinit const ActionRow OpenApp::kRow{
    .name = "open_app",
    .summary = "Bring an app to the front.",
    .params = kOpenAppParams,
    .own = {Manner::brief, "open_app", "a1", "cli-action-open-app", 15000}};

constinit const ActionRow OpenUri::kRow{
    .name = "open_uri",
    .aliases = "open_url",
    .summary = "Open a URI in the app that handles it.",
    .params = kOpenUriParams,
    .own = {Manner::brief, "open_uri", "a1", "cli-action-open-uri", 15000}};

constinit const ActionRow CloseApp::kRow{
    .name = "close_app",
    .summary = "Force-stop an app, before the other steps run.",
    .params = kCloseAppParams,
    .check = check<CloseApp, check_close_app>,
    .own = {Manner::plain, "close", "close"}};

}  // namespace clawperator
