// Sink of -x format=snapshot: sends this host's results to dtrace --merge, which combines many hosts. The encoder and
// decoder of its message lines are at the end.
//
// Records are sent as printed text. Aggregations are sent as stored words, because printed averages cannot be merged.
// Each key is sent once; later messages refer to it by a number. Only changed values are sent. A message contains the
// whole value, not the difference, so that the receiver needs only the newest message.
#include "libdtrace/fleet/snapshot_sink.hpp"

#include <sys/timex.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "base/time.hpp"
#include "libdtrace/format/stack.hpp"
#include "libdtrace/sinks/text_sink.hpp"

namespace dt::output {
namespace {

/// a message line is ended when its size before base64 encoding reaches this number of bytes
constexpr std::size_t kLongLine = 16 * 1024;

bool is_sent_integer(const Datum& datum)
{
    return (datum.kind == Datum::Kind::Signed || datum.kind == Datum::Kind::Unsigned) &&
           (datum.size == 1 || datum.size == 2 || datum.size == 4 || datum.size == 8);
}

SentKind sent_kind(const Datum& datum)
{
    using Kind = Datum::Kind;
    switch (datum.kind) {
    case Kind::Signed:
    case Kind::Unsigned:
        return !is_sent_integer(datum)      ? SentKind::Bytes
               : datum.kind == Kind::Signed ? SentKind::Signed
                                            : SentKind::Unsigned;
    case Kind::Text:
    case Kind::Name:
    case Kind::Cgroup:
    case Kind::Converted:
        return SentKind::Text;
    case Kind::Bytes:
        return SentKind::Bytes;
    case Kind::Stack:
    case Kind::UserStack:
        return SentKind::Stack;
    case Kind::Symbol:
    case Kind::UserSymbol:
        return SentKind::Symbol;
    }
    return SentKind::Bytes;
}

std::string host_name()
{
    char name[256] = {};
    gethostname(name, sizeof name - 1);
    return name;
}

/// Returns the maximum error of the wall clock in ns, as the kernel estimates it, or 0 if the clock is not
/// synchronised.
uint64_t clock_error()
{
    timex state{};
    return adjtimex(&state) == TIME_ERROR ? 0 : static_cast<uint64_t>(state.maxerror) * 1000;
}

/// Returns how many values were aggregated into the words of an aggregation value, or 0 if the words do not contain
/// this count.
uint64_t values_in(const Aggregation& table, Aggregation::Words words)
{
    uint64_t values = 0;
    switch (table.schema().function->kind) {
    case AggKind::Count:
    case AggKind::Avg:
    case AggKind::Stddev:
        return words.empty() ? 0 : static_cast<uint64_t>(words[0]);
    default:
        if (table.shape() && !table.shape()->has_parts())
            for (const int64_t count : table.shape()->buckets(words))
                values += static_cast<uint64_t>(count);
        return values;
    }
}

/// Returns whether most words of a value are usually 0.
bool is_mostly_zero(const Aggregation& table)
{
    return table.shape() || table.schema().function->kind == AggKind::Tseries;
}

class SnapshotSink final : public Sink {
public:
    explicit SnapshotSink(const SinkOptions& with)
        : with_(with), text_(with.options, formatted_, with.env, with.reproducible)
    {
        LinePrefix(with.options, with.reproducible).append_heading(heading_);
    }

    Result<void> open() override
    {
        message_.letter(SnapshotMessage::Head);
        message_.number(kSnapshotVersion);
        message_.text(with_.reproducible ? "host" : host_name());
        message_.number(with_.program);
        message_.integer(now_ns(CLOCK_REALTIME) - now_ns(CLOCK_MONOTONIC));
        message_.number(clock_error());
        send();
        return {};
    }

    void begin(const Line& line) override
    {
        time_ = line.time;
        cpu_ = line.cpu;
        text_.begin(line);
        shows_values_only_ = false;
        if (!printed_heading_ && !heading_.empty() && formatted_.text().view().starts_with(heading_.view())) {
            printed_heading_ = true;
            formatted_.text().drop(heading_.size());
            message_.letter(SnapshotMessage::Heading);
            message_.text(heading_.view());
        }
        prefix_ = formatted_.text().size();
    }
    // Ends a record. If a clause only calls printa(), the record's text consists only of a prefix and a newline. Such a
    // text is not sent, because the merged output prints one such line for all hosts.
    void end(const Line& line) override
    {
        text_.end(line);
        records_ += line.printed ? 1 : 0;
        if (shows_values_only_ && formatted_.text().view() == "\n")
            formatted_.text().clear();
        take_record();
        send();
    }

