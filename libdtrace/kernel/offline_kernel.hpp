// Description of an offline kernel: programs are compiled for it, but it does not run here. All its properties are read
// from its type information (BTF).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/interface/world.hpp"
#include "libdtrace/options/options.hpp"
#include "machine/machine.hpp"
#include "probes/provider.hpp"

namespace dt {

struct OfflineKernel {
    const machine::Machine* machine = &machine::native();
    std::string btf; ///< path of the BTF file; empty if the kernel's types are not available
};

/// Returns the kernel that the options kernel and target select, or nothing for the running kernel. Fails if the file
/// has no kernel types, or types for another machine than `target`.
Result<std::optional<OfflineKernel>> offline_kernel(const RunOptions& options);

/// Returns the names of the kernel's system calls that have parameters. Reads them from its type information. Returns
/// nothing if the file cannot be read. Takes 1 ms.
std::set<std::string, std::less<>> calls_in(const std::string& btf, const machine::Machine& machine);

/// Returns whether the kernel can run 32-bit programs. Reads the type information
/// at the path `btf`.
bool has_compat_calls(const std::string& btf, const machine::Machine& machine);

/// Returns the program kinds that the kernel cannot attach, because its type information lacks the function that
/// attaches them. Returns nothing if the file cannot be read. Takes about 2 ms.
probes::RefusedKinds kinds_missing_in(const std::string& btf);

/// Returns the features of a kernel, as far as its type information reveals them. Features that only a trial can detect
/// are reported as missing. If the file cannot be read, the result is the default. Takes about 2 ms.
Features features_in(const std::string& btf);

/// Returns the helpers that the object's programs call but that the kernel does not have, such as "bpf_loop() (since
/// Linux 5.17)". Returns nothing if the type information does not list helpers.
std::vector<std::string> helpers_missing_in(const std::string& btf, std::span<const uint8_t> elf);

} // namespace dt
