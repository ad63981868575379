#pragma once
// The screen as pictures tell it, for `Verify`: raw frames, of which the hashes of their tiles are
// compared. Whoever has the device's lock looks before and after what he does.

#include "adbproto/client/device.hpp"
#include "runtime/engine/verify.hpp"
#include "runtime/image/frame.hpp"

namespace clawperator {

class ScreenWatch {
 public:
  // `several_displays`: screencap has to be told which one.
  ScreenWatch(adbproto::Device* device, Verify wanted, bool several_displays)
      : device_(device), wanted_(wanted), several_displays_(several_displays) {}

  // Before anything is done. That it cannot be had is told by the proof alone.
  asio::awaitable<void> look_before();
  // Afterwards, once the screen has had `still` to change, or rests, or was given up.
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
