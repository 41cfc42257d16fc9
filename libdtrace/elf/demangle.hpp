// Names of C++ and Rust functions as their authors wrote them.
#pragma once

#include <string>

namespace dt {

/// "shop::Cart::add(int)" for "_ZN4shop4Cart3addEi"; any other name as it is.
std::string demangled(const std::string& name);

/// The same without parameters: "shop::Cart::add".
std::string demangled_name(const std::string& name);

} // namespace dt
