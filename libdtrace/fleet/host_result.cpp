// Parses the messages of one host, and merges its aggregations into the merged tables of all hosts. The binary layout
// of a merged table is chosen only when the table is printed. The depth of its stacks and the order of its texts are
// not known earlier.
#include "libdtrace/fleet/host_result.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "libdtrace/aggregations/aggregate.hpp"

namespace dt::consume {
namespace {

using output::SnapshotMessage;
using output::SnapshotReader;

constexpr uint64_t kMaxAggregations = 4096;

/// Reads an aggregation value's words and returns them as bytes. Returns an empty string if the message is damaged.
std::string take_words(SnapshotReader& reader, const SentAggregation& sent)
{
    std::vector<int64_t> words(sent.words);
    const char* const begin = reader.place();
    const std::size_t before = reader.left();
    reader.words(words, sent.is_sparse);
    return reader.good() ? std::string(begin, before - reader.left()) : std::string();
}

std::vector<int64_t> sent_words(const std::string& bytes, const SentAggregation& sent)
{
    std::vector<int64_t> words(sent.words);
    SnapshotReader(bytes).words(words, sent.is_sparse);
    return words;
}

} // namespace

void HostResult::read(std::string_view bytes, const Handlers& handlers)
{
    if (state_ != State::Begun)
        return;
    SnapshotReader reader(bytes);
    if (reader.number() != next_line_++)
        return end(State::Broken, has_head_ ? "lines are missing" : "its beginning is missing");
    while (!reader.at_end() && state_ == State::Begun) {
        const auto letter = static_cast<SnapshotMessage>(reader.letter());
        if (has_head_ == (letter == SnapshotMessage::Head))
            return end(State::Broken, "its lines are out of order");
        read_message(letter, reader, handlers);
    }
    if (!reader.good() && state_ == State::Begun)
        end(State::Broken, "a line is damaged");
}

void HostResult::read_message(SnapshotMessage letter, SnapshotReader& reader, const Handlers& handlers)
{
    switch (letter) {
    case SnapshotMessage::Head:
        return read_head(reader);
    case SnapshotMessage::Aggregation: {
        const auto id = static_cast<uint32_t>(reader.number());
        auto sent = SentAggregation::read(reader);
        if (!sent)
            return end(State::Refused, sent.error().message);
        if (aggregations_.size() >= kMaxAggregations || aggregations_.contains(id))
            return reader.fail();
        aggregations_.emplace(id, ReceivedAggregation{std::move(sent.value()), {}, {}, {}});
        return;
    }
    case SnapshotMessage::Divisor:
        if (ReceivedAggregation* const received = find(reader))
            received->divisor = reader.integer();
        return;
    case SnapshotMessage::Keys:
        if (ReceivedAggregation* const received = find(reader))
            read_keys(*received, reader);
        return;
    case SnapshotMessage::Values:
        if (ReceivedAggregation* const received = find(reader))
            read_values(*received, reader);
        return;
    case SnapshotMessage::Removed:
        if (ReceivedAggregation* const received = find(reader))
            read_removed(*received, reader);
        return;
    case SnapshotMessage::Gone:
        if (ReceivedAggregation* const received = find(reader))
            received->expired = reader.number() != 0 ? take_words(reader, received->sent) : std::string();
        return;
    case SnapshotMessage::Time:
        wall(reader.number());
        return;
    case SnapshotMessage::Print:
        return read_print(reader, handlers);
    case SnapshotMessage::Options: {
        const uint64_t bits = reader.number();
        for (std::size_t i = 0; i < std::size(output::kSnapshotOptions); ++i)
            handlers.option(output::kSnapshotOptions[i], (bits >> i) & 1);
        for (const std::string_view name : {"aggsortpos", "aggsortkeypos"})
            handlers.option(name, reader.number());
        return;
    }
    case SnapshotMessage::Heading:
        return handlers.heading(reader.text());
    case SnapshotMessage::Record: {
        const int64_t time = wall(reader.number());
        reader.number(); // skips the CPU number, which the merged output does not contain
        if (const std::string_view text = reader.text(); reader.good())
            handlers.record(time, text);
        return;
    }
    case SnapshotMessage::Loss:
        return read_loss(reader);
    case SnapshotMessage::Arrived:
        arrived_ = reader.number();
        arrived_ += reader.number();
        return;
    case SnapshotMessage::End:
        state_ = State::Complete;
        return;
    }
    reader.fail();
}

void HostResult::read_head(SnapshotReader& reader)
{
    if (reader.number() != output::kSnapshotVersion)
        return end(State::Refused, "it was written by another version of dtrace");
    own_name_ = reader.text();
    program_ = reader.number();
    clock_offset_ = static_cast<uint64_t>(reader.integer());
    clock_error_ = reader.number();
    has_head_ = true;
}

HostResult::ReceivedAggregation* HostResult::find(SnapshotReader& reader)
{
    const auto found = aggregations_.find(static_cast<uint32_t>(reader.number()));
    if (found == aggregations_.end())
        reader.fail();
    return found != aggregations_.end() ? &found->second : nullptr;
}

void HostResult::read_keys(ReceivedAggregation& received, SnapshotReader& reader)
{
    for (uint64_t count = reader.number(); count > 0 && reader.good(); --count) {
        const char* const begin = reader.place();
        const std::size_t before = reader.left();
        if (!received.sent.skip_key(reader))
            return;
        if (++key_count_ > max_keys_)
            return end(State::Refused, "it has more than " + std::to_string(max_keys_) + " keys");
        received.keys.push_back(keys_.number_of({begin, before - reader.left()}));
        received.values.emplace_back();
    }
}

void HostResult::read_values(ReceivedAggregation& received, SnapshotReader& reader)
{
    uint64_t key = 0;
    for (uint64_t count = reader.number(); count > 0 && reader.good(); --count) {
        key += static_cast<uint64_t>(reader.integer());
        if (key >= received.values.size())
            return reader.fail();
        received.values[key] = take_words(reader, received.sent);
    }
}

void HostResult::read_removed(ReceivedAggregation& received, SnapshotReader& reader)
{
    for (uint64_t count = reader.number(); count > 0 && reader.good(); --count) {
        const uint64_t key = reader.number();
        if (key >= received.values.size())
            return reader.fail();
        received.values[key] = {};
    }
}

void HostResult::read_print(SnapshotReader& reader, const Handlers& handlers)
{
    Print print;
    const uint64_t time = reader.number();
    print.time = time != 0 ? wall(time) : last_time_;
    const uint64_t how = reader.number();
    print.format = reader.text();
    if (how > static_cast<uint64_t>(output::SnapshotPrint::AtEnd))
        return reader.fail();
    print.how = static_cast<output::SnapshotPrint>(how);
    for (uint64_t count = reader.number(); count > 0 && reader.good(); --count) {
        const auto id = static_cast<uint32_t>(reader.number());
        if (!aggregations_.contains(id) || print.ids.size() >= kMaxAggregations)
            return reader.fail();
        aggregations_.at(id).is_printed = true;
        print.ids.push_back(id);
    }
    if (reader.good() && !print.ids.empty())
        handlers.print(print);
}

void HostResult::read_loss(SnapshotReader& reader)
{
    const std::string cause(reader.text());
    Loss& loss = losses_[cause];
    loss.kind = static_cast<output::LossKind>(std::min<uint64_t>(reader.number(), 2));
    loss.count = reader.number();
    for (std::string* text : {&loss.one, &loss.several, &loss.text})
        *text = reader.text();
}

void HostResult::add_to(MergedTable& table, const ReceivedAggregation& received, std::string_view prefix) const
{
    std::string key;
    for (std::size_t i = 0; i < received.keys.size(); ++i) {
        if (received.values[i].empty())
            continue;
        key.assign(prefix).append(keys_.key(received.keys[i]));
        table.add(key, sent_words(received.values[i], received.sent));
    }
    if (!received.expired.empty())
        table.add_expired(sent_words(received.expired, received.sent));
    table.normalize(received.divisor);
}

// Chooses the binary layout of keys at the time of printing, because the maximum depth of stacks and the order of texts
// in keys are not known earlier.

namespace {

using output::SentKind;

constexpr uint64_t kMaxKeyParts = 256, kMaxSentParameters = 16, kMaxSentWords = 1 << 20, kMaxTextSize = 1 << 24;

bool is_sent_number(SentKind kind)
{
    return kind == SentKind::Signed || kind == SentKind::Unsigned;
}

/// Calls `visit` for every text of a key, in order.
template <typename Visit> void each_text(const SentAggregation& sent, std::string_view key, Visit visit)
{
    SnapshotReader reader(key);
    for (const SentAggregation::Part& part : sent.parts) {
        if (is_sent_number(part.kind))
            reader.number();
        else if (part.kind == SentKind::Bytes)
            reader.text();
        else
            for (uint64_t count = part.kind == SentKind::Stack ? reader.number() : 1; count > 0 && reader.good();
                 --count)
                visit(reader.text());
    }
}

uint64_t deepest_stack(const MergedTable& table, std::size_t index)
{
    uint64_t deepest = 0;
    for (const auto& [key, words] : table.entries()) {
        SnapshotReader reader(key);
        for (std::size_t i = 0; i <= index; ++i) {
            const SentKind kind = table.sent().parts[i].kind;
            const uint64_t count = kind == SentKind::Stack ? reader.number() : 1;
            if (i == index)
                deepest = std::max(deepest, count);
            for (uint64_t n = 0; n < count && reader.good(); ++n)
                is_sent_number(kind) ? static_cast<void>(reader.number()) : static_cast<void>(reader.text());
        }
    }
    return deepest;
}

} // namespace

Result<SentAggregation> SentAggregation::read(SnapshotReader& reader)
{
    SentAggregation sent;
    sent.name = reader.text();
    const std::string function(reader.text());
    for (const AggFunction& each : agg_functions())
        if (each.name == function)
            sent.function = &each;
    if (!sent.function)
        return Error{"@" + sent.name + " has an aggregating function that this dtrace does not know: " + function};
    const uint64_t parameters = reader.number();
    for (uint64_t i = 0; i < parameters && i <= kMaxSentParameters && reader.good(); ++i)
        sent.parameters.push_back(reader.integer());
    sent.words = static_cast<uint32_t>(std::min(reader.number(), kMaxSentWords + 1));
    const uint64_t parts = reader.number();
    for (uint64_t i = 0; i < parts && i <= kMaxKeyParts && reader.good(); ++i) {
        const uint64_t kind = reader.number(), size = reader.number();
        if (kind > static_cast<uint64_t>(SentKind::Stack) || size > kMaxTextSize)
            reader.fail();
        sent.parts.push_back({static_cast<SentKind>(kind), static_cast<uint32_t>(size)});
        const bool is_size = size == 1 || size == 2 || size == 4 || size == 8;
        if (is_sent_number(sent.parts.back().kind) && !is_size)
            reader.fail();
    }
    sent.is_sparse = format::is_histogram(sent.function->kind) || sent.function->kind == AggKind::Tseries;
    AggregationSchema schema;
    schema.name = sent.name;
    schema.function = sent.function;
    schema.parameters = sent.parameters;
    schema.words = sent.words;
    if (!reader.good() || parameters > kMaxSentParameters || parts > kMaxKeyParts || sent.words > kMaxSentWords ||
        !AggregationTable::make(schema, false))
        return Error{"the description of @" + sent.name + " is damaged"};
    return sent;
}

std::string SentAggregation::misfit(const SentAggregation& other) const
{
    if (function != other.function || parameters != other.parameters || words != other.words)
        return "@" + name + " has a different aggregating function";
    const auto is_same = [](const Part& a, const Part& b) {
        return a.kind == b.kind && (a.size == b.size || !is_sent_number(a.kind));
    };
    if (!std::equal(parts.begin(), parts.end(), other.parts.begin(), other.parts.end(), is_same))
        return "@" + name + " has different keys";
    return {};
}

bool SentAggregation::skip_key(SnapshotReader& reader) const
{
    for (const Part& part : parts) {
        if (is_sent_number(part.kind))
            reader.number();
        else
            for (uint64_t count = part.kind == SentKind::Stack ? reader.number() : 1; count > 0 && reader.good();
                 --count)
                reader.text();
    }
    return reader.good();
}

void MergedTable::add(std::string_view key, std::span<const int64_t> words)
{
    std::vector<int64_t>& into = entries_[std::string(key)];
    into.resize(sent_.words);
    combine_words(sent_.function->kind, sent_.parameters, into, words);
}

void MergedTable::add_expired(std::span<const int64_t> words)
{
    expired_.resize(sent_.words);
    combine_words(sent_.function->kind, sent_.parameters, expired_, words);
}

void MergedTable::add(const MergedTable& other)
{
    for (const auto& [key, words] : other.entries_)
        add(key, words);
    if (!other.expired_.empty())
        add_expired(other.expired_);
    normalize(other.divisor_);
}

/// A merged aggregation in a binary layout that is large enough for all its keys.
class PrintableTables::Table final : public output::Aggregation {
public:
    Table(const MergedTable& from, const std::vector<std::string>& texts) : own_(schema_of(from))
    {
        schema_ = &own_;
        if (format::is_histogram(own_.function->kind))
            if (auto made = format::HistogramShape::make(own_.function->kind, own_.parameters))
                shape_.emplace(std::move(made.value()));
        divisor = from.divisor();
        expired_words_ = from.expired();
        expired_key_.assign(own_.key_size, 0);
        std::vector<const MergedTable::Entries::value_type*> sorted;
        for (const auto& each : from.entries())
            sorted.push_back(&each);
        std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->first < b->first; });
        for (const auto* each : sorted) {
            keys_.resize((count_ + 1) * own_.key_size);
            fill_key(from.sent(), each->first, texts);
            values_.insert(values_.end(), each->second.begin(), each->second.end());
            ++count_;
        }
    }

