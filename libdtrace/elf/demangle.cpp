// Demangles names with libiberty, which supports C++ and both mangling schemes of Rust.
#include "libdtrace/elf/demangle.hpp"

#include <cstdlib>
#include <memory>

#include <libiberty/demangle.h>

namespace dt {
namespace {

std::string with(const std::string& name, int options)
{
    if (!name.starts_with("_Z") && !name.starts_with("_R"))
        return name;
    const std::unique_ptr<char, decltype(&std::free)> text(cplus_demangle(name.c_str(), options), &std::free);
    return text ? text.get() : name;
}

} // namespace

std::string demangled(const std::string& name)
{
    return with(name, DMGL_AUTO | DMGL_ANSI | DMGL_PARAMS);
}

std::string demangled_name(const std::string& name)
{
    return with(name, DMGL_AUTO | DMGL_ANSI);
}

} // namespace dt
