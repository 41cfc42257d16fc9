// Translators: structs whose members are expressions, expanded where a member is used (dtrace-language(7), translator).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dcompiler/sema/part.hpp"
#include "dcompiler/sema/values.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

struct TranslatorDefinition {
    const ast::Translator* ast = nullptr;
    const Type* output = nullptr;
    const Type* input = nullptr;
    bool of_library = false;
    mutable bool used = false; ///< the program uses it
    Attributes attributes;
    std::map<std::string, std::string> lacking =
        {}; ///< members of a built-in translator that are not available on this kernel, with the reason
};

class Translators : public Part {
public:
    using Part::Part;

    /// Defines a translator and checks its members once; each use expands them again.
    void define_translator(const ast::Translator& definition);
    /// Returns the translator from `input` to `output`, or null if none exists.
    const TranslatorDefinition* find_translator(const Type* output, const Type* input);
    /// Returns an object whose members are expanded on use. With `pointer`, they are accessed by ->.
    TExpr* translate(const Type* output, bool pointer, TExpr* input, const Span& at);
    TExpr* xlate(const ast::Expr& e);
    TExpr* translated_member(const DynamicValue& object, const std::string& member, const Span& at);
    /// Assigns all members at once.
    TExpr* translated_copy(TExpr* target, const DynamicValue& object, const Span& at);
    /// Records that a definition failed, so that its uses cause no further errors.
    void one_failed() { failed_ = true; }

private:
    void define_member(TranslatorDefinition& made, const Type* record, const ast::TranslatorMember& member,
                       TExpr* parameter);
    TExpr* member_argument(TExpr* value, const Type* type);
    /// Returns whether the translator defines the member or, for an anonymous record, one of its members.
    static bool defines(const TranslatorDefinition& translator, const Member& member);
    TExpr* store_members(TExpr* target, const Type* record, const DynamicValue& object, TExpr* chain, const Span& at);

    std::vector<std::unique_ptr<TranslatorDefinition>> translators_;
    bool failed_ = false;
};

} // namespace dt::sema
