// Translation of verifier messages into terms of the D program.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "dcompiler/diagnostics.hpp"

namespace dt {

/// Position and reason of a refusal, as far as the log contains them.
struct Refusal {
    std::string file;   ///< "prog.d", or empty
    uint32_t line = 0;  ///< 0: unknown
    std::string text;   ///< the D source line, or empty
    std::string reason; ///< the verifier's final message, or empty
};

/// Parses a verifier log (bpf(2), log_level 1). The last comment "; TEXT @ file:line" (before kernel 6.8, "; TEXT") is
/// the source line of the refused instruction. A text without position is looked up in `sources`.
Refusal read_verifier_log(std::string_view log, std::span<const Source* const> sources);

/// Returns continuation lines for an error message, each preceded by a newline and a tab. Returns an empty string if
/// nothing is known.
std::string describe(const Refusal& refusal);

/// Is what was refused a read of memory by a helper? A kernel that is locked down has none of these.
bool refuses_reads(const Refusal& refusal);

/// For a refused read of a kernel that is locked down: what it forbids, where the program reads, and what still works.
/// Follows "BPF program load for 'PROBES' failed: ".
std::string describe_locked_down(const Refusal& refusal);

} // namespace dt
