#pragma once
// The files a phone comes with.

namespace simdroid {

class Phone;

void install_phone_files(Phone* phone);

// A fresh one per start and reboot: hosts remember things per boot.
void install_boot_id(Phone* phone);

// The shell may write /dev/uhid since Android 8.1.
void install_uhid(Phone* phone);

}  // namespace simdroid
