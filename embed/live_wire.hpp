// What a tracer and the engine of a running program say to each other (docs/decisions/70-live-filters.md).
//
// A request is a head and its payload, and so is the answer. The engine speaks when it is asked. What is recorded does
// not go through the socket: a channel is memory that the engine makes and both map.
//
// Neither side trusts the other: sizes are looked at before anything is allocated, the writer of a channel never reads
// back what it wrote there, and the reader copies before it looks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bpf-runtime/abi.h"

namespace dt::embed::wire {

inline constexpr uint32_t kVersion = 1;
inline constexpr uint32_t kMostRequest = 16 << 20, kMostAnswer = 256 << 20; ///< bytes of a payload
/// The socket's name, behind a NUL (unix(7), abstract) and with the process' number behind it.
inline constexpr char kSocketName[] = "dtrace-engine/";

enum class Ask : uint32_t {
    Sites = 1, ///< answer: JSON: version, provider, module, sites: function, name, types
    Load,      ///< an object, and the descriptor of the memory of its globals; answer: the executor's name and the
               ///< descriptor of a channel
    Unload,    ///< it fires no more
    Read,      ///< a map's name; answer: key and value size (u32 each), then the elements
    Remove,    ///< length of a map's name (u32), the name, keys
    Clear,     ///< offset and size (u32), a map's name: those bytes of every value become zeros
    Run,       ///< a probe's full name: its clauses run once, without arguments
    TakeTurn,  ///< the object takes the place of another one of this tracer (DT_TURNS): which of them a firing is seen
               ///< by changes between two firings
    Place,     ///< before Load: the name of a section that clauses count in, and the descriptor of its memory
};

struct Request {
    Ask ask{};
    uint32_t size = 0; ///< of the payload
};

struct Answer {
    uint32_t failed = 0; ///< 1: the payload is the reason
    uint32_t size = 0;
};

/// Samples lie one behind the other: struct dt_sample with its data, then the time (u64); position p at data[p %
/// kChannelData]. What begins before the end of those is whole.
inline constexpr std::size_t kChannelHead = 4096;
inline constexpr std::size_t kChannelData = 16 << 20; ///< a power of two; pages are taken when they are written
inline constexpr std::size_t kChannelMost = 1 << 18;  ///< bytes of a sample with its time
/// What a program that ends leaves to its tracer, behind the samples: of each map the lengths of its name and of its
/// elements (u32 each), the name, and the elements as Ask::Read has them; under no name, why it had stopped.
inline constexpr std::size_t kChannelWill = 128 << 20;
inline constexpr std::size_t kChannelWillAt = kChannelHead + kChannelData + kChannelMost;
inline constexpr std::size_t kChannelSize = kChannelWillAt + kChannelWill;

struct Channel {
    uint64_t written;
    uint64_t reserved[7]; ///< a cache line for each side
    uint64_t read;        ///< the reader's to set
    uint64_t reserved2[7];
    uint64_t fired;   ///< probes, so far
    uint64_t stopped; ///< 1: it ran against a limit or did what it must not, and fires no more: Ask::Unload says why
    uint64_t will;    ///< bytes of it, once it is there
    dt_losses losses; ///< so far
};
static_assert(sizeof(Channel) <= kChannelHead);

} // namespace dt::embed::wire
