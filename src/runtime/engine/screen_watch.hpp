#pragma once
// The screen in pictures, for `Verify`: raw frames, of which the hashes of their tiles are
// compared. The holder of the device's lock captures before and after its action.

#include "adbproto/client/device.hpp"
#include "runtime/engine/verify.hpp"
#include "runtime/image/frame.hpp"

namespace clawperator {

class ScreenWatch {
 public:
  // `several_displays`: screencap needs the id of one.
  ScreenWatch(adbproto::Device* device, Verify wanted, bool several_displays)
      : device_(device), wanted_(wanted), several_displays_(several_displays) {}

  // Before the action. A failed capture shows only in the proof.
  asio::awaitable<void> look_before();
  // After the action, once the screen had `still` to change, or rests, or the limit is over.
  asio::awaitable<PictureProof> look_after();

 private:
  asio::awaitable<std::optional<FrameTiles>> look();
  asio::awaitable<std::optional<FrameTiles>> look_until_still(PictureProof* proof);
  asio::awaitable<PictureProof> prove();

  adbproto::Device* device_;
  Verify wanted_;
  bool several_displays_;
  std::optional<FrameTiles> before_{};
};

}  // namespace clawperator
