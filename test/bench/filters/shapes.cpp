// Table of the filters, and generators of their events.
#include "test/bench/filters/shapes.hpp"

#include <cstddef>
#include <cstring>
#include <random>

#include "test/bench/filters/bytecode.hpp"
#include "test/bench/filters/compiled.h"
#include "test/bench/filters/event.h"

namespace dt::bench::filters {

namespace {

// A predicate of a filter with chained predicates: compares a word of the event with a constant.
struct Predicate {
    int word;
    Op compare;
    int64_t value;
};

Predicate predicate(int i)
{
    const int word = i % DT_CHAIN_WORDS;
    if (i < DT_CHAIN_WORDS)
        return {word, Op::Greater, DT_CHAIN_ABOVE + word};
    if (i < 2 * DT_CHAIN_WORDS)
        return {word, Op::NotEqual, DT_CHAIN_NOT + word};
    return {word, Op::Less, DT_CHAIN_BELOW + word};
}

const char* sign(Op compare)
{
    return compare == Op::Greater ? ">" : compare == Op::Less ? "<" : "!=";
}

bool holds(const Predicate& p, int64_t word)
{
    return p.compare == Op::Greater ? word > p.value : p.compare == Op::Less ? word < p.value : word != p.value;
}

template <typename Event> Event event_at(const void* bytes)
{
    Event event;
    std::memcpy(&event, bytes, sizeof event);
    return event;
}

Shape chain(int length, int (*compiled)(const void*))
{
    Shape shape{"chain_" + std::to_string(length),
                Source::Chain,
                length,
                "syscall::process_vm_writev:entry",
                "",
                "arg0",
                sizeof(chain_event),
                compiled,
                {},
                {}};
    BytecodeWriter code;
    for (int i = 0; i < length; i++) {
        const Predicate p = predicate(i);
        shape.predicate += std::string(i ? " && " : "") + "arg" + std::to_string(p.word) + " " + sign(p.compare) + " " +
                           std::to_string(p.value);
        code.number(Op::LoadS64, static_cast<uint16_t>(p.word * sizeof(int64_t)), p.compare, p.value);
    }
    shape.bytecode = code.take();
    shape.passes = [length](const void* bytes) {
        const auto event = event_at<chain_event>(bytes);
        for (int i = 0; i < length; i++)
            if (!holds(predicate(i), event.word[predicate(i).word]))
                return false;
        return true;
    };
    return shape;
}

Shape packet_shape()
{
    Shape shape{"packet",
                Source::Packet,
                0,
                "rawtp:::netif_receive_skb",
                "args[0]->dev->name == \"lo\" && args[0]->protocol == 8 && args[0]->len > 100",
                "args[0]->len",
                sizeof(packet_event),
                dt_compiled_packet,
                {},
                {}};
    BytecodeWriter code;
    code.text(offsetof(packet_event, device), "lo");
    code.number(Op::LoadU16, offsetof(packet_event, protocol), Op::Equal, DT_PACKET_PROTOCOL);
    code.number(Op::LoadU32, offsetof(packet_event, length), Op::Greater, DT_PACKET_LENGTH);
    shape.bytecode = code.take();
    shape.passes = [](const void* bytes) {
        const auto event = event_at<packet_event>(bytes);
        return std::string_view(event.device) == "lo" && event.protocol == DT_PACKET_PROTOCOL &&
               event.length > DT_PACKET_LENGTH;
    };
    return shape;
}

Shape switch_shape()
{
    Shape shape{"switch",
                Source::Switch,
                0,
                "rawtp:::sched_switch",
                "substr(stringof(args[1]->comm), 0, 4) == \"filt\" && args[3] == 1",
                "args[3]",
                sizeof(switch_event),
                dt_compiled_switch,
                {},
                {}};
    BytecodeWriter code;
    code.text(offsetof(switch_event, command), "filt*");
    code.number(Op::LoadU32, offsetof(switch_event, state), Op::Equal, DT_SWITCH_STATE);
    shape.bytecode = code.take();
    shape.passes = [](const void* bytes) {
        const auto event = event_at<switch_event>(bytes);
        return std::string_view(event.command).substr(0, 4) == "filt" && event.state == DT_SWITCH_STATE;
    };
    return shape;
}

// ---- events

class Maker {
public:
    Maker(Bias bias, uint32_t seed) : bias_(bias), random_(seed) {}

