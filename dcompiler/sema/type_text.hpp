// D type text as tables write it: "const char *", "struct task_struct *", "unsigned long", "vmlinux`foo_t [4]".
//
// Tables of built-ins and providers name types in text so that they need no type graph; this small reader turns them
// into nodes. It knows abstract declarators made of `*` and `[n]`, and reads any function pointer as a pointer to some
// function.
#pragma once

#include <functional>
#include <string_view>

#include "dcompiler/sema/types.hpp"

namespace dt::sema {

class TypeText {
public:
    TypeText(std::string_view text, TypeTable& types) : rest_(text), types_(types) {}

    std::function<const Type*(std::string_view)> find_typedef;
    std::function<const Type*(TypeKind, std::string_view)> find_tag; ///< makes an incomplete type when there is none

    /// Null when the text names an unknown type or is no type.
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
