// Values: how one becomes another type, and what only looks like a value: aggregations, and objects that a translator
// takes apart.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "dcompiler/sema/part.hpp"

namespace dt::sema {

struct TranslatorDefinition;

/// An expression of Dynamic type: an aggregation, or an object that only its translator can take apart.
struct DynamicValue {
    Aggregation* aggregation = nullptr;
    bool subscripted = false;
    const TranslatorDefinition* translator = nullptr;
    TExpr* input = nullptr;
    bool pointer = false; ///< xlate<T *>: members with ->
};

class Values : public Part {
public:
    using Part::Part;

    TExpr* node(TOp op, const Type* type, const Span& at, std::vector<TExpr*> kids = {});
    TExpr* integer(int64_t value, const Type* type, const Span& at); ///< cut to the type
    TExpr* folded(int64_t value, const Type* type, const Span& at);  ///< what an operator gave: 64 bits
    TExpr* convert(TExpr* value, const Type* type);                  ///< between scalars; folds constants
    TExpr* decay(TExpr* value);
    static TExpr* text_pointer(TExpr* value);
    TExpr* to_string_value(TExpr* value); ///< a string-compatible value as a string
    const Type* usual_type(const Type* a, const Type* b);
    /// `value` as a `type`, where D lets it stand for one (argument-compatible); null where not.
    TExpr* argument(TExpr* value, const Type* type);
    bool compatible(const Type* a, const Type* b);
    bool pointer_compatible(const TExpr* a, const TExpr* b);
    const Type* value_type(const TExpr* value); ///< the type of a variable created to hold it
    DynamicValue* dynamic(const TExpr* value);
    /// Where one of them is an aggregation, which has no value: what there is instead; or empty.
    std::string aggregation_hint(const TExpr* a, const TExpr* b = nullptr);
    TExpr* dynamic_node(DynamicValue value, const Span& at);

private:
    std::unordered_map<const TExpr*, DynamicValue> dynamic_;
};

} // namespace dt::sema
