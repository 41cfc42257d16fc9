// Converts mangled names of C++ and Rust functions to the names in the source.
#pragma once

#include <string>

namespace dt {

/// Returns "shop::Cart::add(int)" for "_ZN4shop4Cart3addEi"; returns any other name unchanged.
std::string demangled(const std::string& name);

/// Returns the demangled name without parameters: "shop::Cart::add".
std::string demangled_name(const std::string& name);

} // namespace dt
