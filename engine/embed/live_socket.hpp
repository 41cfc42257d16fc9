// Protocol between a tracer and the engine in a running program, and its transport through a socket
// (docs/decisions/70-live-filters.md).
//
// A request and an answer each consist of a header and a payload. The engine only answers requests. Records do not pass
// through the socket but through a channel: memory that the engine creates and both sides map.
//
// Neither side trusts the other. Sizes are checked before memory is allocated, the writer of a channel never reads back
// its own data, and the reader copies data before it checks them.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bpf-runtime/abi.h"

namespace dt::embed::wire {

inline constexpr uint32_t kVersion = 1;
/// maximum size in bytes of the payload of a request, and of an answer
inline constexpr uint32_t kMaxRequest = 16 << 20, kMaxAnswer = 256 << 20;
/// Beginning of the abstract socket's name (unix(7)), after the initial NUL. The pid follows.
inline constexpr char kSocketName[] = "dtrace-engine/";

enum class Ask : uint32_t {
    /// lists the probe sites; answer: JSON with version, provider and module, and each site's function, name and types
    Sites = 1,
    /// Loads a program. Payload: the object, with the descriptor of its globals' memory; answer: the executor's name
    /// and the descriptor of a channel.
    Load,
    Unload, ///< unloads the program, which then no longer fires
    Read,   ///< reads a map; payload: its name; answer: sizes of keys and values (u32 each), then the elements
    Remove, ///< removes elements of a map; payload: length of its name (u32), the name, the keys
    /// zeroes bytes at an offset in every value of a map; payload: offset and number of the bytes (u32 each), the map's
    /// name
    Clear,
    Run, ///< runs the clauses of a probe once, without arguments; payload: the probe's full name
    /// Atomic handover (DT_HANDOVER): from now on this object records and the tracer's previous object does not; each
    /// firing is recorded by exactly one of them.
    TakeTurn,
    /// shares the memory of a counter section; must precede Load; payload: the section's name, with the descriptor of
    /// the memory
    Place,
};

struct Request {
    Ask ask{};
    uint32_t size = 0; ///< size in bytes of the payload that follows this header
};

struct Answer {
    uint32_t failed = 0; ///< 1 if the request failed; the payload is then the error message
    uint32_t size = 0;
};

/// Records in a channel. Samples follow each other without gaps: struct dt_sample with its data, then the time (u64).
/// Position p is at data[p % kChannelData]. A sample that begins near the end of the ring continues beyond it.
inline constexpr std::size_t kChannelHead = 4096;
/// Size of the ring in bytes, a power of two. The kernel allocates its pages on the first write.
inline constexpr std::size_t kChannelData = 16 << 20;
inline constexpr std::size_t kChannelMost = 1 << 18; ///< maximum size in bytes of a sample with its time
/// Final data that an ending program leaves for its tracer, after the samples. For each map: the lengths of its name
/// and of its elements (u32 each), the name, and the elements as in Ask::Read. An entry with an empty name holds the
/// reason why the program was stopped.
inline constexpr std::size_t kChannelWill = 128 << 20;
inline constexpr std::size_t kChannelWillAt = kChannelHead + kChannelData + kChannelMost;
inline constexpr std::size_t kChannelSize = kChannelWillAt + kChannelWill;

struct Channel {
    uint64_t written;
    uint64_t reserved[7]; ///< keeps the fields of writer and reader in separate cache lines
    uint64_t read;        ///< number of bytes that the reader has read so far
    uint64_t reserved2[7];
    uint64_t fired; ///< number of probe hits for which the program ran so far
    /// 1: the program exceeded a limit or failed and does not fire any more; Ask::Unload returns the reason.
    uint64_t stopped;
    /// number of bytes of the final data that an ending program leaves; 0 until the data are complete
    uint64_t will;
    dt_losses losses; ///< numbers of records lost so far, by reason
};
static_assert(sizeof(Channel) <= kChannelHead);

} // namespace dt::embed::wire

namespace dt::embed {

/// Returns the abstract address of a process's socket, and the size of that address.
std::pair<sockaddr_un, socklen_t> live_address(int process);

/// Returns the pid from a cache, which is renewed in a forked child.
int current_process();

/// A received message, with the descriptor that came with it, or -1 if none came. The destructor closes the descriptor.
struct LiveMessage {
    LiveMessage() = default;
    LiveMessage(LiveMessage&& other) noexcept;
    LiveMessage& operator=(LiveMessage&&) = delete;
    ~LiveMessage();

    std::vector<uint8_t> payload;
    int descriptor = -1;
};

struct LiveRequest : LiveMessage {
    wire::Ask ask{};
};

struct LiveAnswer : LiveMessage {
    bool failed = false;
};

// receive_request() and receive_answer() return nothing if the peer has gone or exceeds a limit. The send functions
// also send `descriptor` unless it is -1, and return false if sending fails.

std::optional<LiveRequest> receive_request(int connection);
bool send_answer(int connection, uint32_t failed, std::span<const uint8_t> payload, int descriptor);

bool send_request(int connection, wire::Ask ask, std::span<const uint8_t> payload, int descriptor);
std::optional<LiveAnswer> receive_answer(int connection);

} // namespace dt::embed
