// The runtime's BPF objects, embedded in the binary: packagers cannot strip them and nothing has to be found at run
// time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace dt
{

/// One runtime function's own object file: `name` is the file's.
struct RuntimeObject {
	std::string_view name;
	std::span<const uint8_t> elf;
};

std::span<const RuntimeObject> embedded_runtime();

} // namespace dt
