// The engine's end of a channel: shared memory through which records reach the tracer.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.hpp"
#include "bpf-runtime/vm/maps.hpp"
#include "embed/live_wire.hpp"

namespace dt::embed {

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
    /// Stores final data for the tracer when the process ends. Data without room is dropped.
    void leave(const std::string& name, std::span<const uint8_t> bytes);
    void stop() { __atomic_store_n(&head_->stopped, 1, __ATOMIC_RELEASE); }

private:
    LiveChannel(int descriptor, void* memory);

    int descriptor_;
    wire::Channel* head_;
    uint64_t written_ = 0, fired_ = 0, left_ = 0; ///< private copies: the tracer can overwrite the header
};

} // namespace dt::embed
