#pragma once
// What is attached, and whether the server itself is well.

#include "runtime/serve/service.hpp"

namespace clawperator::serve {

// {"ok":true,"devices":[{"serial","state","transport"}]}, one a way to reach one.
Task<http::Response> answer_devices(Service* service, Call call);
// 200 as long as the process answers.
Task<http::Response> answer_health(Service* service, Call call);
// 200 once a device is ready, else 503.
Task<http::Response> answer_readiness(Service* service, Call call);

// Numbers for Prometheus.
Task<http::Response> answer_metrics(Service* service, Call call);
// How long what was done on one device took; device_not_found where nothing was.
Task<http::Response> answer_stats(Service* service, Call call);

}  // namespace clawperator::serve
