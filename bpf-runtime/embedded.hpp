// The runtime's BPF objects, embedded in the binary, so that packagers cannot strip them and no files are searched at
// run time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace dt
{

/// Object file of one runtime function; `name` is the file's name.
struct RuntimeObject {
	std::string_view name;
	std::span<const uint8_t> elf;
	std::span<const uint8_t>
		plain; ///< variant for kernels without features that `elf` uses; empty if `elf` works there too
	/// Variant for locked-down kernels; empty if `elf` works there too.
	std::span<const uint8_t> locked;
};

std::span<const RuntimeObject> embedded_runtime();

} // namespace dt
