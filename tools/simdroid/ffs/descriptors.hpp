#pragma once
// The first bytes for FunctionFS's ep0: an adb interface for full, high and super speed.
//
//   u32 magic 3, u32 length, u32 flags, u32 descriptors per speed x 3,
//   full:  interface ff/42/01, OUT 64,   IN 64
//   high:  interface ff/42/01, OUT 512,  IN 512
//   super: interface ff/42/01, OUT 1024, companion, IN 1024, companion
//
// and the strings: u32 magic 2, u32 length, u32 strings, u32 languages, u16 0x0409, "adb\0".

#include "base/bytes.hpp"

namespace simdroid {

Bytes adb_descriptors();
Bytes adb_strings();

}  // namespace simdroid