    chain_event chain(int length)
    {
        chain_event event{};
        for (int word = 0; word < DT_CHAIN_WORDS; word++)
            event.word[word] = number(DT_CHAIN_ABOVE + DT_CHAIN_WORDS + 1, DT_CHAIN_NOT - 1);
        for (int i = 0; i < length; i++)
            if (is_false(i, length))
                event.word[predicate(i).word] = refused(predicate(i));
        return event;
    }

    packet_event packet()
    {
        packet_event event{};
        const char* const others[] = {"lo0", "eth0", "l", ""};
        std::strcpy(event.device, is_false(0, 3) ? others[number(0, 3)] : "lo");
        event.protocol = static_cast<uint16_t>(is_false(1, 3) ? 0xdd86 : DT_PACKET_PROTOCOL);
        event.length =
            static_cast<uint32_t>(is_false(2, 3) ? number(28, DT_PACKET_LENGTH) : number(DT_PACKET_LENGTH + 1, 1500));
        return event;
    }

    switch_event task_switch()
    {
        switch_event event{};
        const char* const names[] = {"filt", "filter-one", "filt-two", "filtfiltfiltfil"};
        const char* const others[] = {"fil", "bash", "xfilt", "fill"};
        std::strcpy(event.command, is_false(0, 2) ? others[number(0, 3)] : names[number(0, 3)]);
        event.state = static_cast<uint32_t>(is_false(1, 2) ? 2 * number(0, 4) : DT_SWITCH_STATE);
        return event;
    }

private:
    int64_t number(int64_t from, int64_t to) { return std::uniform_int_distribution<int64_t>(from, to)(random_); }

    // Chooses whether an event shall make predicate `i` of `length` predicates false.
    bool is_false(int i, int length)
    {
        switch (bias_) {
        case Bias::AllPass:
            return false;
        case Bias::AllFail:
            return i == length - 1;
        case Bias::MostlyTrue:
            return number(0, 15) == 0;
        case Bias::MostlyFalse:
            return number(0, 15) != 0;
        case Bias::Any:
            break;
        }
        // With this probability, between a third and a half of the events pass the filter, for any number of
        // predicates.
        return number(0, length) == 0;
    }

    int64_t refused(const Predicate& p)
    {
        if (p.compare == Op::Greater)
            return number(1, p.value);
        return p.compare == Op::NotEqual ? p.value : number(p.value, int64_t{1} << 40);
    }

    Bias bias_;
    std::mt19937 random_;
};

template <typename Event> void append(std::vector<uint8_t>& bytes, const Event& event)
{
    const auto* from = reinterpret_cast<const uint8_t*>(&event);
    bytes.insert(bytes.end(), from, from + sizeof event);
}

} // namespace

const std::vector<Shape>& all_shapes()
{
    static const std::vector<Shape> shapes = {chain(1, dt_compiled_chain_1),
                                              chain(2, dt_compiled_chain_2),
                                              chain(4, dt_compiled_chain_4),
                                              chain(8, dt_compiled_chain_8),
                                              chain(16, dt_compiled_chain_16),
                                              packet_shape(),
                                              switch_shape()};
    return shapes;
}

const char* name_of(Bias bias)
{
    switch (bias) {
    case Bias::AllPass:
        return "all pass";
    case Bias::AllFail:
        return "all fail";
    case Bias::MostlyTrue:
        return "mostly true";
    case Bias::MostlyFalse:
        return "mostly false";
    case Bias::Any:
        break;
    }
    return "any";
}

Events make_events(const Shape& shape, Bias bias, std::size_t count, uint32_t seed)
{
    Maker maker(bias, seed);
    Events events{{}, shape.event_size};
    for (std::size_t i = 0; i < count; i++) {
        if (shape.source == Source::Chain)
            append(events.bytes, maker.chain(shape.length));
        else if (shape.source == Source::Packet)
            append(events.bytes, maker.packet());
        else
            append(events.bytes, maker.task_switch());
    }
    return events;
}

} // namespace dt::bench::filters