private:
    static AggregationSchema schema_of(const MergedTable& from)
    {
        const SentAggregation& sent = from.sent();
        AggregationSchema schema;
        schema.name = sent.name;
        schema.function = sent.function;
        schema.parameters = sent.parameters;
        schema.words = sent.words;
        for (std::size_t i = 0; i < sent.parts.size(); ++i) {
            Datum datum;
            datum.offset = schema.key_size;
            datum.size = sent.parts[i].size;
            switch (sent.parts[i].kind) {
            case SentKind::Signed:
                datum.kind = Datum::Kind::Signed;
                break;
            case SentKind::Unsigned:
                datum.kind = Datum::Kind::Unsigned;
                break;
            case SentKind::Bytes:
                datum.kind = Datum::Kind::Bytes;
                break;
            case SentKind::Text:
                datum.kind = Datum::Kind::Name;
                datum.size = sizeof(uint32_t);
                break;
            case SentKind::Symbol:
                datum.kind = Datum::Kind::Symbol;
                datum.size = sizeof(uint64_t);
                break;
            case SentKind::Stack:
                datum.kind = Datum::Kind::Stack;
                datum.size = static_cast<uint32_t>((deepest_stack(from, i) + 1) * sizeof(uint64_t));
                break;
            }
            schema.key_size += datum.size;
            schema.keys.push_back(datum);
        }
        return schema;
    }

    void fill_key(const SentAggregation& sent, std::string_view key, const std::vector<std::string>& texts)
    {
        const auto number_of = [&](std::string_view text) {
            return static_cast<uint64_t>(std::lower_bound(texts.begin(), texts.end(), text) - texts.begin());
        };
        SnapshotReader reader(key);
        for (std::size_t i = 0; i < sent.parts.size(); ++i) {
            uint8_t* at = keys_.data() + count_ * own_.key_size + own_.keys[i].offset;
            const uint32_t size = own_.keys[i].size;
            if (is_sent_number(sent.parts[i].kind)) {
                const int64_t value = reader.integer();
                std::memcpy(at, &value, size); // copies the low-order bytes; all machines are little-endian
            } else if (sent.parts[i].kind == SentKind::Bytes) {
                const std::string_view bytes = reader.text();
                std::memcpy(at, bytes.data(), std::min<std::size_t>(bytes.size(), size));
            } else if (sent.parts[i].kind == SentKind::Text) {
                const auto number = static_cast<uint32_t>(number_of(reader.text()));
                std::memcpy(at, &number, sizeof number);
            } else {
                for (uint64_t left = sent.parts[i].kind == SentKind::Stack ? reader.number() : 1; left > 0; --left) {
                    const uint64_t number = number_of(reader.text()) + 1;
                    std::memcpy(at, &number, sizeof number);
                    at += sizeof number;
                }
            }
        }
    }

    AggregationSchema own_;
};

PrintableTables::PrintableTables(std::span<const MergedTable* const> tables)
{
    std::set<std::string, std::less<>> texts;
    for (const MergedTable* table : tables)
        for (const auto& [key, words] : table->entries())
            each_text(table->sent(), key, [&](std::string_view text) {
                if (!texts.contains(text))
                    texts.emplace(text);
            });
    names.assign(texts.begin(), texts.end());
    for (const MergedTable* table : tables)
        tables_.push_back(std::make_unique<Table>(*table, names));
}

PrintableTables::~PrintableTables() = default;

std::vector<const output::Aggregation*> PrintableTables::tables() const
{
    std::vector<const output::Aggregation*> all;
    for (const auto& table : tables_)
        all.push_back(table.get());
    return all;
}

} // namespace dt::consume
