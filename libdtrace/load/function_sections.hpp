// The sections of programs that are made for one kernel function or tracepoint: "fentry/FUNCTION", "fexit/FUNCTION",
// "tp_btf/TRACEPOINT".
#pragma once

namespace dt {

/// Tells libbpf, once, how programs in these sections are loaded. Before an object is opened.
void know_function_sections();

} // namespace dt
