// A program that a tracer has brought to a running process: it runs at probe sites until it is unloaded, or until it
// does what no compiled D does.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "embed/host.hpp"
#include "embed/live_channel.hpp"

namespace dt::embed {

/// What a tracer's program may take of the process.
struct LiveLimits {
    uint64_t memory = 64 << 20;      ///< bytes of maps and data; records have a channel of their own
    uint64_t instructions = 100'000; ///< at a site, each time
};

/// Globals in memory that the tracer, or the kernel, has as well.
class LiveState {
public:
    LiveState() = default;
    LiveState(LiveState&& other) noexcept;
    LiveState& operator=(LiveState&&) = delete;
    ~LiveState();

    /// Memory of a descriptor that nobody can make smaller: a sealed memfd, or a map of the kernel. Once. Size 0: as
    /// large as it is.
    Result<void> open(int descriptor, std::size_t size);
    std::span<uint8_t> bytes() const { return bytes_; }

private:
    std::span<uint8_t> bytes_;
};

/// Sections whose memory the tracer has as well.
using LivePlaces = std::vector<std::pair<std::string, LiveState>>;

/// One thread at a time.
class LiveProgram {
public:
    /// `sites`: full names of the process' probes. `state`: a descriptor, or -1: globals are this process' own.
    /// `placed`: counters.
    static Result<std::unique_ptr<LiveProgram>> load(std::span<const uint8_t> elf, int state,
                                                     const std::vector<std::string>& sites, const LiveLimits& limits,
                                                     LivePlaces placed = {});

    /// Does it look at the site?
    bool is_at(std::size_t site) const { return probes_[site] != nullptr; }
    void fire(std::size_t site, std::span<const uint64_t> words);
    /// BEGIN, END.
    Result<void> run(const std::string& probe);

    /// Of its trace: how many were before it in its place.
    uint64_t turn() const;
    /// While a trace takes the place of another one (DT_TURNS): that is the one of the two which records here.
    void set_turn(uint64_t turn);

    /// The process ends: what was counted is left to the tracer.
    void leave();

    std::string_view executor() const;
    const LiveChannel& channel() const { return channel_; }
    /// Why it fires no more; empty: it does.
    const std::string& stopped() const { return stopped_; }

    Result<std::vector<uint8_t>> read(const std::string& map);
    Result<void> remove(const std::string& map, std::span<const uint8_t> keys);
    Result<void> clear(const std::string& map, std::size_t offset, std::size_t size);

private:
    explicit LiveProgram(LiveChannel channel) : channel_(std::move(channel)) {}
    void fire(const Probe& probe, std::span<const uint64_t> words);
    Result<vm::Map*> map(const std::string& name);

    LiveChannel channel_;
    LiveState state_;
    LivePlaces placed_;
    std::unique_ptr<Host> host_;       ///< gone before what it uses
    std::vector<const Probe*> probes_; ///< by site
    std::string stopped_;
};

} // namespace dt::embed