    void value(const Datum& datum, const uint8_t* data) override { text_.value(datum, data); }
    void stack(const Datum& datum, const uint8_t* data) override { text_.stack(datum, data); }
    void symbol(const Datum& datum, const uint8_t* data) override { text_.symbol(datum, data); }
    void formatted(const format::BoundFormat& format, const uint8_t* data) override { text_.formatted(format, data); }
    void memory(std::span<const uint8_t> bytes) override { text_.memory(bytes); }
    void object(std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes) override
    {
        text_.object(pointer, type, bytes);
    }
    void packet(const Packet& packet) override { text_.packet(packet); }

    void aggregations(Tables tables) override { print(tables, SnapshotPrint::Default, {}); }
    void aggregations(Tables tables, std::span<const format::BoundFormat> formats) override
    {
        print(tables, SnapshotPrint::Format, formats.empty() ? std::string() : formats[0].written);
    }
    void unprinted(const Aggregation& table) override
    {
        const Aggregation* one = &table;
        if (has_ended_)
            print(Tables(&one, 1), SnapshotPrint::AtEnd, {});
        else
            tell(table);
    }

    void begin_snapshot(uint64_t time) override { time_ = time; }
    void end_snapshot() override
    {
        message_.letter(SnapshotMessage::Time);
        message_.number(time_);
        send();
    }

    void losses(std::span<const DropRow> rows) override
    {
        for (const DropRow& row : rows) {
            if (row.count == 0)
                continue;
            message_.letter(SnapshotMessage::Loss);
            message_.text(row.cause);
            message_.number(static_cast<uint64_t>(row.kind));
            message_.number(row.count);
            for (const std::string_view words : {row.one, row.several, row.text})
                message_.text(words);
        }
        send();
    }

    void end_of_records() override { has_ended_ = true; }
    void finish() override
    {
        take_record();
        message_.letter(SnapshotMessage::Arrived);
        message_.number(records_);
        uint64_t values = 0;
        for (const auto& [id, known] : known_)
            values += known.values;
        message_.number(values);
        message_.letter(SnapshotMessage::End);
        send();
    }

private:
    struct KnownKey {
        uint64_t number = 0, seen = 0;
        std::string words;
    };
    /// The keys and values of one aggregation that were already sent to the receiver.
    struct Known {
        std::unordered_map<std::string, KnownKey> keys;
        uint64_t next_key = 0, snapshots = 0;
        int64_t divisor = 1;
        uint64_t values = 0;
        bool has_expired = false;
    };

    void take_record()
    {
        if (formatted_.text().empty())
            return;
        message_.letter(SnapshotMessage::Record);
        message_.number(time_);
        message_.number(cpu_);
        message_.text(formatted_.text().view());
        formatted_.text().clear();
    }

    void print(Tables tables, SnapshotPrint how, const std::string& format)
    {
        if (how != SnapshotPrint::AtEnd && formatted_.text().size() == prefix_) {
            shows_values_only_ = true;
            formatted_.text().clear();
        }
        take_record();
        write_options();
        for (const Aggregation* table : tables)
            tell(*table);
        message_.letter(SnapshotMessage::Print);
        message_.number(time_);
        message_.number(static_cast<uint64_t>(how));
        message_.text(format);
        message_.number(tables.size());
        for (const Aggregation* table : tables)
            message_.number(table->schema().id);
        send();
    }

    /// Sends the print options if setopt() has changed them.
    void write_options()
    {
        const PrintOptions& all = with_.options;
        const bool flags[] = {all.aggsortkey, all.aggsortrev, all.agghist, all.aggpack, all.aggzoom};
        static_assert(std::size(flags) == std::size(kSnapshotOptions));
        SnapshotWriter options;
        uint64_t bits = 0;
        for (std::size_t i = 0; i < std::size(flags); ++i)
            bits |= static_cast<uint64_t>(flags[i]) << i;
        for (const uint64_t number : {bits, all.aggsortpos, all.aggsortkeypos})
            options.number(number);
        if (options.bytes() == told_options_)
            return;
        told_options_ = options.bytes();
        message_.letter(SnapshotMessage::Options);
        message_.append(told_options_);
    }

