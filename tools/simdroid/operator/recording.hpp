#pragma once
// Recordings of the events on the screen: one NDJSON file per session, with a header line and then
// one line per event; the file `latest` names the session that was stopped last.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "simdroid/ui/ui_world.hpp"

namespace simdroid {

// Absolute device path -> contents.
using FileMap = std::map<std::string, std::string, std::less<>>;

class Recorder {
 public:
  // World and files must outlive the recorder. Wall clock = offset + the world's time.
  Recorder(UiWorld* world, FileMap* files, std::int64_t wall_offset_ms)
      : world_(world), files_(files), wall_offset_ms_(wall_offset_ms) {}
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  Recorder(Recorder&&) = delete;
  Recorder& operator=(Recorder&&) = delete;
  ~Recorder();

  struct Session {
    std::string id, path;
    std::int64_t events = 0;
  };

  // The error's message is the published step error: RECORDING_ALREADY_IN_PROGRESS, ...
  Result<Session> start(const std::string& id, std::string_view package);
  // An empty id means the running session.
  Result<Session> stop(std::string_view id);
  [[nodiscard]] std::int64_t wall_ms() const;
  void set_storage_available(bool available) { storage_ = available; }

 private:
  void on_event(const UiEvent& event);

  UiWorld* world_;
  FileMap* files_;
  std::optional<Session> session_;
  std::string folder_;
  std::int64_t wall_offset_ms_;
  bool storage_ = true;
};

}  // namespace simdroid
