// A kernel that programs are compiled for and that does not run here: what its type information tells of it.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "base/result.hpp"
#include "libdtrace/options/options.hpp"
#include "machine/machine.hpp"
#include "probes/provider.hpp"

namespace dt {

struct OtherKernel {
    const machine::Machine* machine = &machine::native();
    std::string btf; ///< the file; empty: nothing is known of its types
};

/// What the options kernel and target mean. Nothing: the kernel that runs. Fails when the file has no types of a
/// kernel, or those of a kernel for another machine than `target`.
Result<std::optional<OtherKernel>> other_kernel(const RunOptions& options);

/// The system calls that a kernel has, by its type information: those whose functions take arguments. None: the file
/// cannot be read. The file is searched in 1 ms.
std::set<std::string, std::less<>> calls_in(const std::string& btf, const machine::Machine& machine);

/// Whether it runs 32-bit programs of the machine.
bool has_narrow_calls(const std::string& btf, const machine::Machine& machine);

/// The kinds of programs that it cannot attach, by its type information: what attaches them is not among its functions.
/// None: the file cannot be read. The file is searched in some 2 ms.
probes::RefusedKinds kinds_missing_in(const std::string& btf);

} // namespace dt
