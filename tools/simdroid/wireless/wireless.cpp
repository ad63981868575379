#include "simdroid/wireless/wireless.hpp"

namespace simdroid {

std::string guid_of(const std::string& serial) { return "adb-" + serial + "-simdrd"; }

Result<void> Wireless::start(adbproto::RsaKey key) {
  if (options_.pairing_port) TRY_VOID(open_dialog(std::move(key)));
  if (options_.announce) TRY_VOID(announce());
  return ok();
}

asio::awaitable<void> Wireless::stop() {
  if (responder_) co_await responder_->stop();
  if (dialog_) co_await dialog_->stop();
}

Result<void> Wireless::open_dialog(adbproto::RsaKey key) {
  PairingDialog dialog{phone_.host, *options_.pairing_port, options_.code, guid_of(phone_.serial)};
  dialog_ = std::make_unique<PairingServer>(executor_, std::move(dialog), std::move(key),
                                            phone_.on_paired);
  TRY(pairing_port_, dialog_->listen());
  return ok();
}

Result<void> Wireless::announce() {
  const std::string guid = guid_of(phone_.serial);
  const std::string& instance = options_.pairing_instance;
  Announcement announcement{"Android-" + phone_.serial, phone_.host, {}};
  announcement.services.push_back({phone_.service, guid, phone_.port});
  if (pairing_port_ != 0) {
    announcement.services.push_back(
        {AdbService::tls_pairing, instance.empty() ? guid : instance, pairing_port_});
  }
  responder_ = std::make_unique<MdnsResponder>(executor_, std::move(announcement));
  return responder_->start(*options_.announce);
}

}  // namespace simdroid
