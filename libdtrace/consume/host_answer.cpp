#include "libdtrace/consume/host_answer.hpp"

namespace dt::consume {
namespace {

using output::SnapshotMessage;
using output::SnapshotReader;

constexpr uint64_t kMostAggregations = 4096;

/// Reads the words of one value and returns their bytes; damaged words return an empty string.
std::string take_words(SnapshotReader& reader, const SentAggregation& sent)
{
    std::vector<int64_t> words(sent.words);
    const char* const begin = reader.place();
    const std::size_t before = reader.left();
    reader.words(words, sent.is_histogram);
    return reader.good() ? std::string(begin, before - reader.left()) : std::string();
}

std::vector<int64_t> sent_words(const std::string& bytes, const SentAggregation& sent)
{
    std::vector<int64_t> words(sent.words);
    SnapshotReader(bytes).words(words, sent.is_histogram);
    return words;
}

} // namespace

void HostAnswer::read(std::string_view bytes, const Heard& heard)
{
    if (state_ != State::Begun)
        return;
    SnapshotReader reader(bytes);
    if (reader.number() != next_line_++)
        return end(State::Broken, has_head_ ? "lines are missing" : "its beginning is missing");
    while (!reader.at_end() && state_ == State::Begun) {
        const auto letter = static_cast<SnapshotMessage>(reader.letter());
        if (has_head_ == (letter == SnapshotMessage::Head))
            return end(State::Broken, "its lines are in disorder");
        read_message(letter, reader, heard);
    }
    if (!reader.good() && state_ == State::Begun)
        end(State::Broken, "a line is damaged");
}

void HostAnswer::read_message(SnapshotMessage letter, SnapshotReader& reader, const Heard& heard)
{
    switch (letter) {
    case SnapshotMessage::Head:
        return read_head(reader);
    case SnapshotMessage::Aggregation: {
        const auto id = static_cast<uint32_t>(reader.number());
        auto sent = SentAggregation::read(reader);
        if (!sent)
            return end(State::Refused, sent.error().message);
        if (told_.size() >= kMostAggregations || told_.contains(id))
            return reader.fail();
        told_.emplace(id, Told{std::move(sent.value()), {}, {}, {}});
        return;
    }
    case SnapshotMessage::Divisor:
        if (Told* const told = find(reader))
            told->divisor = reader.integer();
        return;
    case SnapshotMessage::Keys:
        if (Told* const told = find(reader))
            read_keys(*told, reader);
        return;
    case SnapshotMessage::Values:
        if (Told* const told = find(reader))
            read_values(*told, reader);
        return;
    case SnapshotMessage::Removed:
        if (Told* const told = find(reader))
            read_removed(*told, reader);
        return;
    case SnapshotMessage::Gone:
        if (Told* const told = find(reader))
            told->gone = reader.number() != 0 ? take_words(reader, told->sent) : std::string();
        return;
    case SnapshotMessage::Time:
        wall(reader.number());
        return;
    case SnapshotMessage::Print:
        return read_print(reader, heard);
    case SnapshotMessage::Options: {
        const uint64_t bits = reader.number();
        for (std::size_t i = 0; i < std::size(output::kSnapshotOptions); ++i)
            heard.option(output::kSnapshotOptions[i], (bits >> i) & 1);
        for (const std::string_view name : {"aggsortpos", "aggsortkeypos"})
            heard.option(name, reader.number());
        return;
    }
    case SnapshotMessage::Heading:
        return heard.heading(reader.text());
    case SnapshotMessage::Record: {
        const int64_t time = wall(reader.number());
        reader.number(); // skips the CPU number of the record
        if (const std::string_view text = reader.text(); reader.good())
            heard.record(time, text);
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

void HostAnswer::read_head(SnapshotReader& reader)
{
    if (reader.number() != output::kSnapshotVersion)
        return end(State::Refused, "it is written by another version of dtrace");
    own_name_ = reader.text();
    program_ = reader.number();
    clock_offset_ = static_cast<uint64_t>(reader.integer());
    clock_error_ = reader.number();
    has_head_ = true;
}

HostAnswer::Told* HostAnswer::find(SnapshotReader& reader)
{
    const auto found = told_.find(static_cast<uint32_t>(reader.number()));
    if (found == told_.end())
        reader.fail();
    return found != told_.end() ? &found->second : nullptr;
}

void HostAnswer::read_keys(Told& told, SnapshotReader& reader)
{
    for (uint64_t count = reader.number(); count > 0 && reader.good(); --count) {
        const char* const begin = reader.place();
        const std::size_t before = reader.left();
        if (!told.sent.skip_key(reader))
            return;
        if (++key_count_ > most_keys_)
            return end(State::Refused, "it has more than " + std::to_string(most_keys_) + " keys");
        told.keys.push_back(keys_.number_of({begin, before - reader.left()}));
        told.values.emplace_back();
    }
}

void HostAnswer::read_values(Told& told, SnapshotReader& reader)
{
    uint64_t key = 0;
    for (uint64_t count = reader.number(); count > 0 && reader.good(); --count) {
        key += static_cast<uint64_t>(reader.integer());
        if (key >= told.values.size())
            return reader.fail();
        told.values[key] = take_words(reader, told.sent);
    }
}

void HostAnswer::read_removed(Told& told, SnapshotReader& reader)
{
    for (uint64_t count = reader.number(); count > 0 && reader.good(); --count) {
        const uint64_t key = reader.number();
        if (key >= told.values.size())
            return reader.fail();
        told.values[key] = {};
    }
}

void HostAnswer::read_print(SnapshotReader& reader, const Heard& heard)
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
        if (!told_.contains(id) || print.ids.size() >= kMostAggregations)
            return reader.fail();
        told_.at(id).is_printed = true;
        print.ids.push_back(id);
    }
    if (reader.good() && !print.ids.empty())
        heard.print(print);
}

void HostAnswer::read_loss(SnapshotReader& reader)
{
    const std::string cause(reader.text());
    Loss& loss = losses_[cause];
    loss.kind = static_cast<output::LossKind>(std::min<uint64_t>(reader.number(), 2));
    loss.count = reader.number();
    for (std::string* text : {&loss.one, &loss.several, &loss.text})
        *text = reader.text();
}

void HostAnswer::add_to(MergedTable& table, const Told& told, std::string_view prefix) const
{
    std::string key;
    for (std::size_t i = 0; i < told.keys.size(); ++i) {
        if (told.values[i].empty())
            continue;
        key.assign(prefix).append(keys_.key(told.keys[i]));
        table.add(key, sent_words(told.values[i], told.sent));
    }
    if (!told.gone.empty())
        table.add_gone(sent_words(told.gone, told.sent));
    table.normalize(told.divisor);
}

} // namespace dt::consume
