// Parses C specifiers followed by stars and brackets, without names.
#include "dcompiler/sema/type_text.hpp"

#include <cctype>
#include <cstdlib>
#include <string>

namespace dt::sema {

char TypeText::peek()
{
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())))
        rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_.front();
}

std::string_view TypeText::word()
{
    peek();
    std::size_t length = 0;
    while (length < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[length])) || rest_[length] == '_' || rest_[length] == '`'))
        ++length;
    const std::string_view found = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return found;
}

const Type* TypeText::basic(int longs, bool is_short, int sign, std::string_view name)
{
    const bool is_unsigned = sign < 0;
    if (name == "char")
        return types_.named(is_unsigned ? "unsigned char" : sign > 0 ? "signed char" : "char");
    if (name == "double" && longs)
        return types_.named("long double");
    if (name == "float" || name == "double" || name == "_Bool")
        return types_.named(name);
    if (name == "bool")
        return types_.named("_Bool");
    std::string full = is_unsigned ? "unsigned " : "";
    full += is_short ? "short" : longs >= 2 ? "long long" : longs == 1 ? "long" : "int";
    return types_.named(full);
}

const Type* TypeText::base()
{
    int longs = 0;
    int sign = 0;
    bool is_short = false;
    bool any = false;
    std::string_view name;
    while (std::isalpha(static_cast<unsigned char>(peek())) || peek() == '_') {
        const std::string_view next = word();
        if (next == "const" || next == "volatile" || next == "restrict" || next == "__restrict")
            continue;
        if (next == "userland") {
            userland_ = true;
            continue;
        }
        if (next == "struct" || next == "union" || next == "enum") {
            const TypeKind kind = next == "struct"  ? TypeKind::Struct
                                  : next == "union" ? TypeKind::Union
                                                    : TypeKind::Enum;
            return find_tag(kind, word());
        }
        any = true;
        if (next == "long")
            ++longs;
        else if (next == "short")
            is_short = true;
        else if (next == "unsigned")
            sign = -1;
        else if (next == "signed")
            sign = 1;
        else if (name.empty())
            name = next;
        else
            return nullptr;
    }
    if (!any)
        return nullptr;
    const bool word_of_c =
        name.empty() || name == "int" || name == "char" || name == "float" || name == "double" || name == "bool";
    if (word_of_c && !(name == "bool" && find_typedef("bool")))
        return basic(longs, is_short, sign, name);
    return find_typedef(name);
}

const Type* TypeText::parse()
{
    const Type* type = base();
    const AddressSpace space = userland_ ? AddressSpace::User : AddressSpace::Kernel;
    while (type && peek()) {
        if (peek() == '*') {
            rest_.remove_prefix(1);
            type = types_.pointer_to(type, space, 8);
        } else if (peek() == '[') {
            rest_.remove_prefix(1);
            const uint64_t count = std::strtoull(std::string(word()).c_str(), nullptr, 0);
            if (peek() != ']')
                return nullptr;
            rest_.remove_prefix(1);
            type = types_.array_of(type, count);
        } else if (peek() == '(') {
            Type* function = types_.make(TypeKind::Function);
            function->target = type;
            return types_.pointer_to(function, space, 8);
        } else {
            const std::string_view next = word(); // qualifiers of a pointer: `* const`
            if (next != "const" && next != "volatile" && next != "restrict")
                return nullptr;
        }
    }
    return type;
}

} // namespace dt::sema
