// Creates and deletes the spacers (spacers.hpp). Ignores failures, because with fewer spacers the placements only vary
// less.
#include "test/bench/spacers.hpp"

#include <cstdint>
#include <random>

#include <bpf/bpf.h>
#include <unistd.h>

namespace dt::bench {

namespace {

constexpr unsigned kMaxOfEach = 40, kMaxInsns = 500, kMaxMapBytes = 16384;

} // namespace

Spacers::Spacers(unsigned seed)
{
    std::mt19937 random(seed);
    const auto up_to = [&random](unsigned most) { return std::uniform_int_distribution<unsigned>(1, most)(random); };
    const bpf_insn nothing{BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0}, exit{BPF_JMP | BPF_EXIT, 0, 0, 0, 0};
    for (unsigned left = up_to(kMaxOfEach); left > 0; --left) {
        std::vector<bpf_insn> code(up_to(kMaxInsns), nothing);
        code.push_back(exit);
        files_.push_back(
            bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "spacer", "GPL", code.data(), code.size(), nullptr));
    }
    for (unsigned left = up_to(kMaxOfEach); left > 0; --left)
        files_.push_back(
            bpf_map_create(BPF_MAP_TYPE_ARRAY, "spacer", sizeof(uint32_t), up_to(kMaxMapBytes), 1, nullptr));
}

Spacers::~Spacers()
{
    for (const int file : files_)
        if (file >= 0)
            close(file);
}

} // namespace dt::bench
