// Translates verifier messages into terms of the D program.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "dcompiler/interface/diagnostics.hpp"

namespace dt {

/// Position in the D program and reason of a verifier's refusal, as far as the log contains them.
struct Refusal {
    std::string file;   ///< name of the program's file, such as "prog.d"; empty if unknown
    uint32_t line = 0;  ///< line number; 0 if unknown
    std::string text;   ///< text of the D source line; empty if unknown
    std::string reason; ///< the verifier's final message; empty if unknown
};

/// Parses a verifier log (bpf(2), log_level 1). The last comment "; TEXT @ file:line" (before kernel 6.8, "; TEXT")
/// contains the source line of the refused instruction. If the comment contains no position, TEXT is searched for in
/// `sources`.
Refusal read_verifier_log(std::string_view log, std::span<const Source* const> sources);

/// Returns lines to append to an error message, each preceded by a newline and a tab. Returns an empty string if the
/// refusal's position and reason are unknown.
std::string describe(const Refusal& refusal);

/// Returns whether the verifier refused a helper that reads memory. A locked-down kernel refuses all such helpers.
bool refuses_reads(const Refusal& refusal);

/// Returns the error text for helpers that a locked-down kernel refuses (refuses_reads()): the forbidden operation, the
/// position in the program, and alternatives that work. The text completes the message "BPF program load for 'PROBES'
/// failed: …".
std::string describe_locked_down(const Refusal& refusal);

/// Returns whether the verifier refused the helper that writes to the memory of processes.
bool refuses_writes(const Refusal& refusal);

/// Returns the error text for a program that writes to the memory of processes, if refuses_writes() returns true. It
/// completes the same message as the text of describe_locked_down().
std::string describe_refused_write(const Refusal& refusal);

} // namespace dt
