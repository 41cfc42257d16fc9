// Check functions of single actions and subroutines; builtins.def names them. They check rules that a prototype cannot
// express, such as the match of printf() arguments with the format's conversions (dtrace-output(7), FORMATS).
#include "dcompiler/interface/thread_names.hpp"
#include "dcompiler/sema/checker/checker.hpp"
#include "dcompiler/sema/program/hooks.hpp"
#include "dcompiler/sema/program/program.hpp"
#include "dcompiler/syntax/format.hpp"

namespace dt::sema {

/// Checks a call's format string (`call.format`) against the arguments. For printa(), checks it against the keys and
/// values of `call.aggregations`.
void check_format(Checker& checker, TStmt& call);

namespace {

bool is_integer_constant(const TExpr* value)
{
    return value->op == TOp::Integer && value->type->is_integer();
}

[[noreturn]] void incompatible(Checker& checker, std::string_view tag, const TStmt& call, std::size_t number,
                               const char* wanted)
{
    const TExpr* value = call.args[number - 1];
    checker.reports.fail(tag, value->at,
                         std::string(call.action->name) + "( ) argument #" + std::to_string(number) +
                             " is incompatible with prototype:\n\tprototype: " + wanted +
                             "\n\t argument: " + dt::to_string(value->type));
}

/// Adds the aggregation that is argument `number` (counted from 1) to the call's aggregations. Reports an error if the
/// argument is not an aggregation.
void take_aggregation(Checker& checker, TStmt& call, std::size_t number, const std::string& family)
{
    TExpr* value = call.args[number - 1];
    DynamicValue* found = checker.values.dynamic(value);
    if (!found || !found->aggregation)
        incompatible(checker, "D_" + family + "_AGGARG", call, number, "aggregation");
    if (!found->aggregation->function)
        checker.reports.fail("D_" + family + "_AGGBAD", value->at,
                             "undefined aggregation: @" + found->aggregation->name);
    if (found->subscripted)
        incompatible(checker, "D_" + family + "_AGGARG", call, number, "aggregation");
    call.aggregations.push_back(found->aggregation);
}

void take_first(Checker& checker, TStmt& call, const std::string& family)
{
    take_aggregation(checker, call, 1, family);
    call.args.erase(call.args.begin());
}

/// Removes the format string, the first argument of printf(), system() or freopen(), from the arguments and stores it
/// in `call`.
void take_format(Checker& checker, TStmt& call)
{
    const TExpr* first = call.args[0];
    const std::string name(call.action->name);
    const std::string quotes = first->op == TOp::Integer ? text_hint(first->type, first) : "";
    if (first->op != TOp::String)
        checker.reports.fail(
            first->type->is_string() ? "D_PRINTF_ARG_FMT" : "D_PROTO_ARG", first->at,
            name + "( ) argument #1 is incompatible with prototype:\n\tprototype: string constant\n\t argument: " +
                dt::to_string(first->type),
            quotes.empty() ? "write " + name + "(\"%s\", …)" : quotes);
    call.format = first->text;
    call.has_format = true;
    call.args.erase(call.args.begin());
}

void check_formatted(Checker& checker, TStmt& call)
{
    take_format(checker, call);
    check_format(checker, call);
}

} // namespace

// ---- checks of subroutines ----------------------------------------------------------------------------------------

/// Checks alloca() and copyin(), whose last argument is the size.
void check_scratch(Checker& checker, TExpr& call)
{
    const TExpr* size = call.kids.back();
    call.type = checker.types.pointer_to(checker.types.void_type(), AddressSpace::Scratch);
    call.scratch = true;
    if (size->op == TOp::Integer && static_cast<uint64_t>(size->value) > checker.options.scratchsize)
        checker.reports.defer("D_ALLOCA_SIZE", call.at,
                              std::string(call.subroutine->name) + "(" +
                                  std::to_string(static_cast<uint64_t>(size->value)) +
                                  ") size larger than scratchsize " + std::to_string(checker.options.scratchsize),
                              "raise it with -x scratchsize=N");
}

namespace {

void require_scratch(Checker& checker, TExpr& call, std::size_t number)
{
    if (call.kids[number - 1]->scratch)
        return;
    checker.reports.fail(
        "D_PROTO_ARG", call.kids[number - 1]->at,
        std::string(call.subroutine->name) + "( ) argument #" + std::to_string(number) +
            " is incompatible with prototype:\n\tprototype: alloca pointer\n\t argument: non-alloca pointer");
}

void require_constant(Checker& checker, TExpr& call, std::size_t number)
{
    if (call.kids.size() >= number && !is_integer_constant(call.kids[number - 1]))
        checker.reports.fail("D_PROTO_ARG", call.kids[number - 1]->at,
                             std::string(call.subroutine->name) + "( ) argument #" + std::to_string(number) +
                                 " must be an integer constant");
}

} // namespace

void check_bcopy(Checker& checker, TExpr& call)
{
    require_scratch(checker, call, 2);
}

void check_copyinto(Checker& checker, TExpr& call)
{
    require_scratch(checker, call, 3);
}

void check_getenv(Checker& checker, TExpr& call)
{
    const TExpr& name = *call.kids[0];
    if (name.op != TOp::String)
        checker.reports.fail("D_PROTO_ARG", name.at, "getenv( ) argument #1 must be a string constant");
    if (name.text.empty() || name.text.size() > kLongestEnvironmentName || name.text.find('=') != std::string::npos)
        checker.reports.fail("D_PROTO_ARG", name.at,
                             "getenv( ) argument #1 must be the name of a variable: 1 to " +
                                 std::to_string(kLongestEnvironmentName) + " characters without =");
}

void check_inet_ntoa6(Checker& checker, TExpr& call)
{
    require_constant(checker, call, 2);
}

void check_lltostr(Checker& checker, TExpr& call)
{
    if (call.kids.size() < 2 || call.kids[1]->op != TOp::Integer)
        return;
    if (call.kids[1]->value < 2 || call.kids[1]->value > 36)
        checker.reports.fail("D_PROTO_ARG", call.kids[1]->at, "lltostr( ) argument #2 must be between 2 and 36");
}

namespace {

/// Checks that an argument is an address (a pointer, also to user memory, a string or an array), and converts it to a
/// pointer.
void take_memory(Checker& checker, TExpr& call, std::size_t number)
{
    TExpr*& value = call.kids[number - 1];
    TExpr* const pointer = value->type->is_string() ? value : checker.values.decay(value);
    const bool is_of_process = pointer->type->is_pointer() && pointer->type->resolve()->space == AddressSpace::User;
    TExpr* const converted =
        is_of_process ? pointer : checker.values.argument(value, checker.types.pointer_to(checker.types.void_type()));
    if (!converted)
        checker.reports.fail("D_PROTO_ARG", value->at,
                             std::string(call.subroutine->name) + "( ) argument #" + std::to_string(number) +
                                 " is incompatible with prototype:\n\tprototype: pointer or string\n\t argument: " +
                                 dt::to_string(value->type));
    value = converted;
}

} // namespace

void check_memcmp(Checker& checker, TExpr& call)
{
    take_memory(checker, call, 1);
    take_memory(checker, call, 2);
}

void check_memstr(Checker& checker, TExpr& call)
{
    take_memory(checker, call, 1);
}

void check_timeof(Checker& checker, TExpr& call)
{
    const TExpr& part = *call.kids[0];
    std::string names;
    for (const TimePart& known : kTimeParts) {
        if (known.variable.empty())
            continue;
        if (part.op == TOp::String && part.text == known.name)
            return;
        names += (names.empty() ? "" : " ") + std::string(known.name);
    }
    checker.reports.fail("D_PROTO_ARG", part.at,
                         "timeof( ) argument #1 must be a string constant that names a part of the elapsed time",
                         "the names are: " + names);
}

namespace {

void require_request_key(Checker& checker, std::string_view name, const TExpr& key)
{
    if (!key.type->is_scalar() && !key.type->is_string())
        checker.reports.fail("D_PROTO_ARG", key.at,
                             std::string(name) + "( ) argument #1 must be a number, a pointer or a string",
                             "the argument identifies the request: for example a file descriptor, an address or an ID");
}

} // namespace

void check_request(Checker& checker, TExpr& call)
{
    require_request_key(checker, call.subroutine->name, *call.kids[0]);
}

void check_request_action(Checker& checker, TStmt& call)
{
    require_request_key(checker, call.action->name, *call.args[0]);
}

void check_ctxattr(Checker& checker, TExpr& call)
{
    const TExpr& name = *call.kids[0];
    if (name.op != TOp::String)
        checker.reports.fail("D_PROTO_ARG", name.at,
                             "ctxattr( ) argument #1 must be a string constant that names an attribute");
}

namespace {

/// Returns the first conversion in the format that is unknown: neither %f nor one of strftime(3). Returns an empty
/// string if all are known.
std::string unknown_time_conversion(std::string_view format)
{
    constexpr std::string_view kFlags = "_-0^#+", kDigits = "0123456789", kModifiers = "EO";
    constexpr std::string_view kConversions = "%ABCDFGHIMPRSTUVWXYZabcdefghjklmnprstuwxyz";
    for (std::size_t at = format.find('%'); at != std::string_view::npos; at = format.find('%', at)) {
        const std::size_t start = at++;
        at = std::min(format.find_first_not_of(kFlags, at), format.size());
        at = std::min(format.find_first_not_of(kDigits, at), format.size());
        if (at < format.size() && kModifiers.find(format[at]) != std::string_view::npos)
            ++at;
        // strftime(3) does not know %f, an extension of D, so %f must have no flags
        const bool is_known = at < format.size() && kConversions.find(format[at]) != std::string_view::npos &&
                              (format[at] != 'f' || at == start + 1);
        at = std::min(at + 1, format.size());
        if (!is_known)
            return std::string(format.substr(start, at - start));
    }
    return {};
}

} // namespace

/// Checks strftime(): removes the format string from the arguments and checks its conversions.
void check_strftime(Checker& checker, TExpr& call)
{
    const TExpr& format = *call.kids[0];
    if (format.op != TOp::String)
        checker.reports.fail("D_PROTO_ARG", format.at, "strftime( ) argument #1 must be a string constant");
    if (format.text.empty())
        checker.reports.fail("D_PROTO_ARG", format.at, "strftime( ) argument #1 is empty");
    if (const std::string unknown = unknown_time_conversion(format.text); !unknown.empty())
        checker.reports.fail("D_PROTO_ARG", format.at, "strftime( ) argument #1 has the unknown conversion " + unknown,
                             "the conversions are those of strftime(3), for example %H:%M:%S, and %f for microseconds; "
                             "%% prints a percent sign");
    call.text = format.text;
    call.kids.erase(call.kids.begin());
}

namespace {

/// Returns a text by which the consumer finds the names of an enumeration's values. The first line is the enumeration's
/// size in bytes; then a line for each enumerator contains its value and name.
std::string enumeration_text(const Type& enumeration)
{
    std::string text = std::to_string(enumeration.size) + "\n";
    for (const Enumerator& enumerator : enumeration.enumerators())
        text += std::to_string(enumerator.value) + " " + enumerator.name + "\n";
    return text;
}

} // namespace

void check_enumname(Checker& checker, TExpr& call)
{
    const TExpr& value = *call.kids[0];
    const Type* type = value.type->resolve();
    if (type->kind != TypeKind::Enum)
        checker.reports.fail("D_PROTO_ARG", value.at,
                             "enumname( ) argument #1 must have an enumeration type, not " + dt::to_string(value.type),
                             "if the number is of an enumeration, cast it: enumname((enum NAME)…)");
    if (type->enumerators().empty())
        checker.reports.fail("D_PROTO_ARG", value.at,
                             "enumname( ) argument #1: the enumerators of " + dt::to_string(value.type) +
                                 " are not known");
    call.text = enumeration_text(*type);
}

// ---- checks of actions on aggregations ----------------------------------------------------------------------------

void check_clear(Checker& checker, TStmt& call)
{
    take_first(checker, call, "CLEAR");
}

void check_normalize(Checker& checker, TStmt& call)
{
    take_first(checker, call, "NORMALIZE");
}

void check_denormalize(Checker& checker, TStmt& call)
{
    take_first(checker, call, "NORMALIZE");
}

void check_trunc(Checker& checker, TStmt& call)
{
    take_first(checker, call, "TRUNC");
}

namespace {

std::string keys_text(const Aggregation& aggregation)
{
    const std::size_t count = aggregation.keys.size();
    return "@" + aggregation.name + " has " + std::to_string(count) + (count == 1 ? " key" : " keys");
}

/// Checks that all aggregations of a printa() have the same key types, because printa() prints their values for equal
/// keys in one line.
void check_same_keys(Checker& checker, const TStmt& call, const Aggregation& first, const Aggregation& other)
{
    if (first.keys.size() != other.keys.size())
        checker.reports.fail("D_PRINTA_AGGKEY", call.at,
                             "printa( ): @" + other.name + " and @" + first.name +
                                 " do not have matching key signatures: " + keys_text(other) + ", " + keys_text(first));
    for (std::size_t i = 0; i < first.keys.size(); ++i) {
        const Type* a = first.keys[i].type;
        const Type* b = other.keys[i].type;
        if (!(a->is_integer() && b->is_integer()) && !checker.values.compatible(a, b))
            checker.reports.fail("D_PRINTA_AGGPROTO", call.at,
                                 "printa( ): @" + other.name + "[ ] key #" + std::to_string(i + 1) +
                                     " is incompatible with @" + first.name + ":\n\t " + first.name + ": " +
                                     dt::to_string(a) + "\n\t " + other.name + ": " + dt::to_string(b));
    }
}

} // namespace

void check_printa(Checker& checker, TStmt& call)
{
    std::size_t first = 0;
    if (call.args[0]->op == TOp::String) {
        call.format = call.args[0]->text;
        call.has_format = true;
        first = 1;
        if (call.args.size() == 1)
            checker.reports.fail("D_PRINTA_PROTO", call.at,
                                 "printa( ) prototype mismatch: expected at least one aggregation after the format");
        if (call.format.empty())
            checker.reports.fail("D_PRINTF_FMT_EMPTY", call.at, "printa( ) format string is empty");
    } else if (call.args.size() > 1 && call.args[0]->type->is_string()) {
        checker.reports.fail(
            "D_PRINTF_ARG_FMT", call.at,
            "printa( ) argument #1 is incompatible with prototype:\n\tprototype: string constant\n\t argument: " +
                dt::to_string(call.args[0]->type));
    }
    for (std::size_t i = first; i < call.args.size(); ++i) {
        take_aggregation(checker, call, i + 1, "PRINTA");
        check_same_keys(checker, call, *call.aggregations.front(), *call.aggregations.back());
    }
    call.args.clear();
    if (call.has_format)
        check_format(checker, call);
}

// ---- checks of actions with formats -------------------------------------------------------------------------------

void check_printf(Checker& checker, TStmt& call)
{
    take_format(checker, call);
    if (call.format.empty())
        checker.reports.fail("D_PRINTF_FMT_EMPTY", call.at, "printf( ) format string is empty");
    check_format(checker, call);
}

void check_system(Checker& checker, TStmt& call)
{
    check_formatted(checker, call);
}

void check_freopen(Checker& checker, TStmt& call)
{
    check_formatted(checker, call);
    if (call.format == ".")
        checker.reports.fail("D_FREOPEN_INVALID", call.at, "freopen( ) argument #1 cannot be \".\"");
}

// ---- checks of actions that record values -------------------------------------------------------------------------

void check_trace(Checker& checker, TStmt& call)
{
    call.args[0] = checker.values.text_of_record(call.args[0]);
    const TExpr* value = call.args[0];
    const Type* type = value->type->resolve();
    if (value->op == TOp::Address && type->kind != TypeKind::Stack)
        return; // reports no error here: the deferred error of the call describes the cause better
    if (type->kind == TypeKind::Void)
        checker.reports.fail("D_TRACE_VOID", value->at, "trace( ) may not be applied to a void expression");
    if (type->kind == TypeKind::Dynamic)
        checker.reports.fail("D_TRACE_DYN", value->at, "trace( ) may not be applied to a dynamic expression",
                             checker.values.dynamic(value) && checker.values.dynamic(value)->aggregation
                                 ? "print an aggregation with printa()"
                                 : "");
    if (type->kind == TypeKind::Function || type->size == 0)
        incompatible(checker, "D_PROTO_ARG", call, 1, "scalar or string");
}

void check_tracemem(Checker& checker, TStmt& call)
{
    call.args[0] = checker.values.decay(call.args[0]);
    if (!call.args[0]->type->is_scalar())
        incompatible(checker, "D_TRACEMEM_ADDR", call, 1, "pointer or integer");
    if (!is_integer_constant(call.args[1]) || call.args[1]->value <= 0)
        checker.reports.fail("D_TRACEMEM_SIZE", call.args[1]->at,
                             "tracemem( ) argument #2 must be a non-zero positive integral constant expression");
}

namespace {

/// Returns whether the type is an integer, enum, floating-point number, string, struct, union or array of known size.
bool is_printable_value(const Type* type)
{
    return type->is_integer() || type->is_string() || type->is_record() || type->kind == TypeKind::Float ||
           type->kind == TypeKind::Array;
}

} // namespace

/// Checks a call of print(), which prints the target if the value is a pointer, and otherwise the value itself.
void check_print(Checker& checker, TStmt& call)
{
    TExpr*& value = call.args[0];
    if (value->op == TOp::Deref && value->type->is_record()) // `print(*p)` prints the same as `print(p)`
        value = value->kids[0];
    const Type* type = value->type;
    const bool is_pointer = type->is_pointer();
    if (type->resolve()->kind == TypeKind::Dynamic && checker.values.dynamic(value) &&
        checker.values.dynamic(value)->aggregation)
        checker.reports.fail("D_PROTO_ARG", value->at, "print( ) may not be applied to an aggregation",
                             "print an aggregation with printa()");
    if (!is_pointer && !is_printable_value(type->resolve()))
        incompatible(checker, "D_PROTO_ARG", call, 1, "pointer or value");
    const Type* target = is_pointer ? type->resolve()->target : type;
    const Type* complete = target->is_record() ? checker.names.complete_record(target) : target->resolve();
    if (!complete || (complete->size == 0 && (is_pointer || !complete->is_string())))
        checker.reports.fail("D_PRINT_SIZE", value->at,
                             "print( ) argument #1 reference has type '" + dt::to_string(target) +
                                 "' with size 0; cannot print( ) it.");
}

// Checks the argument of stack(); the call may be an action or a value. An error about the argument is deferred to the
// second stage of the check: names and types come first, then actions.
void check_stack(Checker& checker, TStmt& call)
{
    if (!call.args.empty() && (!is_integer_constant(call.args[0]) || call.args[0]->value <= 0))
        checker.reports.defer("D_STACK_SIZE", call.args[0]->at,
                              "stack( ) argument #1 must be a non-zero positive integer constant");
}

void check_ustack(Checker& checker, TStmt& call)
{
    const std::string name(call.action->name);
    if (!call.args.empty() && (!is_integer_constant(call.args[0]) || call.args[0]->value <= 0))
        checker.reports.defer("D_USTACK_FRAMES", call.args[0]->at,
                              name + "( ) argument #1 must be a non-zero positive integer constant");
    if (call.args.size() > 1 && (!is_integer_constant(call.args[1]) || call.args[1]->value < 0))
        checker.reports.defer("D_USTACK_STRSIZE", call.args[1]->at,
                              name + "( ) argument #2 must be a positive integer constant");
}

void check_return(Checker& checker, TStmt& call)
{
    for (const Probe* probe : checker.here.statement->probes)
        if (!checker.world.probes().signature(*probe).overridable)
            checker.reports.fail("D_UNKNOWN", call.at, "return( ) may not be used in probe " + probe->full_name());
    const TExpr* value = call.args[0];
    if (is_integer_constant(value) && (value->value < -4095 || value->value > 0))
        checker.reports.fail("D_PROTO_ARG", value->at, "return( ) argument #1 must be between -4095 and 0");
}

// Checks each conversion of a format with its arguments. So an error message can contain the number of the conversion
// and of the argument.

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

/// Returns whether a value of the type can be printed with the size and sign of a conversion such as %hd, %lu or %llx
/// (dtrace-output(7), FORMATS). If `long` has 64 bits, `long long` is the same, and ll accepts every typedef of 64
/// bits.
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
        return false; // the caller has already checked conversions with a size such as l or ll
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

/// Checks a format from left to right: each conversion takes its arguments from the list of arguments.
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
        if (call_.aggregations.empty() && conversion.info->takes == Takes::String && is_counted_text(values_[next_])) {
            call_.args[next_] = checker_.values.counted_text(call_.args[next_]);
            values_[next_] = call_.args[next_]->type;
        }
        if (!accepts(conversion, values_[next_], checker_.types)) {
            mismatch("D_PRINTF_ARG_TYPE", conversion, "%" + std::string(conversion.name()),
                     std::string(conversion.info->prototype), values_[next_]);
        }
        if (call_.aggregations.empty() && values_[next_]->resolve()->kind == TypeKind::Array &&
            conversion.info->takes != Takes::String && conversion.info->takes != Takes::WideString)
            call_.args[next_] = checker_.values.decay(call_.args[next_]);
        if (call_.aggregations.empty() && conversion.info->size == 'z' &&
            checker_.types.model() == DataModel::Ilp32) { // size_t and ptrdiff_t have the size of long
            const char last = conversion.name().back();
            call_.args[next_] = checker_.values.convert(
                call_.args[next_], checker_.types.named(last == 'd' || last == 'i' ? "long" : "unsigned long"));
        }
        ++next_;
    }

    /// Checks a conversion %@…, which prints an aggregation's value.
    void check_value(const Conversion& conversion)
    {
        if (call_.aggregations.empty())
            checker_.reports.fail("D_PRINTF_AGG_CONV", call_.at,
                                  name_ + " conversion #" + std::to_string(conversion.number) +
                                      " uses %@ outside of printa( )");
        const Type* value = checker_.types.named("uint64_t");
        // the value has 64 bits, so the conversion must not print fewer
        const bool narrows = conversion.converts_to() == 1;
        // a conversion for int64_t is accepted too, because the values of count() and sum() have this type
        if (narrows || (!accepts(conversion, value, checker_.types) &&
                        !accepts(conversion, checker_.types.named("int64_t"), checker_.types)))
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