    void declare(const AggregationSchema& schema)
    {
        message_.letter(SnapshotMessage::Aggregation);
        message_.number(schema.id);
        message_.text(schema.name);
        message_.text(schema.function->name);
        message_.number(schema.parameters.size());
        for (const int64_t parameter : schema.parameters)
            message_.integer(parameter);
        message_.number(schema.words);
        message_.number(schema.keys.size());
        for (const Datum& datum : schema.keys) {
            message_.number(static_cast<uint64_t>(sent_kind(datum)));
            message_.number(datum.size);
        }
    }

    void append_part(const Datum& datum, const uint8_t* key)
    {
        switch (sent_kind(datum)) {
        case SentKind::Signed:
        case SentKind::Unsigned:
            return message_.integer(format::load_integer(datum, key));
        case SentKind::Text:
            return message_.text(format::load_characters(with_.env, datum, key));
        case SentKind::Bytes:
            return message_.text({reinterpret_cast<const char*>(key) + datum.offset, datum.size});
        case SentKind::Symbol:
            return message_.text(format::symbol_text(with_.env, datum, key));
        case SentKind::Stack:
            break;
        }
        std::vector<std::string> frames;
        format::for_each_frame(with_.env, datum, key, Datum::Address::Exact,
                               [&](std::string_view frame) { frames.emplace_back(frame); });
        message_.number(frames.size());
        for (const std::string& frame : frames)
            message_.text(frame);
    }

    /// For each entry of the table, returns what the receiver knows about its key. Sends keys that are new.
    std::vector<KnownKey*> number_keys(const Aggregation& table, Known& known)
    {
        std::vector<KnownKey*> numbered;
        for (std::size_t entry = 0; entry < table.size(); ++entry) {
            const uint8_t* const key = table.key(entry);
            const auto [found, is_new] = known.keys.try_emplace(
                std::string(reinterpret_cast<const char*>(key), table.schema().key_size), KnownKey{});
            if (is_new) {
                found->second.number = known.next_key++;
                message_.letter(SnapshotMessage::Keys);
                message_.number(table.schema().id);
                message_.number(1);
                for (const Datum& datum : table.schema().keys)
                    append_part(datum, key);
                send_if_long();
            }
            found->second.seen = known.snapshots;
            numbered.push_back(&found->second);
        }
        return numbered;
    }

    void tell(const Aggregation& table)
    {
        const AggregationSchema& schema = table.schema();
        const auto [found, is_first] = known_.try_emplace(schema.id);
        Known& known = found->second;
        if (is_first)
            declare(schema);
        if (table.divisor != known.divisor) {
            message_.letter(SnapshotMessage::Divisor);
            message_.number(schema.id);
            message_.integer(known.divisor = table.divisor);
        }
        ++known.snapshots;
        const std::vector<KnownKey*> keys = number_keys(table, known);
        write_values(table, keys, known);
        write_removed(schema, known);
        write_expired(table, known);
    }

    void write_values(const Aggregation& table, const std::vector<KnownKey*>& keys, Known& known)
    {
        SnapshotWriter values, words;
        uint64_t changed = 0, before = 0;
        const auto write = [&] {
            if (changed == 0)
                return;
            message_.letter(SnapshotMessage::Values);
            message_.number(table.schema().id);
            message_.number(changed);
            message_.append(values.bytes());
            values.clear();
            changed = before = 0;
            send_if_long();
        };
        known.values = 0;
        for (std::size_t entry = 0; entry < keys.size(); ++entry) {
            words.clear();
            words.words(table.words(entry), is_mostly_zero(table));
            known.values += values_in(table, table.words(entry));
            KnownKey& key = *keys[entry];
            if (key.words == words.bytes())
                continue;
            key.words = words.bytes();
            values.integer(static_cast<int64_t>(key.number - before));
            before = key.number;
            values.append(key.words);
            ++changed;
            if (values.bytes().size() > kLongLine)
                write();
        }
        write();
    }

    void write_removed(const AggregationSchema& schema, Known& known)
    {
        SnapshotWriter numbers;
        uint64_t removed = 0;
        for (auto each = known.keys.begin(); each != known.keys.end();) {
            if (each->second.seen == known.snapshots) {
                ++each;
                continue;
            }
            numbers.number(each->second.number);
            ++removed;
            each = known.keys.erase(each);
        }
        if (removed == 0)
            return;
        message_.letter(SnapshotMessage::Removed);
        message_.number(schema.id);
        message_.number(removed);
        message_.append(numbers.bytes());
    }

