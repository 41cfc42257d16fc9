// Checks each conversion of a format together with its arguments, so that errors can give the number of both.
#include "dcompiler/sema/formats.hpp"

#include "dcompiler/sema/checker.hpp"
#include "dcompiler/syntax/format.hpp"

namespace dt::sema {

namespace {

using format::Conversion;
using format::Takes;

bool is_wide_array(const Type* type)
{
    return type->kind == TypeKind::Array && type->target->is_integer() && type->target->resolve()->size == 4;
}

bool is_named(const Type* type, std::string_view first, std::string_view second)
{
    for (; type->kind == TypeKind::Typedef; type = type->target)
        if (type->name == first || type->name == second)
            return true;
    return false;
}

/// Returns whether the size and sign named by %hd, %lu, %llx … accept the type (dtrace-output(7), FORMATS). If `long`
/// has 64 bits, `long long` is equivalent, and ll accepts every 64-bit typedef.
bool accepts_sized(const format::ConversionInfo& info, const Type* type, uint64_t size_of_long)
{
    const Type* resolved = type->resolve();
    if (resolved->kind != TypeKind::Integer)
        return false;
    if (info.size == 'q' && is_named(type, "int64_t", "uint64_t"))
        return true;
    const uint64_t size = info.size == 'h' ? 2 : info.size == 'q' ? 8 : size_of_long;
    return resolved->size == size && (resolved->is_signed ? info.wants_signed : info.wants_unsigned);
}

/// Returns whether a conversion can print a value of this type.
bool accepts(const Conversion& conversion, const Type* type, const TypeTable& types)
{
    if (conversion.converts_to() != 0)
        return type->is_integer();
    if (conversion.info->takes == Takes::Sized)
        return accepts_sized(*conversion.info, type, types.named("long")->size);
    type = type->resolve();
    const bool integer = type->is_integer();
    const bool scalar = type->is_scalar() || type->kind == TypeKind::Array;
    switch (conversion.info->takes) {
    case Takes::Nothing:
        return true;
    case Takes::Integer:
        return integer;
    case Takes::Sized:
        return false; // handled above
    case Takes::Character:
        return integer && type->size <= 4;
    case Takes::WideCharacter:
        return integer && type->size == 4;
    case Takes::String:
        return type->kind == TypeKind::String || is_char_array(type);
    case Takes::WideString:
        return is_wide_array(type);
    case Takes::Float:
        return type->kind == TypeKind::Float;
    case Takes::LongDouble:
        return type->kind == TypeKind::Float && type->size == 16;
    case Takes::Pointer:
        return scalar;
    case Takes::KernelAddress:
        return scalar || type->kind == TypeKind::SymAddr;
    case Takes::UserAddress:
        return scalar || type->kind == TypeKind::UserSymAddr;
    case Takes::Stack:
        return type->kind == TypeKind::Stack;
    case Takes::Time:
        return integer && type->size == 8;
    }
    return false;
}

/// Checks a format and its arguments in parallel.
class FormatCheck {
public:
    FormatCheck(Checker& checker, TStmt& call)
        : checker_(checker), call_(call), name_(std::string(call.action->name) + "( )")
    {
        if (call.aggregations.empty())
            for (const TExpr* value : call.args)
                values_.push_back(value->type);
        else
            for (const AggKey& key : call.aggregations.front()->keys)
                values_.push_back(key.type);
    }

    void run()
    {
        const Result<format::Format> parsed = format::parse(call_.format);
        if (!parsed)
            checker_.reports.fail("D_SYNTAX", call_.at, parsed.error().message);
        for (const format::Piece& piece : parsed.value().pieces)
            if (const auto* conversion = std::get_if<Conversion>(&piece))
                check(*conversion);
        if (call_.aggregations.empty() && next_ < values_.size())
            checker_.reports.fail("D_PRINTF_ARG_EXTRA", call_.at,
                                  name_ + " prototype mismatch: only " + std::to_string(next_ + 1) +
                                      " arguments required by this format string");
    }

private:
    std::string label(const Conversion& conversion) const
    {
        return "conversion #" + std::to_string(conversion.number) + " (%" + std::string(conversion.name()) + ")";
    }

