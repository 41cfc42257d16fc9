#include "test/verify/differential/observe.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <limits>

#include "bpf-runtime/abi.h"
#include "libdtrace/results/aggregation.hpp"

namespace dt::differential {

namespace {

constexpr std::size_t kContextWords = 12;

template <typename T> T at(const uint8_t* from)
{
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

Value read_datum(const Datum& datum, const uint8_t* base)
{
    const uint8_t* from = base + datum.offset;
    if (datum.kind == Datum::Kind::Text) {
        const uint8_t* end = std::find(from, from + datum.size, 0);
        return {kText, 0, std::string(from, end)};
    }
    uint64_t raw = 0;
    std::memcpy(&raw, from, std::min<std::size_t>(datum.size, 8));
    TypeId type = 0;
    for (TypeId t = 0; t < kText; ++t)
        if (kIntegers[t].bits == datum.size * 8 && kIntegers[t].is_signed == (datum.kind == Datum::Kind::Signed))
            type = t;
    return {type, narrow(static_cast<int64_t>(raw), type), {}};
}

Result<void> read_sample(const Bytes& bytes, const Schema& schema, Outcome& outcome)
{
    if (bytes.size() < sizeof(dt_sample))
        return Error{"a sample of " + std::to_string(bytes.size()) + " bytes"};
    const auto head = at<dt_sample>(bytes.data());
    const uint8_t* data = bytes.data() + sizeof(dt_sample);
    if (head.size > bytes.size())
        return Error{"a sample is shorter than it says"};
    if (head.stmt == DT_STMT_FAULT) {
        const auto fault = at<dt_fault>(data);
        if (fault.stmt >= outcome.clauses.size())
            return Error{"a fault of clause " + std::to_string(fault.stmt)};
        outcome.clauses[fault.stmt].fault = fault.code;
        return {};
    }
    if (head.stmt >= outcome.clauses.size())
        return Error{"a sample of clause " + std::to_string(head.stmt)};
    const StatementSchema& statement = schema.statements[head.stmt];
    const uint64_t guards = statement.guard_offset < 0 ? 0 : at<uint64_t>(data + statement.guard_offset);
    ClauseOutcome& clause = outcome.clauses[head.stmt];
    for (const Record& record : statement.records) {
        if (record.guard >= 0 && !(guards >> record.guard & 1))
            continue;
        for (const Datum& datum : record.data) {
            if (sizeof(dt_sample) + datum.offset + datum.size > bytes.size())
                return Error{"a datum lies outside its sample"};
            clause.values.push_back(read_datum(datum, data));
        }
    }
    return {};
}

/// Merges the values of all CPUs, as the consumer does. Zeros need no special case, because abi.h makes them the
/// initial value of each aggregating function.
std::vector<int64_t> join(const AggregationSchema& schema, const std::vector<Bytes>& values, std::size_t offset)
{
    const dt::AggKind kind = schema.function->kind;
    const bool extreme = kind == dt::AggKind::Min || kind == dt::AggKind::Max;
    std::vector<int64_t> words(schema.words), of_cpu(schema.words);
    for (const Bytes& value : values) {
        if (kind == dt::AggKind::Avg || kind == dt::AggKind::Stddev) {
            std::memcpy(of_cpu.data(), value.data() + offset, of_cpu.size() * sizeof of_cpu[0]);
            output::add_sums(words, of_cpu);
            continue;
        }
        for (std::size_t i = 0; i < words.size(); ++i) {
            const auto word = at<uint64_t>(value.data() + offset + 8 * i), sum = static_cast<uint64_t>(words[i]);
            words[i] = static_cast<int64_t>(extreme ? std::max(word, sum) : word + sum);
        }
    }
    const auto first = static_cast<uint64_t>(words[0]);
    if (schema.function->kind == dt::AggKind::Min)
        words[0] = static_cast<int64_t>(static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) - first);
    if (schema.function->kind == dt::AggKind::Max)
        words[0] = static_cast<int64_t>(first ^ uint64_t{1} << 63);
    return words;
}

Result<void> read_aggregation(Runner& runner, const AggregationSchema& schema, Entries& entries)
{
    const bool keyed = schema.key_size != 0;
    const dt::CpuElements elements(schema);
    std::map<std::vector<std::string>, std::vector<Bytes>> found; // the values of all CPUs, by key
    const Result<void> read = runner.entries(schema.map, [&](const Bytes& map_key, const std::vector<Bytes>& values) {
        std::vector<std::string> parts;
        const Bytes& key = schema.digested ? values[0] : map_key;
        if (keyed)
            for (const Datum& datum : schema.keys)
                parts.push_back(key_text(read_datum(datum, key.data())));
        else if (std::none_of(values.begin(), values.end(),
                              [&](const Bytes& v) { return at<uint64_t>(v.data() + schema.offset) != 0; }))
            return;
        found[parts].insert(found[parts].end(), values.begin(), values.end());
    });
    for (const auto& [parts, values] : found)
        entries[parts] = join(schema, values,
                              schema.digested ? elements.words_offset()
                              : keyed         ? 0
                                              : schema.offset + 8);
    return read;
}

/// Reads the counters of losses. Only faults in clauses of ERROR may be lost.
Result<void> read_losses(Runner& runner, Outcome& outcome)
{
    dt_losses sum{};
    auto read = runner.entries(DT_MAP_LOSSES, [&](const Bytes&, const std::vector<Bytes>& values) {
        const auto losses = at<dt_losses>(values[0].data());
        sum.double_error += losses.double_error;
        sum.principal += losses.principal + losses.aggregation + losses.dynamic + losses.speculation + losses.nesting;
    });
    outcome.double_errors = sum.double_error;
    return read.ok() && sum.principal ? Result<void>(Error{kEventsLost}) : read;
}

std::string told(const ClauseOutcome& clause)
{
    if (clause.fault)
        return "fault " + std::to_string(clause.fault);
    std::string text = clause.values.empty() ? "nothing" : "";
    for (const Value& v : clause.values)
        text += (text.empty() ? "" : ", ") + to_string(v);
    return text;
}

std::string told(const Entries& entries)
{
    std::string text;
    for (const auto& [key, words] : entries) {
        text += "[";
        for (const std::string& part : key)
            text += part + ",";
        text += "]=";
        for (std::size_t i = 0; i < words.size(); ++i)
            if (words[i] || i < 4)
                text += std::to_string(i) + ":" + std::to_string(words[i]) + " ";
    }
    return text.empty() ? "nothing" : text;
}

} // namespace

Result<Outcome> observe(Runner& runner, const Object& object, std::size_t clauses)
{
    if (auto done = runner.run(object, kContextWords); !done)
        return done.error();
    Outcome outcome;
    outcome.clauses.resize(clauses);
    for (const Bytes& sample : runner.samples())
        if (auto read = read_sample(sample, object.schema, outcome); !read)
            return read.error();
    if (auto read = read_losses(runner, outcome); !read)
        return read.error();
    outcome.aggregations.resize(3);
    for (const AggregationSchema& schema : object.schema.aggregations) {
        Entries& entries = outcome.aggregations[static_cast<std::size_t>(schema.name[0] - 'x')];
        if (auto read = read_aggregation(runner, schema, entries); !read)
            return read.error();
    }
    return outcome;
}

std::optional<std::string> difference(const Outcome& expected, const Outcome& seen)
{
    for (std::size_t i = 0; i < expected.clauses.size(); ++i) {
        const ClauseOutcome &want = expected.clauses[i], &have = seen.clauses[i];
        if (want.fault != have.fault || want.values != have.values)
            return "clause " + std::to_string(i) + ": expected " + told(want) + "\n          seen     " + told(have);
    }
    if (expected.double_errors != seen.double_errors)
        return "faults in ERROR: expected " + std::to_string(expected.double_errors) + ", seen " +
               std::to_string(seen.double_errors);
    for (std::size_t i = 0; i < expected.aggregations.size(); ++i)
        if (expected.aggregations[i] != seen.aggregations[i])
            return "aggregation " + std::to_string(i) + ": expected " + told(expected.aggregations[i]) +
                   "\n               seen     " + told(seen.aggregations[i]);
    return std::nullopt;
}

} // namespace dt::differential
