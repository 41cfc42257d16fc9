// Parser of D type text in tables: "const char *", "struct task_struct *", "unsigned long", "vmlinux`foo_t [4]".
//
// Tables of built-ins and providers name types in text so that they need no type graph; this parser converts the text
// to nodes. It supports abstract declarators made of `*` and `[n]`, and treats every function pointer as a pointer to
// an unspecified function.
#pragma once

#include <functional>
#include <string_view>

#include "dcompiler/sema/types.hpp"

namespace dt::sema {

class TypeText {
public:
    TypeText(std::string_view text, TypeTable& types) : rest_(text), types_(types) {}

    std::function<const Type*(std::string_view)> find_typedef;
    std::function<const Type*(TypeKind, std::string_view)> find_tag; ///< creates an incomplete type if the tag is
                                                                     ///< unknown

    /// Returns the type, or null if the text is invalid or contains an unknown type.
    const Type* parse();

private:
    std::string_view word();
    char peek();
    const Type* base();
    const Type* basic(int longs, bool is_short, int sign, std::string_view name);

    std::string_view rest_;
    TypeTable& types_;
    bool userland_ = false;
};

} // namespace dt::sema