    const Span& place(std::size_t value) const { return value < call_.args.size() ? call_.args[value]->at : call_.at; }

    void take_star(const Conversion& conversion)
    {
        if (next_ >= values_.size())
            checker_.reports.fail("D_PRINTF_DYN_PROTO", call_.at,
                                  name_ + " prototype mismatch: " + label(conversion) +
                                      " is missing a corresponding \"*\" argument");
        if (!values_[next_]->is_integer())
            mismatch("D_PRINTF_DYN_TYPE", conversion, "% * " + std::string(conversion.name()), "int", values_[next_]);
        ++next_;
    }

    void check(const Conversion& conversion)
    {
        if (conversion.width_star)
            take_star(conversion);
        if (conversion.precision_star)
            take_star(conversion);
        if (conversion.is_percent())
            return;
        if (conversion.aggregation) {
            check_value(conversion);
            return;
        }
        if (next_ >= values_.size())
            checker_.reports.fail("D_PRINTF_ARG_PROTO", call_.at,
                                  name_ + " prototype mismatch: " + label(conversion) +
                                      " is missing a corresponding value argument");
        if (!accepts(conversion, values_[next_], checker_.types)) {
            mismatch("D_PRINTF_ARG_TYPE", conversion, "%" + std::string(conversion.name()),
                     std::string(conversion.info->prototype), values_[next_]);
        }
        if (call_.aggregations.empty() && values_[next_]->resolve()->kind == TypeKind::Array &&
            conversion.info->takes != Takes::String && conversion.info->takes != Takes::WideString)
            call_.args[next_] = checker_.values.decay(call_.args[next_]);
        ++next_;
    }

    /// Checks %@…, which prints an aggregation's value.
    void check_value(const Conversion& conversion)
    {
        if (call_.aggregations.empty())
            checker_.reports.fail("D_PRINTF_AGG_CONV", call_.at,
                                  name_ + " conversion #" + std::to_string(conversion.number) +
                                      " uses %@ outside of printa( )");
        const Type* value = checker_.types.named("uint64_t");
        const bool narrows = conversion.converts_to() == 1; // values of aggregations have 64 bits
        if (narrows || (!accepts(conversion, value, checker_.types) &&
                        !accepts(conversion, checker_.types.named("int64_t"), checker_.types))) // a count or a sum
            checker_.reports.fail("D_PRINTF_ARG_TYPE", call_.at,
                                  name_ + " aggregating action is incompatible with conversion #" +
                                      std::to_string(conversion.number) + " prototype:\n\tconversion: %" +
                                      std::string(conversion.name()) +
                                      "\n\t prototype: " + std::string(conversion.info->prototype) +
                                      "\n\t  argument: " + dt::to_string(value));
    }

    [[noreturn]] void mismatch(std::string_view tag, const Conversion& conversion, const std::string& spelling,
                               const std::string& prototype, const Type* type)
    {
        const TExpr* const value = next_ < call_.args.size() ? call_.args[next_] : nullptr;
        std::string hint = value ? checker_.values.aggregation_hint(value) : "";
        if (!hint.empty())
            ;
        else if (conversion.info->takes == Takes::String)
            hint = text_hint(type, value);
        else if (conversion.info->takes == Takes::Integer && type->is_pointer())
            hint = "print a pointer with %p";
        else if (type->is_string())
            hint = "a string is printed with %s";
        checker_.reports.fail(tag, place(next_),
                              name_ + " argument #" + std::to_string(next_ + 2) + " is incompatible with conversion #" +
                                  std::to_string(conversion.number) + " prototype:\n\tconversion: " + spelling +
                                  "\n\t prototype: " + prototype + "\n\t  argument: " + dt::to_string(type),
                              hint);
    }

    Checker& checker_;
    TStmt& call_;
    std::string name_;
    std::vector<const Type*> values_;
    std::size_t next_ = 0;
};

} // namespace

void check_format(Checker& checker, TStmt& call)
{
    FormatCheck(checker, call).run();
}

} // namespace dt::sema
