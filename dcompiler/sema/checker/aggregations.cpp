// Checks aggregations, the constants of the quantizing functions, and #pragma D metric. All updates of an aggregation
// must have the same function and the same types of keys.
#include "dcompiler/sema/checker/aggregations.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <utility>

#include "bpf-runtime/abi.h"
#include "bpf-runtime/accounting/account.h"
#include "dcompiler/interface/render.hpp"
#include "dcompiler/sema/checker/checker.hpp"
#include "dcompiler/sema/program/builtins.hpp"
#include "dcompiler/sema/program/hooks.hpp"

namespace dt::sema {

namespace {

const ast::Expr* root_of(const ast::Expr& e)
{
    const ast::Expr* root = &e;
    while (root->kind == ast::ExprKind::Index)
        root = root->kids[0];
    return root;
}

/// Returns the type with which a key is stored. A string is stored with its own size and not with that of option
/// strsize.
const Type* key_type(Checker& checker, const TExpr* value)
{
    return value->type->is_string() ? checker.types.string_of(value->type->resolve()->size) : value->type;
}

std::string word_of(const RecordedText& text)
{
    if (text.variable)
        return "variable " + std::string(text.variable->name);
    if (!text.subroutine)
        return "a value";
    const std::string name(text.subroutine->name);
    return text.subroutine->has(kTimeText)   ? name + "(\"" + text.constant + "\", …)"
           : text.subroutine->has(kEnumText) ? name + "( ) of an enumeration"
                                             : name + "( )";
}

} // namespace

Aggregation* Aggregations::find_aggregation(std::string_view name)
{
    const auto found = aggregations_.find(name);
    return found == aggregations_.end() ? nullptr : found->second;
}

/// Checks uses of an aggregation that do not update it, such as operands of printa().
TExpr* Aggregations::aggregation_reference(const ast::Expr& e)
{
    const ast::Expr& root = *root_of(e);
    const bool subscripted = &root != &e;
    if (subscripted && e.kids[0] != &root)
        fail("D_AGG_MDIM", e.at, "improper attempt to reference @" + root.text + " as a multi-dimensional array");
    Aggregation* known = find_aggregation(root.text);
    if (!known && !subscripted)
        fail_unknown(
            "D_IDENT_UNDEF", e.at, "@" + root.text, "failed to resolve @" + root.text + ": Unknown aggregation name",
            "printa() prints an aggregation that another clause stores, as by @ = count(): call it in END or tick-1s");
    if (subscripted)
        for (std::size_t i = 1; i < e.kids.size(); ++i) {
            here.addresses_allowed = here.recorded = true;
            checker.expressions.expr(*e.kids[i]);
        }
    // An aggregation with a subscript need not be updated anywhere. If an action cannot use such an aggregation, the
    // action's own check reports an error.
    if (!known) {
        unassigned_.push_back(std::make_unique<Aggregation>());
        known = unassigned_.back().get();
        known->name = root.text;
    }
    DynamicValue value;
    value.aggregation = known;
    value.subscripted = subscripted;
    return checker.values.dynamic_node(value, e.at);
}

TStmt* Aggregations::aggregate(const ast::Expr& e)
{
    const ast::Expr& target = *e.kids[0];
    const ast::Expr& root = *root_of(target);
    const std::string name = "@" + root.text;
    const bool keyed = &root != &target;
    if (keyed && target.kids[0] != &root)
        fail("D_AGG_MDIM", target.at, "improper attempt to reference " + name + " as a multi-dimensional array");

    TStmt* made = program.stmt();
    made->kind = TStmtKind::Aggregate;
    made->at = e.at;
    here.deferred_owner = made;

    const ast::Expr& right = *e.kids[1];
    Global* global = right.kind == ast::ExprKind::Call ? &checker.calls.callee(right) : nullptr;
    if (!global || global->kind != Global::Kind::AggFunction) {
        const auto functions = agg_functions();
        const bool is_named = right.kind == ast::ExprKind::Identifier &&
                              std::any_of(functions.begin(), functions.end(),
                                          [&](const AggFunction& each) { return each.name == right.text; });
        const std::string shown = root.text == "_" ? "@" : name;
        fail("D_AGG_FUNC", e.at, name + " must be assigned the result of an aggregating function",
             is_named ? right.text + " is a function: write " + right.text + (right.text == "count" ? "()" : "(...)")
                      : "for example " + shown + " = count()");
    }
    const AggFunction& function = *global->agg_function;
    Aggregation* known = find_aggregation(root.text);
    if (known && known->function != &function)
        fail("D_AGG_REDEF", e.at,
             "aggregation redefined: " + name + "\n\t current: " + name + " = " + global->name + "( )\n\tprevious: " +
                 name + " = " + std::string(known->function->name) + "( ) : line " + std::to_string(known->at.line));
    checker.names.touch_attributes(global->attributes.value_or(Attributes{}), e.at, "function " + global->name);
    made->args = checker.calls.arguments(global->name, checker.prototypes.of(function.prototype), right, false);
    std::vector<TExpr*> values = aggregation_keys(name, known, target, keyed);
    if (!known) {
        known = &program.aggregations.emplace_back();
        known->name = root.text;
        known->function = &function;
        known->id = static_cast<uint32_t>(program.aggregations.size() - 1);
        known->at = e.at;
        for (const TExpr* value : values)
            known->keys.push_back({key_type(checker, value), recorded_text(*value)});
        known->given_keys = known->keys.size();
        if (function.kind == AggKind::Blame)
            known->keys.push_back({types.string_of(DT_BLAME_TEXT), {}});
        aggregations_[known->name] = known;
    }
    made->aggregation = known;
    made->keys = std::move(values);
    checker.metrics.note_use(*known, target, *made);
    if (function.kind != AggKind::Count && !made->args[0]->type->is_scalar())
        defer("D_AGG_SCALAR", made->args[0]->at, global->name + "( ) argument #1 must be of scalar type");
    return made;
}

namespace {

/// For an error message: returns the location where the aggregation is first used, and the types of the keys there.
std::string first_use(const Aggregation& known)
{
    std::string keys;
    for (std::size_t i = 0; i < known.given_keys; ++i)
        keys += (keys.empty() ? "" : ", ") + dt::to_string(known.keys[i].type);
    std::string place = "line " + std::to_string(known.at.line);
    if (known.at.source)
        place += ", column " + std::to_string(find_line_column(*known.at.source, known.at.offset).column + 1);
    return "its first use is in " + place + (keys.empty() ? ": without keys" : ": [" + keys + "]");
}

} // namespace

std::vector<TExpr*> Aggregations::aggregation_keys(const std::string& name, Aggregation* known, const ast::Expr& target,
                                                   bool keyed)
{
    const std::size_t count = keyed ? target.kids.size() - 1 : 0;
    if (count > kMaxKeys)
        fail("", target.at, "Insufficient tuple registers to generate code");
    if (known && known->given_keys != count)
        fail("D_PROTO_LEN", target.at,
             name + "[ ] prototype mismatch: " + std::to_string(count) + " key" + (count == 1 ? "" : "s") +
                 " passed, " + std::to_string(known->given_keys) + " expected",
             first_use(*known));
    std::vector<TExpr*> values;
    for (std::size_t i = 0; i < count; ++i) {
        here.addresses_allowed = here.recorded = true;
        TExpr* value = checker.expressions.expr(*target.kids[i + 1]);
        here.addresses_allowed = false;
        const TypeKind kind = value->type->resolve()->kind;
        if (kind == TypeKind::Void || kind == TypeKind::Dynamic)
            fail("D_KEY_TYPE", value->at,
                 name + "[ ] key #" + std::to_string(i + 1) + " may not be of type " + dt::to_string(value->type));
        value = checker.values.text_of_record(value);
        if (known && known->keys[i].text != recorded_text(*value))
            fail("D_PROTO_ARG", value->at,
                 name + "[ ] key #" + std::to_string(i + 1) + " is incompatible with prototype:\n\tprototype: " +
                     word_of(known->keys[i].text) + "\n\t     key: " + word_of(recorded_text(*value)),
                 first_use(*known));
        if (known) {
            const Type*& type = known->keys[i].type;
            TExpr* converted = checker.values.argument(value, type);
            if (!converted || (type->is_pointer() && !converted->type->is_pointer() && converted->op == TOp::Cast &&
                               value->type->is_string()))
                fail("D_PROTO_ARG", value->at,
                     name + "[ ] key #" + std::to_string(i + 1) + " is incompatible with prototype:\n\tprototype: " +
                         dt::to_string(type) + "\n\t     key: " + dt::to_string(value->type),
                     first_use(*known));
            value = converted;
            if (type->is_string() && value->type->resolve()->size > type->resolve()->size)
                type = types.string_of(value->type->resolve()->size);
        }
        values.push_back(value);
    }
    return values;
}

// ---- checks of the constants of quantizing functions --------------------------------------------------------------

namespace {

struct Quantizer {
    Checker& checker;
    TStmt& call;
    std::string name;

