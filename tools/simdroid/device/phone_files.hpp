#pragma once
// The files a phone comes with.

namespace simdroid {

class Phone;

void install_phone_files(Phone* phone);

// A fresh one per start and reboot: hosts remember things per boot.
void install_boot_id(Phone* phone);

}  // namespace simdroid
