// Signedness of numbers in memory.
#pragma once

#include "dcompiler/sema/types.hpp"

namespace dt::lower {

/// Returns whether the highest bit is a sign. An enum is an int, as in C. A smaller enum (`enum class State : uint8_t`
/// in C++, or a packed one) has the signedness of its declared type.
inline bool is_signed(const Type* type)
{
    const Type* const real = type->resolve();
    const bool is_int = real->kind == TypeKind::Enum && real->size >= 4;
    return is_int || ((real->kind == TypeKind::Enum || real->kind == TypeKind::Integer) && real->is_signed);
}

} // namespace dt::lower