    Aggregation& aggregation() const { return const_cast<Aggregation&>(*call.aggregation); }
    bool given(std::size_t i) const { return i < call.args.size(); }

    [[noreturn]] void fail(const char* tag, const std::string& message) const
    {
        checker.reports.fail(tag, call.at, name + "( ) " + message);
    }

    /// Returns argument i of the aggregating function, which must be a constant. Argument 0 is the aggregated value.
    int64_t constant(std::size_t i, const char* tag, const char* what) const
    {
        const TExpr* value = call.args[i];
        if (value->op != TOp::Integer || !value->type->is_integer())
            fail(tag, "argument #" + std::to_string(i) + " must be " + what);
        return value->value;
    }

    void extra_arguments(std::size_t most) const
    {
        if (call.args.size() > most)
            checker.reports.fail("D_PROTO_LEN", call.at,
                                 name + "( ) prototype mismatch: " + std::to_string(call.args.size()) +
                                     " args passed, at most " + std::to_string(most) + " expected");
        if (call.args.size() == most && !call.args[most - 1]->type->is_scalar())
            fail("D_PROTO_ARG", "increment value (argument #" + std::to_string(most) + ") must be of scalar type");
    }

    /// Checks that all uses of an aggregation have the same parameters.
    void match(const std::vector<int64_t>& found,
               std::initializer_list<std::pair<const char*, const char*>> names) const
    {
        std::vector<int64_t>& expected = aggregation().parameters;
        if (expected.empty()) {
            expected = found;
        } else {
            std::size_t i = 0;
            for (const auto& [tag, what] : names) {
                if (expected[i] != found[i])
                    fail(tag, std::string(what) + " (argument #" + std::to_string(i + 1) +
                                  ") doesn't match previous declaration: expected " + std::to_string(expected[i]) +
                                  ", found " + std::to_string(found[i]));
                ++i;
            }
        }
    }
};

} // namespace

void check_quantize(Checker& checker, TStmt& call)
{
    Quantizer{checker, call, "quantize"}.extra_arguments(2);
}

void check_lquantize(Checker& checker, TStmt& call)
{
    Quantizer q{checker, call, "lquantize"};
    q.extra_arguments(5);
    const auto is_32_bit = [](int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; };
    const int64_t base = q.constant(1, "D_LQUANT_BASETYPE", "an integer constant");
    if (!is_32_bit(base))
        q.fail("D_LQUANT_BASEVAL", "argument #1 must be a 32-bit quantity");
    const int64_t limit = q.constant(2, "D_LQUANT_LIMTYPE", "an integer constant");
    if (!is_32_bit(limit))
        q.fail("D_LQUANT_LIMVAL", "argument #2 must be a 32-bit quantity");
    if (limit <= base)
        q.fail("D_LQUANT_MISMATCH", "base (argument #1) must be less than limit (argument #2)");
    int64_t step = 1;
    if (q.given(3)) {
        const char* text = "a non-zero positive integer constant";
        step = q.constant(3, "D_LQUANT_STEPTYPE", text);
        if (step <= 0)
            q.fail("D_LQUANT_STEPTYPE", std::string("argument #3 must be ") + text);
        if (step > UINT16_MAX)
            q.fail("D_LQUANT_STEPVAL", "argument #3 must be a 16-bit quantity");
    }
    const int64_t levels = (limit - base) / step;
    if (levels == 0)
        q.fail("D_LQUANT_STEPLARGE", "step (argument #3) too large: must have at least one quantization level");
    if (levels > UINT16_MAX)
        q.fail("D_LQUANT_STEPSMALL",
               "step (argument #3) too small: number of quantization levels must be a 16-bit quantity");
    q.match({base, limit, step},
            {{"D_LQUANT_MATCHBASE", "base"}, {"D_LQUANT_MATCHLIM", "limit"}, {"D_LQUANT_MATCHSTEP", "step"}});
}

namespace {

/// Returns base^exponent, or nothing if it does not fit into 64 bits.
std::optional<uint64_t> power(uint64_t base, int64_t exponent)
{
    uint64_t value = 1;
    for (int64_t i = 0; i < exponent; ++i)
        if (__builtin_mul_overflow(value, base, &value))
            return std::nullopt;
    return value;
}

void check_llquantize_steps(const Quantizer& q, uint64_t factor, int64_t low, uint64_t steps)
{
    const auto refuse = [&](const char* text) {
        q.checker.reports.fail("D_LLQUANT_STEPVAL", q.call.at,
                               std::string("llquantize() argument #4 (steps) must ") + text);
    };
    if (steps < factor && factor % steps != 0)
        refuse("evenly divide argument #1 (factor) when steps<factor");
    if (steps > factor && steps % factor != 0)
        refuse("be a multiple of argument #1 (factor) when steps>factor");
    if (steps > factor && low == 0 && (factor * factor) % steps != 0)
        refuse("evenly divide the square of argument #1 (factor) when steps>factor and lmag==0");
    if (steps > factor && low > 0 && power(factor, low + 1).value_or(1) % steps != 0)
        refuse("evenly divide pow(argument #1 (factor), lmag (argument #2) + 1) when steps>factor and lmag>0");
}

} // namespace

void check_llquantize(Checker& checker, TStmt& call)
{
    Quantizer q{checker, call, "llquantize"};
    q.extra_arguments(6);
    const char* integer_constant = "an integer constant";
    const auto is_16_bit = [](int64_t value) { return value >= 0 && value <= UINT16_MAX; };
    const int64_t factor = q.constant(1, "D_LLQUANT_FACTORTYPE", integer_constant);
    if (factor < 2 || factor > UINT16_MAX)
        q.fail("D_LLQUANT_FACTORVAL", "argument #1 must be an unsigned 16-bit quantity greater than or equal to 2");
    const int64_t low = q.constant(2, "D_LLQUANT_LMAGTYPE", integer_constant);
    if (!is_16_bit(low))
        q.fail("D_LLQUANT_LMAGVAL", "argument #2 must be an unsigned 16-bit quantity");
    const int64_t high = q.constant(3, "D_LLQUANT_HMAGTYPE", integer_constant);
    if (!is_16_bit(high))
        q.fail("D_LLQUANT_HMAGVAL", "argument #3 must be an unsigned 16-bit quantity");
    if (high < low)
        q.fail("D_LLQUANT_HMAGVAL", "argument #3 (high magnitude) must be at least argument #2 (low magnitude)");
    if (!power(static_cast<uint64_t>(factor), high + 1))
        q.fail("D_LLQUANT_HMAGVAL", "argument #3 (high magnitude) will cause overflow of 64 bits");
    const char* positive = "a non-zero positive integer constant";
    const int64_t steps = q.constant(4, "D_LLQUANT_STEPTYPE", positive);
    if (steps <= 0)
        q.fail("D_LLQUANT_STEPTYPE", std::string("argument #4 must be ") + positive);
    if (steps > UINT16_MAX)
        q.fail("D_LLQUANT_STEPVAL", "argument #4 must be an unsigned 16-bit quantity");
    check_llquantize_steps(q, static_cast<uint64_t>(factor), low, static_cast<uint64_t>(steps));
    q.match({factor, low, high, steps}, {{"D_LLQUANT_MATCHFACTOR", "factor"},
                                         {"D_LLQUANT_MATCHLMAG", "lmag"},
                                         {"D_LLQUANT_MATCHHMAG", "hmag"},
                                         {"D_LLQUANT_MATCHSTEPS", "steps"}});
}

void check_hquantize(Checker& checker, TStmt& call)
{
    Quantizer q{checker, call, "hquantize"};
    q.extra_arguments(3);
    const int64_t schema = q.constant(1, "D_HQUANT_SCHEMATYPE", "an integer constant");
    if (schema < 0 || schema > DT_HQUANTIZE_MAX_SCHEMA)
        q.fail("D_HQUANT_SCHEMAVAL",
               "argument #1 (schema) must be from 0 to " + std::to_string(DT_HQUANTIZE_MAX_SCHEMA));
    q.match({schema}, {{"D_HQUANT_MATCHSCHEMA", "schema"}});
}

namespace {

/// Returns the aggregating function that tseries() applies to the values of an interval.
AggKind interval_function(const Quantizer& q)
{
    const TExpr& name = *q.call.args[3];
    if (name.op != TOp::String)
        q.fail("D_TSERIES_FUNCTYPE", "argument #3 must be a string constant");
    for (const AggFunction& each : agg_functions())
        if (each.name == name.text && is_interval_function(each.kind))
            return each.kind;
    q.fail("D_TSERIES_FUNCVAL", "argument #3 must be \"sum\", \"avg\", \"min\", \"max\" or \"count\", not \"" +
                                    std::string(name.text) + "\"");
}

} // namespace

void check_tseries(Checker& checker, TStmt& call)
{
    Quantizer q{checker, call, "tseries"};
    const int64_t interval = q.constant(1, "D_TSERIES_INTTYPE", "an integer constant");
    if (interval <= 0)
        q.fail("D_TSERIES_INTVAL", "argument #1 (interval in nanoseconds) must be positive");
    const int64_t count = q.constant(2, "D_TSERIES_COUNTTYPE", "an integer constant");
    const AggKind function = interval_function(q);
    const int64_t most = function == AggKind::Avg ? DT_TSERIES_MAX_AVG : DT_TSERIES_MAX;
    if (count < 1 || count > most)
        q.fail("D_TSERIES_COUNTVAL", "argument #2 (number of intervals) must be from 1 to " + std::to_string(most) +
                                         (function == AggKind::Avg ? " with \"avg\"" : ""));
    const std::vector<int64_t>& expected = q.aggregation().parameters;
    if (expected.size() == 3 && expected[2] != static_cast<int64_t>(function)) {
        const auto name_of = [](int64_t kind) {
            const auto functions = agg_functions();
            return std::string(std::find_if(functions.begin(), functions.end(), [kind](const AggFunction& each) {
                                   return each.kind == static_cast<AggKind>(kind);
                               })->name);
        };
        q.fail("D_TSERIES_MATCHFUNC", "function (argument #3) doesn't match previous declaration: expected \"" +
                                          name_of(expected[2]) + "\", found \"" +
                                          name_of(static_cast<int64_t>(function)) + "\"");
    }
    q.match({interval, count, static_cast<int64_t>(function)},
            {{"D_TSERIES_MATCHINT", "interval"}, {"D_TSERIES_MATCHCOUNT", "number of intervals"}});
}

// Checks #pragma D metric and derives default names.
//
// Metrics systems such as Prometheus have rules for names that D does not have: a unit ends the name, some suffixes
// denote a kind of sample, and some labels are reserved. A name in a pragma that breaks a rule is an error; a default
// name is changed to follow the rules.

namespace {

/// Suffixes of sample names that OpenMetrics reserves (section Suffixes of its specification).
constexpr std::string_view kSampleEnds[] = {"_total",   "_count", "_sum",    "_bucket",
                                            "_created", "_info",  "_gcount", "_gsum"};
/// Units that metrics systems export as a base unit, such as seconds. `decimals` is the number of decimal places by
/// which values are shifted.
constexpr struct {
    std::string_view unit, exposed_name;
    unsigned decimals;
} kParts[] = {{"nanoseconds", "seconds", 9}, {"microseconds", "seconds", 6}, {"milliseconds", "seconds", 3}};

bool is_metric_word(std::string_view text)
{
    constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    return !text.empty() && kLetters.find(text.front()) != std::string_view::npos &&
           text.find_first_not_of(std::string(kLetters) + "0123456789") == std::string_view::npos;
}

std::string_view sample_end_of(std::string_view name)
{
    const auto* const found = std::find_if(std::begin(kSampleEnds), std::end(kSampleEnds),
                                           [name](std::string_view end) { return name.ends_with(end); });
    return found == std::end(kSampleEnds) ? std::string_view() : *found;
}

std::vector<std::string_view> parts_at_commas(std::string_view text)
{
    std::vector<std::string_view> parts;
    for (std::size_t comma = 0; comma != std::string_view::npos; text.remove_prefix(comma + 1)) {
        comma = text.find(',');
        parts.push_back(text.substr(0, comma));
        if (comma == std::string_view::npos)
            break;
    }
    return parts;
}

bool is_quantizing(AggKind kind)
{
    return kind == AggKind::Quantize || kind == AggKind::Lquantize || kind == AggKind::Llquantize ||
           kind == AggKind::Hquantize;
}

bool is_stack_key(const AggKey& key)
{
    return key.type->resolve()->kind == TypeKind::Stack;
}

/// Returns a readable name for a key, made from its expression, or an empty string.
std::string name_of_key(const ast::Expr& key)
{
    using Kind = ast::ExprKind;
    std::string name;
    switch (key.kind) {
    case Kind::Identifier:
    case Kind::Self:
    case Kind::This:
    case Kind::Member:
    case Kind::Arrow:
        name = key.text;
        break;
    case Kind::Index:
        name = name_of_key(*key.kids[0]);
        if (key.kids.size() == 2 && key.kids[1]->kind == Kind::Integer)
            name += std::to_string(key.kids[1]->number);
        break;
    case Kind::Call:
    case Kind::Unary:
    case Kind::Cast:
    case Kind::Stringof:
        name = key.kids.empty() ? "" : name_of_key(*key.kids[0]);
        break;
    default:
        break;
    }
    name = name.substr(name.rfind('`') + 1); // removes the module from a symbol's name, module`symbol
    return is_metric_word(name) ? name : "";
}

} // namespace

void Metrics::fail_at(const Declared& declared, std::string_view word, const std::string& message)
{
    const auto place = declared.places.find(word);
    fail("D_PRAGMA_INVAL", place == declared.places.end() ? declared.at : place->second, message);
}

void Metrics::process(const ast::Pragma& pragma)
{
    if (pragma.words.size() < 2 || pragma.words.size() != pragma.places.size())
        fail("D_PRAGMA_MALFORM", pragma.at, "malformed #pragma metric: expected @<aggregation> <word>=<value> ...");
    const std::string name = pragma.words[0] == "@" ? "_" : pragma.words[0].substr(1);
    Declared declared;
    declared.at = pragma.at;
    for (std::size_t i = 1; i < pragma.words.size(); ++i) {
        const std::string_view text = pragma.words[i];
        const std::size_t is = text.find('=');
        if (is == std::string_view::npos)
            fail("D_PRAGMA_MALFORM", pragma.places[i], "malformed #pragma metric: " + pragma.words[i] + " has no value",
                 "write name=NAME, unit=UNIT, label=NAME,..., type=counter or gauge, range=LOW,HIGH or help=\"TEXT\"");
        const Word word{text.substr(0, is), text.substr(is + 1), pragma.places[i]};
        if (!declared.places.emplace(word.name, word.at).second)
            fail("D_PRAGMA_INVAL", word.at, "#pragma metric has " + std::string(word.name) + "= twice");
        take(declared, word);
    }
    if (!declared_.try_emplace(name, std::move(declared)).second)
        fail("D_PRAGMA_INVAL", pragma.at, "two #pragma metric for " + pragma.words[0]);
}

void Metrics::take(Declared& into, const Word& word)
{
    Metric& metric = into.metric;
    if (word.name == "name")
        return take_name(metric, word);
    if (word.name == "unit")
        return take_unit(metric, word);
    if (word.name == "label")
        return take_labels(metric, word);
    if (word.name == "range")
        return take_range(metric, word);
    if (word.name == "help") {
        metric.help = word.value;
        return;
    }
    if (word.name != "type")
        fail("D_PRAGMA_INVAL", word.at, "#pragma metric does not know " + std::string(word.name) + "=",
             "it takes name=, unit=, label=, type=, range= and help=");
    if (word.value != "counter" && word.value != "gauge")
        fail("D_PRAGMA_INVAL", word.at, "the type of a metric is counter or gauge, not " + std::string(word.value));
    metric.type = word.value == "counter" ? Metric::Type::Counter : Metric::Type::Gauge;
}

void Metrics::take_name(Metric& metric, const Word& word)
{
    std::string_view name = word.value;
    if (!is_metric_word(name))
        fail("D_PRAGMA_INVAL", word.at,
             "the name of a metric may only contain letters, digits and _; this one is '" + std::string(name) + "'");
    if (name.ends_with("_total")) // the exporter appends this suffix to the names of counters
        name.remove_suffix(6);
    if (const std::string_view end = sample_end_of(name); !end.empty() || name.empty())
        fail("D_PRAGMA_INVAL", word.at,
             "the name of a metric may not end with " + std::string(end) +
                 ", which is reserved for the names of its samples");
    if (Metric::is_taken_name(name))
        fail("D_PRAGMA_INVAL", word.at,
             std::string(name) + " is the name of a metric that dtrace always exports: choose another name");
    metric.name = name;
}

void Metrics::take_unit(Metric& metric, const Word& word)
{
    if (!is_metric_word(word.value))
        fail("D_PRAGMA_INVAL", word.at,
             "a unit may only contain letters, digits and _; this one is '" + std::string(word.value) + "'");
    metric.unit = word.value;
    for (const auto& part : kParts)
        if (part.unit == word.value) {
            metric.unit = part.exposed_name;
            metric.decimals = part.decimals;
        }
}

void Metrics::take_labels(Metric& metric, const Word& word)
{
    for (const std::string_view part : parts_at_commas(word.value)) {
        const std::string label(part);
        if (!is_metric_word(label) || Metric::is_taken_label(label))
            fail("D_PRAGMA_INVAL", word.at,
                 "a label may only contain letters, digits and _, and may not be le, quantile or start with __; this "
                 "one is '" +
                     label + "'");
        if (std::find(metric.labels.begin(), metric.labels.end(), label) != metric.labels.end())
            fail("D_PRAGMA_INVAL", word.at, "two labels have the name " + label);
        metric.labels.push_back(label);
    }
}

void Metrics::take_range(Metric& metric, const Word& word)
{
    const auto parts = parts_at_commas(word.value);
    int64_t numbers[2] = {};
    bool valid = parts.size() == 2;
    for (std::size_t i = 0; valid && i < 2; ++i) {
        const auto [end, error] = std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(), numbers[i]);
        valid = error == std::errc() && end == parts[i].data() + parts[i].size() && !parts[i].empty();
    }
    if (!valid || numbers[0] > numbers[1])
        fail("D_PRAGMA_INVAL", word.at,
             "range takes two integers, the lower one first, as range=0,1048575, not " + std::string(word.value));
    metric.range = {numbers[0], numbers[1]};
}

