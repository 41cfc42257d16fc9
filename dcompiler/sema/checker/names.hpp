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

// Named types that the program or a library declares: typedefs, and tags of structs, unions and enums. Program and
// library have separate names, so that a program may redefine a library's names for itself.

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

    /// Returns the type of a tag, or null if neither a program nor a library has mentioned the tag.
    Type* find_tag(Definer definer, TypeKind kind, std::string_view tag) const;
    /// Creates an incomplete type for a tag that is mentioned or about to be defined.
    Type* add_tag(Definer definer, TypeKind kind, const std::string& tag);

    /// Returns whether the struct is being defined. Inside its braces the tag means this struct and not the kernel's.
    bool is_being_defined(const Type* record) const { return being_defined_.count(record) != 0; }
    /// Marks a struct as being defined during this object's lifetime, even if a member has an error.
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
    const Type* type = nullptr; ///< type of a Constant, Function or External
    int64_t value = 0;          ///< value of a Constant
    Span at;
    bool from_program = false;
    /// whether a program's own definition may replace this meaning of the name without an error
    bool weak = false;
    bool used = false;                    ///< whether the program uses the name
    std::optional<Attributes> attributes; ///< stability attributes set by #pragma D attributes; empty: none
    /// D version set by #pragma D binding. In programs that request an older version, the name is undefined.
    uint32_t version = 0;
};

class Names : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Returns the meaning of a name in the source text that is being checked, or null if it has none. In programs,
    /// their own definition has priority over the D library's; in libraries, the library's definition applies.
    Global* find_global(std::string_view name);
    /// Returns the current meaning of a name if a definition in the source text being checked must not change it,
    /// otherwise null. A program may define names of the D library that it has not used before.
    const Global* find_fixed_global(std::string_view name);
    /// Returns the program's own definition of a name, or null.
    const Global* find_own_global(std::string_view name) const;
    /// Replaces the meaning of a name for the source text that is being checked (program or library). Also applies
    /// pragmas that preceded the definition.
    Global& define_global(Global global);
    /// Returns the variable, or null if it does not exist.
    Variable* find_variable_of(Scope scope, std::string_view name);
    Variable* create_variable(Scope scope, const std::string& name, const Type* type, std::vector<const Type*> keys,
                              const Span& at);
    /// Finds a type in the program, D's predefined types, a library, the kernel and the traced program, in this order.
    /// The name may contain a module. Returns null if none of them contains it.
    const Type* find_typedef(std::string_view name);
    const Type* find_typedef_of_program(std::string_view name); ///< finds a typedef that is declared in D or predefined
    /// finds a typedef that a definition in the source text being checked must not change
    const Type* find_fixed_typedef(std::string_view name);
    /// Finds a struct, union or enum; otherwise like find_typedef().
    const Type* find_tag(TypeKind kind, std::string_view tag);
    /// Returns the type that a definition of the tag must take into account: the tag's type in the same source text,
    /// even if incomplete, or a library's type that the program has used. Returns null if there is none.
    Type* find_own_tag(TypeKind kind, std::string_view tag);
    /// Returns the type of the tag, which it creates as incomplete if necessary.
    Type* mention_tag(TypeKind kind, const std::string& tag);
    void define_typedef(const std::string& name, const Type* type);
    /// Returns whether this kernel's struct has the member.
    bool has_member(std::string_view record, std::string_view member);
    /// Returns the definition of a tag for which this source text has only a declaration, or null.
    const Type* complete_record(const Type* record);
    /// Returns the type for a string in D syntax from a table, or null if the string contains an unknown name.
    const Type* type_text(std::string_view text);
    /// Records that the checked code depends on something with these stability attributes. Fails if -x amin requires
    /// better ones.
    void touch_attributes(const Attributes& attributes, const Span& at, const std::string& what);
    /// The following functions return a hint that names the variable, function or member that was probably meant by an
    /// unknown name, or an empty string.
    std::string suggest_variable(std::string_view name, const Span& at) const;
    std::string suggest_function(std::string_view name) const;
    std::string suggest_member(const Type* record, std::string_view name) const;
    /// Returns a hint that names the variable of self-> or this-> that was probably meant, or an empty string.
    std::string suggest_scoped_variable(Scope scope, std::string_view name) const;
    /// Returns whether an identifier is undefined in the source text that is being checked.
    bool is_unknown(const std::string& name);

    /// Records that the current source text itself has set -x amin.
    void amin_is_set() { amin_for_libraries_ = false; }

private:
    Definer definer() const { return here.in_library() ? Definer::Library : Definer::Program; }
    Global* look_up_global(std::string_view name, bool asks_library = true);
    std::map<std::string, Global, std::less<>>& globals_here(std::string_view name);
    const Type* find_library_typedef(std::string_view name);
    const Type* find_outside(TypeNamespace space, std::string_view name, std::string_view module);
    /// Loads a library that defines the name, at most once per name, and returns whether one was found.
    bool ask_library(std::string_view name);
    std::set<std::string, std::less<>> asked_; ///< names for which a library was already searched
    std::map<std::string, Global, std::less<>> globals_;
    /// Library definitions of names that the program has redefined.
    std::map<std::string, Global, std::less<>> shadowed_;
    std::set<std::string, std::less<>> used_types_; ///< names of the library's types that the program has used
    std::map<std::string, Variable*, std::less<>> scoped_[3];
    /// whether -x amin also applies to libraries; if a pragma of a program sets amin, it applies to this program only
    bool amin_for_libraries_ = true;
    uint32_t variable_count_[3] = {0, 0, 0};
};

} // namespace dt::sema