    void write_expired(const Aggregation& table, Known& known)
    {
        if (!table.has_expired() && !known.has_expired)
            return;
        known.has_expired = table.has_expired();
        message_.letter(SnapshotMessage::Gone);
        message_.number(table.schema().id);
        message_.number(known.has_expired ? 1 : 0);
        if (known.has_expired)
            message_.words(table.words(Aggregation::kExpired), is_mostly_zero(table));
    }

    void send_if_long()
    {
        if (message_.bytes().size() > kLongLine)
            send();
    }
    void send()
    {
        if (message_.bytes().empty())
            return;
        SnapshotWriter numbered;
        numbered.number(lines_++);
        numbered.append(message_.bytes());
        message_.clear();
        with_.output.write(snapshot_line(numbered.bytes()));
        with_.output.drain();
    }

    const SinkOptions with_;
    Output formatted_{-1}; ///< buffer for the text of the current record, which is not sent yet
    TextSink text_;
    format::Text heading_;
    bool printed_heading_ = false, has_ended_ = false, shows_values_only_ = false;
    std::size_t prefix_ = 0; ///< size of the default layout's prefix, which precedes the clause's own output
    std::string told_options_;
    uint64_t time_ = 0, lines_ = 0, records_ = 0;
    uint32_t cpu_ = 0;
    SnapshotWriter message_;
    std::unordered_map<uint32_t, Known> known_;
};

} // namespace

std::unique_ptr<Sink> make_snapshot_sink(const SinkOptions& with)
{
    return std::make_unique<SnapshotSink>(with);
}

namespace {

constexpr std::string_view kMark = "=dt1 ";

std::string_view without_ends(std::string_view text, std::string_view unwanted)
{
    const std::size_t first = text.find_first_not_of(unwanted);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(unwanted) - first + 1);
}

} // namespace

void SnapshotWriter::number(uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
}

void SnapshotWriter::words(std::span<const int64_t> words, bool is_sparse)
{
    if (!is_sparse) {
        for (const int64_t word : words)
            integer(word);
        return;
    }
    number(static_cast<uint64_t>(std::count_if(words.begin(), words.end(), [](int64_t word) { return word != 0; })));
    std::size_t before = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == 0)
            continue;
        number(i - before);
        integer(words[i]);
        before = i;
    }
}

char SnapshotReader::letter()
{
    if (rest_.empty()) {
        fail();
        return 0;
    }
    const char first = rest_.front();
    rest_.remove_prefix(1);
    return first;
}

uint64_t SnapshotReader::number()
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const auto byte = static_cast<unsigned char>(letter());
        value |= static_cast<uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    fail();
    return 0;
}

std::string_view SnapshotReader::text()
{
    const uint64_t size = number();
    if (!good_ || size > rest_.size()) {
        fail();
        return {};
    }
    const std::string_view value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
}

void SnapshotReader::words(std::span<int64_t> into, bool is_sparse)
{
    if (!is_sparse) {
        for (int64_t& word : into)
            word = integer();
        return;
    }
    std::fill(into.begin(), into.end(), 0);
    uint64_t at = 0;
    for (uint64_t count = number(); count > 0 && good_; --count) {
        at += number();
        if (!good_ || at >= into.size())
            return fail();
        into[at] = integer();
    }
}

std::string snapshot_line(std::string_view bytes)
{
    const std::string text = to_base64(bytes);
    return std::string(kMark) + std::to_string(text.size()) + " " + text + "\n";
}

std::optional<SnapshotLine> read_snapshot_line(std::string_view line)
{
    const std::size_t mark = line.find(kMark);
    if (mark == std::string_view::npos)
        return std::nullopt;
    SnapshotLine read;
    read.carried = without_ends(line.substr(0, mark), " \t:[]|");
    const std::string_view rest = without_ends(line.substr(mark + kMark.size()), "\r\n");
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
    const std::size_t text = static_cast<std::size_t>(end - rest.data()) + 1;
    read.is_whole = error == std::errc() && text <= rest.size() && rest.size() - text == length;
    if (std::optional<std::string> bytes = read.is_whole ? from_base64(rest.substr(text)) : std::nullopt)
        read.bytes = std::move(*bytes);
    else
        read.is_whole = false;
    return read;
}

} // namespace dt::output
