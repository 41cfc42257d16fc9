// What names mean: the global name space, the variables of self-> and this->, types by name.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/sema/builtins.hpp"
#include "dcompiler/sema/declared_types.hpp"
#include "dcompiler/sema/inlines.hpp"
#include "dcompiler/sema/part.hpp"

namespace dt::sema {

/// Of an array or aggregation.
inline constexpr std::size_t kMostKeys = 32;

/// What a global name stands for.
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
    const Type* type = nullptr; ///< Constant, Function, External
    int64_t value = 0;          ///< Constant
    Span at;
    bool from_program = false;
    bool weak = false;                    ///< a program's own definition replaces it silently
    bool used = false;                    ///< by the program
    std::optional<Attributes> attributes; ///< #pragma D attributes
    uint32_t version = 0;                 ///< #pragma D binding: hidden below it
};

class Names : public Part {
public:
    using Part::Part;

    /// Returns the meaning of a name for the text that is being checked: a program's own definition hides the D
    /// library's, and a library sees its own. Null: the name has no meaning.
    Global* find_global(std::string_view name);
    /// Returns the meaning of a name that a definition here must not change, otherwise null. A program may define names
    /// of the D library that it has not used before.
    const Global* find_fixed_global(std::string_view name);
    /// Returns the program's own definition of a name, or null.
    const Global* find_own_global(std::string_view name) const;
    /// Replaces what the name means here. Pragmas that waited for it apply.
    Global& define_global(Global global);
    /// Null: there is no such variable.
    Variable* find_variable_of(Scope scope, std::string_view name);
    Variable* create_variable(Scope scope, const std::string& name, const Type* type, std::vector<const Type*> keys,
                              const Span& at);
    /// By the program, by D itself, by a library, by the kernel, by the program that is traced, in this order; a module
    /// may be named. Null: nobody has it.
    const Type* find_typedef(std::string_view name);
    const Type* find_typedef_of_program(std::string_view name); ///< declared in D or predefined
    const Type* find_fixed_typedef(std::string_view name);      ///< as find_fixed_global()
    /// The same of a struct, union or enum.
    const Type* find_tag(TypeKind kind, std::string_view tag);
    /// The type that a definition of the tag here would define: an incomplete one, one that is fixed, or null.
    Type* find_own_tag(TypeKind kind, std::string_view tag);
    Type* mention_tag(TypeKind kind, const std::string& tag); ///< an incomplete type
    void define_typedef(const std::string& name, const Type* type);
    bool has_member(std::string_view record, std::string_view member); ///< of a kernel struct, here
    const Type* complete_record(const Type* record); ///< the definition of a tag that is only declared here, or null
    const Type* type_text(std::string_view text);    ///< D type text of a table; null when a name in it is unknown
    /// What is checked depends on something that has these attributes: fails when -x amin asks for more.
    void touch_attributes(const Attributes& attributes, const Span& at, const std::string& what);
    /// What somebody may have meant by a name that is no variable, or no function; a hint, or empty.
    std::string meant_variable(std::string_view name, const Span& at) const;
    std::string meant_function(std::string_view name) const;
    std::string meant_member(const Type* record, std::string_view name) const;
    std::string meant_scoped(Scope scope, std::string_view name) const; ///< of self-> or this->
    /// Whether an identifier means nothing at all.
    bool is_unknown(const std::string& name);

    /// The text being read set -x amin itself.
    void amin_is_set() { amin_for_libraries_ = false; }

private:
    Definer definer() const { return here.in_library() ? Definer::Library : Definer::Program; }
    Global* look_up_global(std::string_view name, bool asks_library = true);
    std::map<std::string, Global, std::less<>>& globals_here(std::string_view name);
    const Type* find_library_typedef(std::string_view name);
    const Type* find_outside(TypeNamespace space, std::string_view name, std::string_view module);
    /// Asks once for a library that defines what means nothing so far, and says whether there is one.
    bool ask_library(std::string_view name);
    std::set<std::string, std::less<>> asked_; ///< names that a library was asked for
    std::map<std::string, Global, std::less<>> globals_;
    std::map<std::string, Global, std::less<>> shadowed_; ///< what a library means by names that the program defined
    std::set<std::string, std::less<>> used_types_;       ///< names of a library's types that the program has used
    std::map<std::string, Variable*, std::less<>> scoped_[3];
    bool amin_for_libraries_ = true; ///< -x amin checks libraries too, the pragma only its program
    uint32_t variable_count_[3] = {0, 0, 0};
};

} // namespace dt::sema