void Metrics::note_use(Aggregation& aggregation, const ast::Expr& target, const TStmt& use)
{
    if (aggregation.key_names.size() != aggregation.keys.size())
        for (std::size_t i = 0; i < aggregation.keys.size(); ++i)
            aggregation.key_names.push_back(i < aggregation.given_keys ? name_of_key(*target.kids[i + 1]) : "chain");
    if (aggregation.function->kind == AggKind::Count || use.args.empty())
        return;
    const TExpr& value = *use.args[0];
    const Type* const type = value.type->resolve();
    const bool is_natural = value.op == TOp::Integer && value.value >= 0;
    aggregation.is_signed |= value.type->is_integer() && type->is_signed && !is_natural;
}

void Metrics::finish(bool is_whole)
{
    for (Aggregation& aggregation : program.aggregations) {
        const auto found = declared_.find(aggregation.name);
        aggregation.metric = found == declared_.end() ? Metric{} : found->second.metric;
        try {
            if (found != declared_.end() && !std::exchange(found->second.is_used, true))
                check(aggregation, found->second);
        } catch (const Failure&) {
            continue;
        }
        if (aggregation.function)
            complete(aggregation);
    }
    for (auto& [name, declared] : declared_)
        if (is_whole && !std::exchange(declared.is_used, true))
            checker.reports.report("D_PRAGMA_UNUSED", declared.at,
                                   "unused #pragma metric for @" + (name == "_" ? std::string() : name));
}

