#pragma once
// The virtual devices of this user, as `clawperator emulator` has them.

#include "runtime/serve/service.hpp"

namespace clawperator::serve {

Task<http::Response> answer_emulators(Service* service, Call call);
Task<http::Response> answer_running_emulators(Service* service, Call call);
Task<http::Response> answer_emulator(Service* service, Call call);
Task<http::Response> answer_create_emulator(Service* service, Call call);
Task<http::Response> answer_start_emulator(Service* service, Call call);
Task<http::Response> answer_stop_emulator(Service* service, Call call);
Task<http::Response> answer_delete_emulator(Service* service, Call call);
Task<http::Response> answer_provision_emulator(Service* service, Call call);

}  // namespace clawperator::serve
