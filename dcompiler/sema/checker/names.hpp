// Name resolution: the global name space, variables of self-> and this->, types by name, and the types that programs
// and libraries declare.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dcompiler/interface/types.hpp"
#include "dcompiler/sema/checker/checker_part.hpp"
#include "dcompiler/sema/checker/expansions.hpp"
#include "dcompiler/sema/program/builtins.hpp"

namespace dt::sema {

// Named types that programs or libraries declare: typedefs, and tags of structs, unions and enums. Programs and
// libraries have separate tables, so a program may define a library's name differently for itself.

enum class Definer : uint8_t { Program, Library };

class DeclaredTypes {
public:
    /// The object refers to `types`, which must outlive it.
    explicit DeclaredTypes(TypeTable& types);

    /// Returns the type with the name, or null if the name is not declared.
    const Type* find_typedef(Definer definer, std::string_view name) const;
    void add_typedef(Definer definer, const std::string& name, const Type* type) { of(definer).typedefs[name] = type; }

    /// Returns a placeholder for a typedef of the traced program whose definition D does not know. It has the size of a
    /// register and prints as `name`. find_typedef() does not find it.
    const Type* foreign(std::string_view name);

    /// Returns the type of a tag, or null if neither a program nor a library has mentioned the tag.
    Type* find_tag(Definer definer, TypeKind kind, std::string_view tag) const;
    /// Creates an incomplete type for a tag that is only mentioned, or about to be defined.
    Type* add_tag(Definer definer, TypeKind kind, const std::string& tag);

    /// Returns whether the definition of the struct is being read. Between its braces, the tag denotes this struct and
    /// not the kernel's.
    bool is_being_defined(const Type* record) const { return being_defined_.count(record) != 0; }
    /// While this object exists, marks a struct as being defined; also ends the mark if a member has an error.
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

/// Maximum number of keys of an array or aggregation.
inline constexpr std::size_t kMaxKeys = 32;

/// Meaning of a global name.
struct Global {
    enum class Kind : uint8_t {
        Builtin,
        Subroutine,
        Action,
        AggFunction,
        Variable,
        Inline,
        Constant,
        Function,
        External
    };
    Kind kind = Kind::Variable;
    std::string name;
    const BuiltinVariable* builtin = nullptr;
    const Subroutine* subroutine = nullptr;
    const Action* action = nullptr;
    const AggFunction* agg_function = nullptr;
    Variable* variable = nullptr;
    InlineDefinition* definition = nullptr;
    const Type* type = nullptr; ///< type, for the kinds Constant, Function and External
    int64_t value = 0;          ///< value of a Constant
    Span at;
    bool from_program = false;
    /// whether a program may define the name itself without an error
    bool weak = false;
    bool used = false;                    ///< whether the program uses the name
    std::optional<Attributes> attributes; ///< stability attributes that #pragma D attributes has set; empty: none
    /// D version set by #pragma D binding. The name is undefined in programs that request an older version.
    uint32_t version = 0;
};

class Names : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Returns the meaning of a name in the source text that is being checked, or null if it has none. A program's own
    /// definitions have priority over the D library's, except in a library.
    Global* find_global(std::string_view name);
    /// Returns the meaning of a name if the source text that is being checked must not define the name, else null. A
    /// program may define a name of the D library if it has not used it before.
    const Global* find_fixed_global(std::string_view name);
    /// Returns the program's own definition of a name, or null if it has none. Always returns null in a library.
    const Global* find_own_global(std::string_view name) const;
    /// Defines a name for the source text that is being checked (program or library); an earlier meaning is replaced.
    /// Also applies pragmas for the name that preceded the definition.
    Global& define_global(Global global);
    /// Returns the variable with this name in a scope (global, self-> or this->), or null if it does not exist.
    Variable* find_variable_of(Scope scope, std::string_view name);
    Variable* create_variable(Scope scope, const std::string& name, const Type* type, std::vector<const Type*> keys,
                              const Span& at);
    /// Finds a type in this order: in the program, in D's predefined types, in a library, in the kernel, in the traced
    /// program. The name may contain a module. Returns null if the type does not exist.
    const Type* find_typedef(std::string_view name);
    const Type* find_typedef_of_program(std::string_view name); ///< finds a typedef that is declared in D or predefined
    /// finds a typedef that the source text being checked must not define
    const Type* find_fixed_typedef(std::string_view name);
    /// Finds a struct, union or enum in the same order as find_typedef().
    const Type* find_tag(TypeKind kind, std::string_view tag);
    /// Returns the existing type of a tag that the source text defines, or null. The definition completes an incomplete
    /// type; for a complete type, it is an error. Searches the program (in a library: the libraries), then the complete
    /// library types that the program has used.
    Type* find_own_tag(TypeKind kind, std::string_view tag);
    /// Returns the type with the tag. Creates an incomplete type if there is none.
    Type* mention_tag(TypeKind kind, const std::string& tag);
    void define_typedef(const std::string& name, const Type* type);
    /// Returns whether the struct of this kernel has the member.
    bool has_member(std::string_view record, std::string_view member);
    /// Returns a complete type unchanged. For a tag that is only declared, returns its definition elsewhere, or null.
    const Type* complete_record(const Type* record);
    /// Returns the type that a table describes by a string in D syntax. Returns null if the string contains an unknown
    /// name.
    const Type* type_text(std::string_view text);
    /// Records that the checked code uses a name with these stability attributes. Reports an error if -x amin requires
    /// better ones.
    void touch_attributes(const Attributes& attributes, const Span& at, const std::string& what);
    /// The following functions return a hint for an unknown name: the variable, function or member that the user
    /// probably meant. They return an empty string if there is none.
    std::string suggest_variable(std::string_view name, const Span& at) const;
    std::string suggest_function(std::string_view name) const;
    std::string suggest_member(const Type* record, std::string_view name) const;
    /// Returns a hint for an unknown variable of self-> or this->: the one that the user probably meant. Returns an
    /// empty string if there is none.
    std::string suggest_scoped_variable(Scope scope, std::string_view name) const;
    /// Returns whether an identifier has no definition in the source text that is being checked.
    bool is_unknown(const std::string& name);

    /// Records that the current source text sets -x amin by a pragma.
    void amin_is_set() { amin_for_libraries_ = false; }

private:
    Definer definer() const { return here.in_library() ? Definer::Library : Definer::Program; }
    Global* look_up_global(std::string_view name, bool asks_library = true);
    std::map<std::string, Global, std::less<>>& globals_here(std::string_view name);
    const Type* find_library_typedef(std::string_view name);
    const Type* find_outside(TypeNamespace space, std::string_view name, std::string_view module);
    /// Loads a library that defines the name and returns whether there is one. Searches only once per name.
    bool ask_library(std::string_view name);
    std::set<std::string, std::less<>> asked_; ///< names for which a library was already searched
    std::map<std::string, Global, std::less<>> globals_;
    /// Library definitions of names that the program has redefined.
    std::map<std::string, Global, std::less<>> shadowed_;
    std::set<std::string, std::less<>> used_types_; ///< names of library types that the program has used
    std::map<std::string, Variable*, std::less<>> scoped_[3];
    /// whether -x amin also applies to libraries; a pragma in a program sets it only for this program
    bool amin_for_libraries_ = true;
    uint32_t variable_count_[3] = {0, 0, 0};
};

} // namespace dt::sema
