// Types by the names that the program itself, or a library, gave them: typedefs, and tags of structs, unions and enums.
// Each of the two has names of its own, so that a program may define what a library has defined for itself.
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
    /// `types` must outlive this.
    explicit DeclaredTypes(TypeTable& types);

    /// Null: there is none.
    const Type* find_typedef(Definer definer, std::string_view name) const;
    void add_typedef(Definer definer, const std::string& name, const Type* type) { of(definer).typedefs[name] = type; }

    /// Returns a type that stands for a typedef of the traced program that D cannot see. It has the size of a register,
    /// prints as `name` and is found as a typedef by nobody else.
    const Type* foreign(std::string_view name);

    /// Null: nobody mentioned such a tag.
    Type* find_tag(Definer definer, TypeKind kind, std::string_view tag) const;
    /// Makes the type of a tag that is mentioned, or about to be defined: incomplete.
    Type* add_tag(Definer definer, TypeKind kind, const std::string& tag);

    /// Inside its braces a tag means the struct around it, not the kernel's.
    bool is_being_defined(const Type* record) const { return being_defined_.count(record) != 0; }
    /// A struct while its members are read, also when one of them is wrong.
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