/// Checks the settings of #pragma D metric against the properties of the aggregation.
void Metrics::check(const Aggregation& aggregation, const Declared& declared)
{
    const AggKind kind = aggregation.function->kind;
    const std::string name = std::string(aggregation.function->name) + "()";
    if (declared.metric.type != Metric::Type::OfFunction && kind != AggKind::Sum)
        fail_at(declared, "type", "type= is only for sum(): the type of " + name + " is fixed");
    if (declared.metric.range && !is_quantizing(kind))
        fail_at(declared, "range", "range= is only for functions with buckets, and " + name + " has none");
    const auto labels = static_cast<std::size_t>(std::count_if(aggregation.keys.begin(), aggregation.keys.end(),
                                                               [](const AggKey& key) { return !is_stack_key(key); }));
    if (!declared.metric.labels.empty() && declared.metric.labels.size() != labels)
        fail_at(declared, "label",
                "label= has " + std::to_string(declared.metric.labels.size()) + " names, and @" + aggregation.name +
                    " has " + std::to_string(labels) + " keys that are not stacks");
    for (const auto& [other, its] : declared_)
        if (&its != &declared && its.is_used && !declared.metric.name.empty() &&
            its.metric.name == declared.metric.name)
            fail_at(declared, "name", "@" + other + " already has the metric name " + declared.metric.name);
}

