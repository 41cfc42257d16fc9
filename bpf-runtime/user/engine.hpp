// The user-space engine: runs a compiled D program's eBPF without a kernel and without root, so that what a program means can be tested
// anywhere.
//
// It is stricter than a processor: what the kernel's verifier would refuse on the path taken (an access outside a region, a read of
// something never written, a register that holds nothing, too deep a stack) ends the run with an error that says where. It can never
// crash its host, whatever the code.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bpf-runtime/user/image.hpp"
#include "bpf-runtime/user/maps.hpp"
#include "bpf-runtime/user/memory.hpp"
#include "dcompiler/result.hpp"

namespace dt::user {

/// The world a program finds itself in, and what it did to it. The test writes the first part and reads the second.
struct Environment {
    uint32_t pid = 100, tid = 100, uid = 0, gid = 0;
    std::string comm = "test";
    uint32_t cpu = 0;
    uint64_t time = 1'000'000'000; ///< bpf_ktime_get_ns()
    uint64_t time_step = 0;        ///< added after each reading
    uint64_t random = 1;           ///< state of bpf_get_prandom_u32()
    uint64_t cgroup = 1;
    uint64_t cookie = 0;
    uint64_t task = 0;                    ///< address of the current task; the engine makes an empty one
    std::array<uint64_t, 21> registers{}; ///< struct pt_regs of the current task
    std::vector<uint64_t> kernel_stack, user_stack;

    std::vector<uint32_t> signals;   ///< sent by bpf_send_signal()
    std::vector<uint64_t> overrides; ///< values given to bpf_override_return()
};

class Engine {
public:
    /// `cpus` is the number of values per-CPU maps have; environment.cpu must stay below it.
    explicit Engine(Image image, uint32_t cpus = 2);
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Runs a function with R1 pointing to a copy of `context`; its R0. An error names the instruction and the reason; the state
    /// that the program had changed until then stays changed.
    Result<uint64_t> run(std::string_view function, std::span<const uint8_t> context = {});

    Environment environment;
    uint64_t budget = 10'000'000; ///< instructions one run may execute

    Memory& memory() { return memory_; }
    const Image& image() const { return image_; }
    /// By name; null when the program has no such map.
    Map* map(std::string_view name);
    /// The bytes of a data section (".bss"), empty when there is none.
    std::span<uint8_t> section(std::string_view name);
    /// Instructions executed by the last run.
    uint64_t executed() const { return executed_; }

private:
    friend class Interpreter;

    Image image_;
    uint32_t cpus_;
    Memory memory_;
    std::vector<std::unique_ptr<Map>> maps_;
    std::vector<uint64_t> section_addresses_;
    uint64_t registers_ = 0; ///< address of environment.registers
    uint64_t executed_ = 0;
};

} // namespace dt::user
