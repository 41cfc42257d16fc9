// Checks #pragma D metric and derives default names.
//
// Metrics systems have rules for names that D lacks: a unit ends the name, some suffixes mean a kind of sample, and
// some labels are reserved. Violations in a pragma are errors; default names are changed so that they comply.
#include "dcompiler/sema/metrics.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <utility>

#include "dcompiler/sema/builtins.hpp"
#include "dcompiler/sema/checker.hpp"

namespace dt::sema {
namespace {

/// Suffixes of sample names (OpenMetrics, Suffixes).
constexpr std::string_view kSampleEnds[] = {"_total",   "_count", "_sum",    "_bucket",
                                            "_created", "_info",  "_gcount", "_gsum"};
/// Units that are exported as a base unit, with the decimal shift.
constexpr struct {
    std::string_view unit, told;
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

/// Returns a readable name for a key expression, or an empty string.
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
    name = name.substr(name.rfind('`') + 1); // removes the module in module`symbol
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
        fail("D_PRAGMA_INVAL", word.at, "#pragma metric has no " + std::string(word.name) + "=",
             "there are name=, unit=, label=, type=, range= and help=");
    if (word.value != "counter" && word.value != "gauge")
        fail("D_PRAGMA_INVAL", word.at, "a metric is of type counter or gauge, not " + std::string(word.value));
    metric.type = word.value == "counter" ? Metric::Type::Counter : Metric::Type::Gauge;
}

void Metrics::take_name(Metric& metric, const Word& word)
{
    std::string_view name = word.value;
    if (!is_metric_word(name))
        fail("D_PRAGMA_INVAL", word.at,
             "the name of a metric has letters, digits and _, and this is '" + std::string(name) + "'");
    if (name.ends_with("_total")) // a suffix that every counter gets
        name.remove_suffix(6);
    if (const std::string_view end = sample_end_of(name); !end.empty() || name.empty())
        fail("D_PRAGMA_INVAL", word.at,
             "the name of a metric may not end with " + std::string(end) + ", which is of its samples");
    if (Metric::is_taken_name(name))
        fail("D_PRAGMA_INVAL", word.at, std::string(name) + " is told beside every metric");
    metric.name = name;
}

void Metrics::take_unit(Metric& metric, const Word& word)
{
    if (!is_metric_word(word.value))
        fail("D_PRAGMA_INVAL", word.at,
             "a unit has letters, digits and _, and this is '" + std::string(word.value) + "'");
    metric.unit = word.value;
    for (const auto& part : kParts)
        if (part.unit == word.value) {
            metric.unit = part.told;
            metric.decimals = part.decimals;
        }
}

void Metrics::take_labels(Metric& metric, const Word& word)
{
    for (const std::string_view part : parts_at_commas(word.value)) {
        const std::string label(part);
        if (!is_metric_word(label) || Metric::is_taken_label(label))
            fail("D_PRAGMA_INVAL", word.at,
                 "a label has letters, digits and _, and is not le, quantile or __...: this is '" + label + "'");
        if (std::find(metric.labels.begin(), metric.labels.end(), label) != metric.labels.end())
            fail("D_PRAGMA_INVAL", word.at, "two labels are called " + label);
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
             "range is two integers, the lower first: range=0,1048575, not " + std::string(word.value));
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

/// Checks a pragma against the properties of its aggregation.
void Metrics::check(const Aggregation& aggregation, const Declared& declared)
{
    const AggKind kind = aggregation.function->kind;
    const std::string name = std::string(aggregation.function->name) + "()";
    if (declared.metric.type != Metric::Type::OfFunction && kind != AggKind::Sum)
        fail_at(declared, "type", "type= is for sum(): " + name + " has its own");
    if (declared.metric.range && !is_quantizing(kind))
        fail_at(declared, "range", "range= is for functions with buckets, and " + name + " has none");
    const auto labels = static_cast<std::size_t>(std::count_if(aggregation.keys.begin(), aggregation.keys.end(),
                                                               [](const AggKey& key) { return !is_stack_key(key); }));
    if (!declared.metric.labels.empty() && declared.metric.labels.size() != labels)
        fail_at(declared, "label",
                "label= has " + std::to_string(declared.metric.labels.size()) + " names, and @" + aggregation.name +
                    " has " + std::to_string(labels) + " keys that are no stacks");
    for (const auto& [other, its] : declared_)
        if (&its != &declared && its.is_used && !declared.metric.name.empty() &&
            its.metric.name == declared.metric.name)
            fail_at(declared, "name", "@" + other + " is metric " + declared.metric.name + " already");
}

void Metrics::complete(Aggregation& aggregation)
{
    Metric& metric = aggregation.metric;
    metric.is_signed = aggregation.is_signed;
    const AggKind kind = aggregation.function->kind;
    if ((kind == AggKind::Breakdown || kind == AggKind::Blame) && metric.unit.empty()) { // D measures time in ns
        metric.unit = kParts[0].told;
        metric.decimals = kParts[0].decimals;
    }
    if (aggregation.function->kind == AggKind::Hquantize) // its bounds are powers of the values' unit
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
        while (taken.contains(label)) // another key already has this label
            label += '_';
        taken.insert(label);
    }
}

} // namespace dt::sema
