// A program that a tracer loads into a running process, and the engine's end of the channel to the tracer. The program
// runs at probe sites until it is unloaded, or until it exceeds a limit or does something that compiled D never does.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "engine/embed/engine.hpp"
#include "engine/embed/live_socket.hpp"
#include "engine/program/maps.hpp"

namespace dt::embed {

/// The engine's end of a channel: shared memory through which records reach the tracer.
class LiveChannel {
public:
    /// Creates the memory, sealed against shrinking.
    static Result<LiveChannel> make();

    LiveChannel(LiveChannel&& other) noexcept;
    LiveChannel& operator=(LiveChannel&&) = delete;
    ~LiveChannel();

    /// Returns the descriptor for the tracer to map.
    int descriptor() const { return descriptor_; }

    /// Appends a sample. Returns 0, or -ENOSPC if the tracer has not read enough.
    int put(const vm::SampleView& sample);
    void count_firing() { __atomic_store_n(&head_->fired, ++fired_, __ATOMIC_RELAXED); }
    void show_losses(const dt_losses& losses) { head_->losses = losses; }
    /// Stores final data for the tracer when the process ends. Data for which there is no room is dropped.
    void leave(const std::string& name, std::span<const uint8_t> bytes);
    void stop() { __atomic_store_n(&head_->stopped, 1, __ATOMIC_RELEASE); }

private:
    LiveChannel(int descriptor, void* memory);

    int descriptor_;
    wire::Channel* head_;
    /// copies of the counts in the header, because the tracer can overwrite the header
    uint64_t written_ = 0, fired_ = 0, left_ = 0;
};

/// Limits of a tracer's program.
struct LiveLimits {
    /// maximum size in bytes of the program's maps and data; records have a separate channel
    uint64_t memory = 64 << 20;
    uint64_t instructions = 100'000; ///< maximum number of instructions that a program executes each time a site is hit
};

/// Memory of global variables that this process shares with the tracer or the kernel.
class LiveState {
public:
    LiveState() = default;
    LiveState(LiveState&& other) noexcept;
    LiveState& operator=(LiveState&&) = delete;
    ~LiveState();

    /// Maps the memory. May be called once per object. The memory behind the descriptor must not be shrinkable, so the
    /// descriptor is a sealed memfd or a BPF map. A size of 0 selects all of the memory.
    Result<void> open(int descriptor, std::size_t size);
    std::span<uint8_t> bytes() const { return bytes_; }

private:
    std::span<uint8_t> bytes_;
};

/// Data sections of the program that are in shared memory instead of memory of this process.
using SharedSections = std::vector<std::pair<std::string, LiveState>>;

/// A loaded program. Not thread-safe.
class LiveProgram {
public:
    /// Loads a program. `sites` are the full names of the process's probes. `state` is the descriptor of shared
    /// globals, or -1 for private ones. `placed` are the counter sections that are in shared memory.
    static Result<std::unique_ptr<LiveProgram>> load(std::span<const uint8_t> elf, int state,
                                                     const std::vector<std::string>& sites, const LiveLimits& limits,
                                                     SharedSections placed = {});

    /// Returns whether the program has clauses for the site.
    bool is_at(std::size_t site) const { return probes_[site] != nullptr; }
    void fire(std::size_t site, std::span<const uint64_t> words);
    /// Runs the clauses of BEGIN or END.
    Result<void> run(const std::string& probe);

    /// Returns this trace's epoch: its position in the sequence of traces that replace each other (DT_HANDOVER).
    uint64_t epoch() const;
    /// Sets the epoch of the active trace during an atomic handover (DT_HANDOVER). Only the active trace records.
    void set_active_epoch(uint64_t epoch);

    /// Stores the aggregations for the tracer when the process ends.
    void leave();

    std::string_view executor() const;
    const LiveChannel& channel() const { return channel_; }
    /// Returns why the program was stopped, or an empty string if it runs.
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
    SharedSections placed_;
    std::unique_ptr<EngineHost> host_; ///< destroy this object before the shared memory that it uses
    /// for each site, the program's probe at that site; null if the program has no clauses for it
    std::vector<const Probe*> probes_;
    std::string stopped_;
};

} // namespace dt::embed
