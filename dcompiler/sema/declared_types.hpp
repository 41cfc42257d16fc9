// Named types that the program or a library declares: typedefs, and tags of structs, unions and enums. Program and
// library have separate names, so that a program may redefine a library's names for itself.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dcompiler/sema/types.hpp"

namespace dt::sema {

enum class Definer : uint8_t { Program, Library };

class DeclaredTypes {
public:
    /// `types` must outlive this object.
    explicit DeclaredTypes(TypeTable& types);

    /// Returns the type, or null if the name is not declared.
    const Type* find_typedef(Definer definer, std::string_view name) const;
    void add_typedef(Definer definer, const std::string& name, const Type* type) { of(definer).typedefs[name] = type; }

    /// Returns a placeholder for a typedef of the traced program that D cannot see. It has the size of a register and
    /// prints as `name`; find_typedef() does not find it.
    const Type* foreign(std::string_view name);

    /// Returns the type of a tag, or null if it was never mentioned.
    Type* find_tag(Definer definer, TypeKind kind, std::string_view tag) const;
    /// Creates an incomplete type for a tag that is mentioned or about to be defined.
    Type* add_tag(Definer definer, TypeKind kind, const std::string& tag);

    /// Returns whether the struct is being defined. Inside its braces the tag means this struct and not the kernel's.
    bool is_being_defined(const Type* record) const { return being_defined_.count(record) != 0; }
    /// Marks a struct as being defined during its lifetime, also if a member has an error.
    class Definition {
    public:
        Definition(DeclaredTypes& types, const Type* record) : open_(types.being_defined_), record_(record)
        {
            open_.insert(record);
        }
        ~Definition() { open_.erase(record_); }
        Definition(const Definition&) = delete;
        Definition& operator=(const Definition&) = delete;

    private:
        std::set<const Type*>& open_;
        const Type* record_;
    };

private:
    using Completion = std::function<void(std::vector<Member>&, std::vector<Enumerator>&)>;
    void add_own(const std::string& name, uint64_t size, Completion members);

    struct Declared {
        std::map<std::string, const Type*, std::less<>> typedefs;
        std::map<TypeKind, std::map<std::string, Type*, std::less<>>> tags;
    };
    Declared& of(Definer definer) { return declared_[static_cast<int>(definer)]; }
    const Declared& of(Definer definer) const { return declared_[static_cast<int>(definer)]; }

    TypeTable& types_;
    Declared declared_[2];
    std::map<std::string, const Type*, std::less<>> foreign_;
    std::set<const Type*> being_defined_;
};

} // namespace dt::sema
