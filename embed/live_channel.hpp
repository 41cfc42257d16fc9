// The engine's end of a channel: where what is recorded is handed to the tracer.
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
    /// New memory that nobody can make smaller.
    static Result<LiveChannel> make();

    LiveChannel(LiveChannel&& other) noexcept;
    LiveChannel& operator=(LiveChannel&&) = delete;
    ~LiveChannel();

    /// For the tracer to map.
    int descriptor() const { return descriptor_; }

    /// 0, or -ENOSPC: it has not read what came before.
    int put(const vm::SampleView& sample);
    void count_firing() { __atomic_store_n(&head_->fired, ++fired_, __ATOMIC_RELAXED); }
    void show_losses(const dt_losses& losses) { head_->losses = losses; }
    /// The last that the tracer gets; what has no room is left out.
    void leave(const std::string& name, std::span<const uint8_t> bytes);
    void stop() { __atomic_store_n(&head_->stopped, 1, __ATOMIC_RELEASE); }

private:
    LiveChannel(int descriptor, void* memory);

    int descriptor_;
    wire::Channel* head_;
    uint64_t written_ = 0, fired_ = 0, left_ = 0; ///< what is in the head is anybody's
};

} // namespace dt::embed
