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
    mutable bool used = false; ///< by the program
    Attributes attributes;
    std::map<std::string, std::string> lacking =
        {}; ///< members of a built-in one that this kernel has nothing for, and what it has not
};

class Translators : public Part {
public:
    using Part::Part;

    /// Its members are checked now, once; each use expands them again.
    void define_translator(const ast::Translator& definition);
    /// Null: none from such an input to this output.
    const TranslatorDefinition* find_translator(const Type* output, const Type* input);
    /// An object whose members are expanded when they are used. `pointer`: they are reached by ->.
    TExpr* translate(const Type* output, bool pointer, TExpr* input, const Span& at);
    TExpr* xlate(const ast::Expr& e);
    TExpr* translated_member(const DynamicValue& object, const std::string& member, const Span& at);
    /// Assigns all members at once.
    TExpr* translated_copy(TExpr* target, const DynamicValue& object, const Span& at);
    /// A definition had an error of its own, which was reported: what it would have translated is not missed.
    void one_failed() { failed_ = true; }

private:
    void define_member(TranslatorDefinition& made, const Type* record, const ast::TranslatorMember& member,
                       TExpr* parameter);
    TExpr* member_argument(TExpr* value, const Type* type);
    /// Does the translator have a value for the member, or, if that is an anonymous record, for one in it?
    static bool defines(const TranslatorDefinition& translator, const Member& member);
    TExpr* store_members(TExpr* target, const Type* record, const DynamicValue& object, TExpr* chain, const Span& at);

    std::vector<std::unique_ptr<TranslatorDefinition>> translators_;
    bool failed_ = false;
};

} // namespace dt::sema
