// The filters of the experiments ("shapes") and generators of their events. Each filter is defined once, for all its
// implementations.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dt::bench::filters {

enum class Source { Chain, Packet, Switch };

struct Shape {
    std::string name; ///< "chain_4", "packet", "switch"; also part of the names of the hand-written programs
    Source source = Source::Chain;
    int length = 0;               ///< number of predicates, for a chain
    std::string probe, predicate; ///< probe and predicate in D
    std::string value;            ///< expression in D whose value is recorded
    std::size_t event_size = 0;
    int (*compiled)(const void* event) = nullptr;
    std::vector<uint8_t> bytecode; ///< the filter as bytecode (bytecode.hpp)
    /// Reference filter in plain C++; the results of all implementations are compared with it.
    std::function<bool(const void* event)> passes;
};

/// Returns seven filters: chains of 1, 2, 4, 8 and 16 predicates joined by AND, a packet filter, and a filter of task
/// switches.
const std::vector<Shape>& all_shapes();

/// Distribution of generated events: all of them pass the filter, or none, or some. With AllFail, an event fails only
/// at the filter's last predicate, so all predicates are evaluated. Real task switches fail at the first one, the name.
enum class Bias { AllPass, AllFail, MostlyTrue, MostlyFalse, Any };

/// Distributions of events for which the filters are measured.
inline constexpr Bias kBiases[] = {Bias::AllPass, Bias::AllFail, Bias::MostlyTrue, Bias::MostlyFalse};

const char* name_of(Bias bias);

/// Synthetic events, stored one after the other; the same seed gives the same events. With MostlyTrue, each predicate
/// is true for 15 of 16 events; with MostlyFalse, for 1 of 16.
struct Events {
    std::vector<uint8_t> bytes;
    std::size_t size = 0; ///< size of one event in bytes
    std::size_t count() const { return bytes.size() / size; }
    const uint8_t* at(std::size_t i) const { return bytes.data() + i * size; }
};
Events make_events(const Shape& shape, Bias bias, std::size_t count, uint32_t seed);

} // namespace dt::bench::filters
