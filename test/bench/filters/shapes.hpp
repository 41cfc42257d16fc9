// The filters that are compared, each told once for all that evaluate it, and the events they are tried on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dt::bench::filters {

enum class Source { Chain, Packet, Switch };

struct Shape {
    std::string name; ///< "chain_4", "packet", "switch": the hand-written programs are called after it
    Source source = Source::Chain;
    int length = 0;               ///< of a chain
    std::string probe, predicate; ///< in D
    std::string value;            ///< what is recorded, in D
    std::size_t event_size = 0;
    int (*compiled)(const void* event) = nullptr;
    std::vector<uint8_t> bytecode;                 ///< bytecode.hpp
    std::function<bool(const void* event)> passes; ///< what is right, by the plain meaning of the filter
};

/// Chains of 1, 2, 4, 8 and 16 predicates, a packet, a switch of tasks.
const std::vector<Shape>& all_shapes();

/// What a stream of events is like. Of those that fail, chains and packets fail at the last predicate, after all others
/// were evaluated.
enum class Bias { AllPass, AllFail, MostlyTrue, MostlyFalse, Any };

/// Those that are measured.
inline constexpr Bias kBiases[] = {Bias::AllPass, Bias::AllFail, Bias::MostlyTrue, Bias::MostlyFalse};

const char* name_of(Bias bias);

/// Made-up events one after the other, the same for the same seed. MostlyTrue: a predicate is true 15 times in 16;
/// MostlyFalse: false as often.
struct Events {
    std::vector<uint8_t> bytes;
    std::size_t size = 0; ///< of an event
    std::size_t count() const { return bytes.size() / size; }
    const uint8_t* at(std::size_t i) const { return bytes.data() + i * size; }
};
Events make_events(const Shape& shape, Bias bias, std::size_t count, uint32_t seed);

} // namespace dt::bench::filters
