// The sections of programs that are made for one kernel function: "fentry/FUNCTION", "fexit/FUNCTION".
#pragma once

namespace dt {

/// Tells libbpf, once, how programs in these sections are loaded. Before an object is opened.
void know_function_sections();

} // namespace dt