void Metrics::complete(Aggregation& aggregation)
{
    Metric& metric = aggregation.metric;
    metric.is_signed = aggregation.is_signed;
    const AggKind kind = aggregation.function->kind;
    // The values of breakdown() and blame() are times in nanoseconds. They are exported in seconds unless the pragma
    // sets a unit.
    if ((kind == AggKind::Breakdown || kind == AggKind::Blame) && metric.unit.empty()) {
        metric.unit = kParts[0].exposed_name;
        metric.decimals = kParts[0].decimals;
    }
    // The values of hquantize() cannot be scaled, because the bounds of its buckets are powers in the unit of the
    // values. So they are exported in the unit that the pragma sets, such as nanoseconds instead of seconds.
    if (aggregation.function->kind == AggKind::Hquantize)
        for (const auto& part : kParts)
            if (metric.decimals == part.decimals) {
                metric.unit = part.unit;
                metric.decimals = 0;
            }
    const std::string function(aggregation.function->name);
    const std::string name = aggregation.name == "_" ? function : aggregation.name;
    if (metric.name.empty()) {
        metric.name = "dtrace_" + name;
        for (std::string_view end = sample_end_of(metric.name); !end.empty() && metric.name != "dtrace_" + function;
             end = sample_end_of(metric.name))
            metric.name.resize(metric.name.size() - end.size());
    }
    if (!metric.unit.empty() && !metric.name.ends_with("_" + metric.unit))
        metric.name += "_" + metric.unit;
    const bool is_taken = Metric::is_taken_name(metric.name);
    for (const Aggregation& other : program.aggregations)
        if (other.id < aggregation.id ? other.metric.name == metric.name : other.id == aggregation.id && is_taken)
            metric.name.insert(metric.name.size() - (metric.unit.empty() ? 0 : metric.unit.size() + 1),
                               "_" + std::to_string(aggregation.id));
    if (metric.help.empty())
        metric.help = "@" + (aggregation.name == "_" ? std::string() : aggregation.name) + " = " + function + "()";

    std::vector<std::string> given = std::exchange(metric.labels, {});
    std::set<std::string, std::less<>> taken;
    std::size_t next = 0;
    for (std::size_t i = 0; i < aggregation.keys.size(); ++i) {
        std::string& label = metric.labels.emplace_back();
        if (is_stack_key(aggregation.keys[i]))
            continue;
        label = next < given.size() ? given[next++] : aggregation.key_names[i];
        if (label.empty() || Metric::is_taken_label(label) || taken.contains(label))
            label = "key" + std::to_string(i + 1);
        while (taken.contains(label)) // repeats until the label of no other key is equal
            label += '_';
        taken.insert(label);
    }
}

} // namespace dt::sema
