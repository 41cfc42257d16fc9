// Whether the highest bit of a number in memory is its sign.
#pragma once

#include "dcompiler/sema/types.hpp"

namespace dt::lower {

/// An enum is an int, as in C; a smaller one (`enum class State : uint8_t` in C++, a packed one) is what its author, or
/// compiler, made it of.
inline bool is_signed(const Type* type)
{
    const Type* const real = type->resolve();
    const bool is_int = real->kind == TypeKind::Enum && real->size >= 4;
    return is_int || ((real->kind == TypeKind::Enum || real->kind == TypeKind::Integer) && real->is_signed);
}

} // namespace dt::lower
