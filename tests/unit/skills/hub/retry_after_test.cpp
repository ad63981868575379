#include <catch2/catch.hpp>

#include "skills/hub/client.hpp"

using namespace clawperator::hub;
using std::chrono::seconds;

TEST_CASE("hub wait: seconds, a date, or a moment of the first hubs") {
  constexpr seconds kNow(1'771'404'506);
  CHECK(read_retry_after("34", kNow) == seconds(34));
  CHECK(read_retry_after(" 0 ", kNow) == seconds(0));
  CHECK(read_retry_after("1771404540", kNow) == seconds(34));
  CHECK(read_retry_after("1771404500", kNow) == seconds(0));
  CHECK(read_retry_after("Wed, 18 Feb 2026 08:49:00 GMT", kNow) == seconds(34));
  CHECK(read_retry_after("Wed, 21 Oct 2015 07:28:00 GMT", kNow) == seconds(0));
  for (const char* odd : {"", "-1", "1.5", "soon", "99999999999", "18446744073709551616",
                          "Wed, 21 Oct 2195 07:28:00 GMT", "Wed, 18 Feb 2026 08:49:00 GMT+1"}) {
    CAPTURE(odd);
    CHECK_FALSE(read_retry_after(odd, kNow));
  }
}
