// Speculations on the consumer's side: samples that wait for commit() or discard() (runtime reference 5).
//
// The kernel counts the samples it writes for an id, and gives the id to nobody else before the consumer says that it has read them all:
// so a sample that arrives after its commit record, from another CPU's buffer, is still known to belong to it.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "bpf-runtime/abi.h"
#include "libdtrace/consume/ring.hpp"

namespace dt::consume {

class Speculations {
public:
    /// What to do with a sample that carries an id.
    enum class Verdict : uint8_t { Kept, Print, Thrown, NoRoom };

    explicit Speculations(uint64_t limit) : limit_(limit) {}

    /// `specs`: the kernel's states by id - 1; null when the program has no speculation.
    void attach(dt_spec* specs, std::size_t count);

    /// Decides about a sample of id sample.spec, and copies it when it is kept.
    Verdict take(const Sample& sample);

    /// The id was committed or discarded: from now on its samples are printed or thrown away as they come.
    void decide(int64_t id, bool commit);
    /// The samples kept for the id, in the order received; they are forgotten by the next call of clear().
    template <typename Handle>
    void for_each(int64_t id, Handle handle)
    {
        if (Pending* pending = find(id)) {
            for (const Kept& kept : pending->kept) {
                Sample sample = kept.sample;
                sample.data = kept.bytes.data();
                handle(sample);
            }
        }
    }
    void clear(int64_t id);

    /// After a pass: gives the ids back whose samples have all been read.
    void release_drained();

private:
    struct Kept {
        Sample sample;
        std::vector<uint8_t> bytes;
    };
    enum class State : uint8_t { Pending, Committed, Discarded };
    struct Pending {
        State state = State::Pending;
        uint64_t read = 0; // samples taken, whatever became of them
        uint64_t bytes = 0;
        std::deque<Kept> kept;
    };

    bool is_drained(std::size_t index) const;
    Pending* find(int64_t id) { return id >= 1 && id <= static_cast<int64_t>(pending_.size()) ? &pending_[static_cast<std::size_t>(id) - 1] : nullptr; }

    uint64_t limit_; // bytes kept for one id
    dt_spec* specs_ = nullptr;
    std::vector<Pending> pending_;
};

} // namespace dt::consume
