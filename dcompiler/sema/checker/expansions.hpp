// Inlines and translators, which are expanded where they are used (dtrace-language(7), inline, translator), and the
// values that they yield. An inline is a named expression with optional parameters, a translator a struct whose members
// are expressions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "dcompiler/sema/checker/checker_part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

struct Global;

struct InlineParameter {
    std::string name;
    const Type* type = nullptr;
};

struct InlineDefinition {
    const ast::Inline* ast = nullptr;
    const Type* type = nullptr;
    std::vector<InlineParameter> parameters;
    Attributes attributes;
    TExpr* constant = nullptr; ///< value of an inline whose body is an integer constant; null for other inlines
};

class Inlines : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Defines an inline and checks its body once; each use expands it again.
    void define_inline(const ast::Inline& definition);
    /// Returns the body with `arguments` in place of the parameters.
    TExpr* expand_inline(Global& global, std::vector<TExpr*> arguments, const Span& at);

private:
    std::vector<std::unique_ptr<InlineDefinition>> inlines_;
};

// Converts values. Also handles dynamic values: aggregations and translated objects, which are expressions but have no
// value of their own.

struct TranslatorDefinition;

/// Expression of Dynamic type: an aggregation, or an object that only its translator can access.
struct DynamicValue {
    Aggregation* aggregation = nullptr;
    bool subscripted = false;
    const TranslatorDefinition* translator = nullptr;
    TExpr* input = nullptr;
    bool pointer = false; ///< whether the object comes from xlate<T *>, so that its members are accessed by ->
};

class Values : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    TExpr* node(TOp op, const Type* type, const Span& at, std::vector<TExpr*> kids = {});
    /// returns a constant of the given type, to which the value is truncated
    TExpr* integer(int64_t value, const Type* type, const Span& at);
    /// returns an operator's constant result, with 64 bits
    TExpr* folded(int64_t value, const Type* type, const Span& at);
    TExpr* convert(TExpr* value, const Type* type); ///< converts between scalars; folds constants
    TExpr* decay(TExpr* value);
    static TExpr* text_pointer(TExpr* value);
    TExpr* to_string_value(TExpr* value); ///< converts a string-compatible value to a string
    TExpr* counted_text(TExpr* value);    ///< converts a value for which is_counted_text() is true to a string
    /// Returns the string of a structure that is counted text, but not bytes. Returns other values unchanged.
    TExpr* text_of_record(TExpr* value);
    /// Returns an element of a value for which has_counted_elements() is true. An index outside of its length is a
    /// fault.
    TExpr* counted_element(TExpr* value, TExpr* index);
    TExpr* follow(TExpr* record, const std::vector<const Member*>& path); ///< returns the member at the end of the path
    /// Returns the name of the active variant of a value for which has_variants() is true, as a string.
    TExpr* variant_name(TExpr* record);
    /// Returns `record` for an access to a member of it. If the member is a variant that is not active, the access is a
    /// fault.
    TExpr* active_variant(TExpr* record, const Member* variant);
    /// Returns the pointer inside a value for which has_wrapped_pointer() is true.
    TExpr* wrapped_pointer(TExpr* value);
    const Type* usual_type(const Type* a, const Type* b);
    /// Returns `value` converted to `type`, or null if the two are not argument-compatible.
    TExpr* argument(TExpr* value, const Type* type);
    bool compatible(const Type* a, const Type* b);
    bool pointer_compatible(const TExpr* a, const TExpr* b);
    const Type* value_type(const TExpr* value); ///< returns the type that a variable needs to hold the value
    DynamicValue* dynamic(const TExpr* value);
    /// Returns a hint if an operand is an aggregation, which has no value; else an empty string.
    std::string aggregation_hint(const TExpr* a, const TExpr* b = nullptr);
    TExpr* dynamic_node(DynamicValue value, const Span& at);

private:
    TExpr* discriminant(TExpr* record, const Member* member);
    TExpr* text_of_option(TExpr* option, const std::vector<const Member*>& path);
    TExpr* interface_text(TExpr* value);
    TExpr* name_of_go_type(TExpr* description, const Member& name, const Member& flags, uint64_t names);

    std::unordered_map<const TExpr*, DynamicValue> dynamic_;
};

struct TranslatorDefinition {
    const ast::Translator* ast = nullptr;
    const Type* output = nullptr;
    const Type* input = nullptr;
    bool of_library = false;
    mutable bool used = false; ///< whether the program uses the translator
    Attributes attributes;
    /// Members of a built-in translator that this kernel lacks, each with the reason.
    std::map<std::string, std::string> lacking = {};
};

class Translators : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Defines a translator and checks its members once; each use expands them again.
    void define_translator(const ast::Translator& definition);
    /// Returns the translator from `input` to `output`, or null if none exists.
    const TranslatorDefinition* find_translator(const Type* output, const Type* input);
    /// Returns an object whose members are expanded on use. With `pointer`, the members are accessed by ->.
    TExpr* translate(const Type* output, bool pointer, TExpr* input, const Span& at);
    TExpr* xlate(const ast::Expr& e);
    TExpr* translated_member(const DynamicValue& object, const std::string& member, const Span& at);
    /// Returns an expression that stores all members of a translated object in a variable.
    TExpr* translated_copy(TExpr* target, const DynamicValue& object, const Span& at);
    /// Records that a definition failed, so that its uses cause no further errors.
    void one_failed() { failed_ = true; }

private:
    void define_member(TranslatorDefinition& made, const Type* record, const ast::TranslatorMember& member,
                       TExpr* parameter);
    TExpr* member_argument(TExpr* value, const Type* type);
    /// Returns whether the translator defines the member or, if the member is an anonymous record, one of that record's
    /// members.
    static bool defines(const TranslatorDefinition& translator, const Member& member);
    TExpr* store_members(TExpr* target, const Type* record, const DynamicValue& object, TExpr* chain, const Span& at);

    std::vector<std::unique_ptr<TranslatorDefinition>> translators_;
    bool failed_ = false;
};

} // namespace dt::sema
