// Inlines and translators, which are expanded where they are used (dtrace-language(7), inline, translator), and the
// values of their expansions. An inline is a named expression with optional parameters, a translator a struct whose
// members are expressions.
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
    TExpr* constant = nullptr; ///< value of an inline that is an integer constant; null for others
};

class Inlines : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Defines an inline and checks its body. Each use expands the body again.
    void define_inline(const ast::Inline& definition);
    /// Returns the body of an inline with `arguments` in place of the parameters.
    TExpr* expand_inline(Global& global, std::vector<TExpr*> arguments, const Span& at);

private:
    std::vector<std::unique_ptr<InlineDefinition>> inlines_;
};

// Converts values. Also handles dynamic values, which are expressions without a value: aggregations and translated
// objects.

struct TranslatorDefinition;

/// Expression of type Dynamic: an aggregation, or an object whose members only its translator can compute.
struct DynamicValue {
    Aggregation* aggregation = nullptr;
    bool subscripted = false;
    const TranslatorDefinition* translator = nullptr;
    TExpr* input = nullptr;
    bool pointer = false; ///< whether the object is from xlate<T *>, so that -> accesses its members
};

class Values : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    TExpr* node(TOp op, const Type* type, const Span& at, std::vector<TExpr*> kids = {});
    /// returns a constant of the given type; `value` is truncated to the type
    TExpr* integer(int64_t value, const Type* type, const Span& at);
    /// returns a constant that is an operator's result and has 64 bits
    TExpr* folded(int64_t value, const Type* type, const Span& at);
    TExpr* convert(TExpr* value, const Type* type); ///< converts a scalar; constants remain constants
    TExpr* decay(TExpr* value);
    static TExpr* text_pointer(TExpr* value);
    TExpr* to_string_value(TExpr* value); ///< converts a string-compatible value to a string
    TExpr* counted_text(TExpr* value);    ///< converts a string structure of a process (is_counted_text()) to a string
    /// Returns the string in a string structure of a process (address and length), unless it is a slice of bytes.
    /// Returns other values unchanged.
    TExpr* text_of_record(TExpr* value);
    /// Returns an element of a slice, vector or similar value (has_counted_elements()). An index that is not less than
    /// the value's length is a fault.
    TExpr* counted_element(TExpr* value, TExpr* index);
    TExpr* follow(TExpr* record, const std::vector<const Member*>& path); ///< returns the member that the path leads to
    /// Returns the name of the active variant, as a string, for an enum of Rust (has_variants()).
    TExpr* variant_name(TExpr* record);
    /// Returns the expression from which the member `variant` of `record` is read; usually that is `record` itself. If
    /// the member is an inactive variant of a Rust enum, the expression causes a fault.
    TExpr* active_variant(TExpr* record, const Member* variant);
    /// Returns the pointer in a smart pointer or similar structure (has_wrapped_pointer()).
    TExpr* wrapped_pointer(TExpr* value);
    const Type* usual_type(const Type* a, const Type* b);
    /// Returns `value` converted to `type`, or null if a value of its type cannot be an argument of type `type`.
    TExpr* argument(TExpr* value, const Type* type);
    bool compatible(const Type* a, const Type* b);
    bool pointer_compatible(const TExpr* a, const TExpr* b);
    const Type* value_type(const TExpr* value); ///< returns the type of a variable that can store the value
    DynamicValue* dynamic(const TExpr* value);
    /// Returns a hint that an aggregation has no value, if an operand is one; else an empty string.
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
    /// Members of a built-in translator that need a feature which this kernel lacks: name and reason.
    std::map<std::string, std::string> lacking = {};
};

class Translators : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Defines a translator and checks its members. Each use expands them again.
    void define_translator(const ast::Translator& definition);
    /// Returns the translator from type `input` to type `output`, or null if none exists.
    const TranslatorDefinition* find_translator(const Type* output, const Type* input);
    /// Returns a translated object, whose members are expanded where they are used. With `pointer`, programs access its
    /// members by ->.
    TExpr* translate(const Type* output, bool pointer, TExpr* input, const Span& at);
    TExpr* xlate(const ast::Expr& e);
    TExpr* translated_member(const DynamicValue& object, const std::string& member, const Span& at);
    /// Returns an expression that stores a translated object in a variable, member by member.
    TExpr* translated_copy(TExpr* target, const DynamicValue& object, const Span& at);
    /// Records that the definition of a translator failed, so that its uses cause no further errors.
    void one_failed() { failed_ = true; }

private:
    void define_member(TranslatorDefinition& made, const Type* record, const ast::TranslatorMember& member,
                       TExpr* parameter);
    TExpr* member_argument(TExpr* value, const Type* type);
    /// Returns whether the translator defines the member. For an anonymous struct or union, returns whether it defines
    /// one of the members inside.
    static bool defines(const TranslatorDefinition& translator, const Member& member);
    TExpr* store_members(TExpr* target, const Type* record, const DynamicValue& object, TExpr* chain, const Span& at);

    std::vector<std::unique_ptr<TranslatorDefinition>> translators_;
    bool failed_ = false;
};

} // namespace dt::sema
