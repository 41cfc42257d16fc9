// The string section of a BTF file: every name the kernel's type information has, without parsing any of it.
#pragma once

#include <string>
#include <string_view>

namespace dt::probes {

/// NUL-terminated strings, one after the other; empty when the file cannot be read or is no BTF. Reads only that part of the file: about
/// 2 ms for the core kernel.
std::string read_btf_strings(const char* path);

/// Is `name` one of them?
bool has_btf_string(std::string_view strings, std::string_view name);

} // namespace dt::probes
