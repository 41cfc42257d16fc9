// Conversions of values, and dynamic values: aggregations and translated objects, which only look like values.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "dcompiler/sema/part.hpp"

namespace dt::sema {

struct TranslatorDefinition;

/// Expression of Dynamic type: an aggregation, or an object that only its translator can access.
struct DynamicValue {
    Aggregation* aggregation = nullptr;
    bool subscripted = false;
    const TranslatorDefinition* translator = nullptr;
    TExpr* input = nullptr;
    bool pointer = false; ///< xlate<T *>: members are accessed with ->
};

class Values : public Part {
public:
    using Part::Part;

    TExpr* node(TOp op, const Type* type, const Span& at, std::vector<TExpr*> kids = {});
    TExpr* integer(int64_t value, const Type* type, const Span& at); ///< truncated to the type
    TExpr* folded(int64_t value, const Type* type, const Span& at);  ///< result of an operator: 64 bits
    TExpr* convert(TExpr* value, const Type* type);                  ///< conversion between scalars; folds constants
    TExpr* decay(TExpr* value);
    static TExpr* text_pointer(TExpr* value);
    TExpr* to_string_value(TExpr* value); ///< converts a string-compatible value to a string
    const Type* usual_type(const Type* a, const Type* b);
    /// Returns `value` converted to `type`, or null if the two are not argument-compatible.
    TExpr* argument(TExpr* value, const Type* type);
    bool compatible(const Type* a, const Type* b);
    bool pointer_compatible(const TExpr* a, const TExpr* b);
    const Type* value_type(const TExpr* value); ///< type of a variable created to hold the value
    DynamicValue* dynamic(const TExpr* value);
    /// Returns a hint if an operand is an aggregation, which has no value; else an empty string.
    std::string aggregation_hint(const TExpr* a, const TExpr* b = nullptr);
    TExpr* dynamic_node(DynamicValue value, const Span& at);

private:
    std::unordered_map<const TExpr*, DynamicValue> dynamic_;
};

} // namespace dt::sema
