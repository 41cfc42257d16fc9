// Stores samples until they are printed, within the limits of the buffer policy. The second half of the file enforces a
// bufsize that is smaller than the kernel's buffers.
#include "libdtrace/records/flight_recorder.hpp"

#include <algorithm>
#include <cerrno>
#include <tuple>
#include <utility>

#include "bpf-runtime/abi.h"
#include "dcompiler/interface/probes.hpp"

namespace dt::consume {

namespace {

constexpr uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

uint64_t alignment_of(const Datum& datum)
{
    switch (datum.size) {
    case 1:
    case 2:
    case 4:
    case 8:
        return datum.size;
    default:
        return 8;
    }
}

} // namespace

uint64_t traditional_size(const StatementSchema& statement)
{
    uint64_t size = 4;
    for (const Record& record : statement.records)
        for (const Datum& datum : record.data)
            size = round_up(size, alignment_of(datum)) + datum.size;
    return round_up(size, 8);
}

Result<void> FlightRecorder::open(const std::vector<StatementSchema>& statements,
                                  const std::vector<uint32_t>& end_statements)
{
    if (!is_in_use())
        return {};
    for (const StatementSchema& statement : statements)
        sizes_.push_back(traditional_size(statement));
    if (options_.bufpolicy == BufferPolicy::Fill) {
        for (const uint32_t id : end_statements)
            reserved_ += id < sizes_.size() ? sizes_[id] : 0;
        if (reserved_ > options_.bufsize)
            return Error{"END enablings exceed size of principal buffer", ENOSPC};
    }
    if (options_.bufsize == 0)
        return Error{"Enabling exceeds size of buffer", ENOSPC};
    return {};
}

// Removes the oldest stored sample of a CPU. The losses before it are added to the losses before the CPU's next sample.
void FlightRecorder::overwrite_first(Cpu& cpu)
{
    Kept first = std::move(cpu.kept.front());
    cpu.kept.pop_front();
    cpu.used -= first.size;
    // the sample now points to its stored copy, because the memory of the ring to which it pointed has been overwritten
    first.sample.data = first.bytes.data();
    losses_.discarded_hits().add(first.sample, seen_);
    losses_.drops().add(DropReason::Overwritten, 1, first.sample.cpu, {first.sample.time, first.sample.time});
    Missing missing = first.missing;
    if (first.sample.missing != 0)
        missing.add(first.sample.missing, first.sample.former);
    Missing& next = cpu.kept.empty() ? cpu.missing : cpu.kept.front().missing;
    if (missing.count != 0)
        next = {missing.count + next.count, missing.since};
}

void FlightRecorder::keep(const Sample& sample)
{
    if (cpus_.size() <= sample.cpu)
        cpus_.resize(sample.cpu + 1);
    Cpu& cpu = cpus_[sample.cpu];
    const uint64_t size = sample.stmt < sizes_.size() ? sizes_[sample.stmt] : round_up(4 + sample.size, 8);
    if (is_ring() && size > options_.bufsize) {
        losses_.discarded_hits().add(sample, seen_);
        cpu.missing.add(1, sample.time);
        return losses_.count_principal_drop(sample, DropReason::Buffer);
    }
    if (is_ring()) {
        while (!cpu.kept.empty() && cpu.used + size > options_.bufsize)
            overwrite_first(cpu);
    } else if (sample.probe != kEndProbe && (cpu.full || cpu.used + size > options_.bufsize - reserved_)) {
        full_ = true;
        losses_.discarded_hits().add(sample, seen_);
        cpu.missing.add(1, sample.time);
        return losses_.count_principal_drop(sample, DropReason::Full, !std::exchange(cpu.full, true));
    }
    cpu.used += size;
    cpu.kept.push_back({sample, {sample.data, sample.data + sample.size}, size, std::exchange(cpu.missing, {})});
}

std::vector<const FlightRecorder::Kept*> FlightRecorder::in_order() const
{
    std::vector<const Kept*> all;
    for (const Cpu& cpu : cpus_)
        for (const Kept& kept : cpu.kept)
            all.push_back(&kept);
    const auto rank = [this](const Kept* kept) {
        const Sample& sample = kept->sample;
        return options_.temporal ? std::tuple<uint64_t, uint64_t>{sample.time, sample.cpu}
                                 : std::tuple<uint64_t, uint64_t>{sample.probe == kEndProbe, sample.cpu};
    };
    std::stable_sort(all.begin(), all.end(), [&](const Kept* a, const Kept* b) { return rank(a) < rank(b); });
    return all;
}

// Returns the size with which the sample counts for bufsize, in bytes (traditional_size()).

uint64_t BufferLimit::size_of(const Sample& sample)
{
    while (sizes_.size() < statements_.size())
        sizes_.push_back(traditional_size(statements_[sizes_.size()]));
    return sample.stmt < sizes_.size() ? sizes_[sample.stmt] : sample.size;
}

bool BufferLimit::has_room(const Sample& sample)
{
    if (sample.spec != 0 || sample.probe == kEndProbe)
        return true;
    const uint64_t size = size_of(sample);
    if (!counts_)
        return size <= options_.bufsize;
    if (used_.size() <= sample.cpu)
        used_.resize(sample.cpu + 1);
    if (used_[sample.cpu] + size > options_.bufsize)
        return false;
    used_[sample.cpu] += size;
    return true;
}

} // namespace dt::consume
