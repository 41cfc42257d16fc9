// Sections of programs for a single kernel function or tracepoint: "fentry/FUNCTION", "fexit/FUNCTION",
// "tp_btf/TRACEPOINT".
#pragma once

namespace dt {

/// Registers libbpf handlers for these sections, once. Call it before an object is opened.
void know_function_sections();

} // namespace dt
