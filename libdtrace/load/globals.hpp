// Where the scalar globals of a loaded program are: in the section that user space maps, each under its name.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "libdtrace/load/loader.hpp"

namespace dt {

/// The bytes of each global, by its name in D; they are the kernel's programs' too. Valid while `loaded` lives.
std::map<std::string, std::span<uint8_t>> find_globals(const LoadedObject& loaded);

} // namespace dt
