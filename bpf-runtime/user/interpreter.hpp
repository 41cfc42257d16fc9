// One run of one function: registers, frames, and the checks on every step. Internal to the engine; helpers get it as their context.
#pragma once

#include <array>
#include <bitset>
#include <optional>
#include <string>
#include <vector>

#include "bpf-runtime/user/engine.hpp"

namespace dt::user {

inline constexpr uint32_t kStackSize = 512; ///< of one frame, and of a chain of calls together (MAX_BPF_STACK)
inline constexpr uint32_t kMostFrames = 8;  ///< MAX_CALL_FRAMES

class Interpreter {
public:
    Interpreter(Engine& engine, uint64_t context);
    ~Interpreter();

    /// Runs the function whose first instruction is `first`.
    Result<uint64_t> run(uint32_t first);

    // ---- for helpers

    Engine& engine() { return engine_; }
    Environment& environment() { return engine_.environment; }
    uint32_t cpus() const { return engine_.cpus_; }
    uint64_t task_registers() const { return engine_.registers_; }

    /// Host memory of a helper's buffer the program must own; null after fail().
    uint8_t* read(uint64_t address, uint64_t size);
    uint8_t* write(uint64_t address, uint64_t size);
    /// The map behind a map reference; null after fail().
    Map* map(uint64_t reference);
    /// The function behind a BPF_PSEUDO_FUNC reference.
    std::optional<uint32_t> function(uint64_t reference);
    /// Calls a function of the program (a helper's callback); empty after a failure.
    std::optional<uint64_t> call(uint32_t first, uint64_t a, uint64_t b);

    /// Ends the run. The first message stays.
    void fail(const std::string& message);
    bool failed() const { return error_.has_value(); }

private:
    struct Frame {
        uint32_t return_pc = 0;
        std::array<uint64_t, 4> saved{}; ///< R6-R9 of the caller
        uint16_t saved_live = 0;
        uint32_t depth = 0;              ///< bytes of stack used so far
        std::bitset<kStackSize> written; ///< stack bytes, from the lowest address
        std::array<uint8_t, kStackSize> stack{};
    };

    bool push(uint32_t return_pc);
    void pop();
    bool execute(uint32_t first);
    bool step();
    bool arithmetic(const bpf_insn& insn);
    bool byte_swap(const bpf_insn& insn);
    bool load_immediate(const bpf_insn& insn);
    bool load(const bpf_insn& insn);
    bool store(const bpf_insn& insn);
    bool atomic(const bpf_insn& insn);
    bool jump(const bpf_insn& insn);
    bool call(const bpf_insn& insn);
    bool call_helper(int32_t id);

    uint8_t* access(uint64_t address, uint64_t size, bool write);
    bool aligned(uint64_t address, uint32_t width); ///< fails where the verifier insists on alignment
    bool use_stack(const Region& region, uint64_t address, uint64_t size, bool write);
    uint64_t* reg(uint8_t number);            ///< to read: fails when it holds nothing
    bool set(uint8_t number, uint64_t value); ///< fails for R10
    bool operand(const bpf_insn& insn, uint64_t& value);
    static uint64_t frame_address(std::size_t depth);
    std::string where() const;

    Engine& engine_;
    std::array<uint64_t, 11> r_{};
    uint16_t live_ = 0; ///< registers that hold a value
    uint32_t pc_ = 0;
    std::size_t depth_ = 0; ///< frames in use
    std::array<Frame, kMostFrames> frames_;
    std::optional<Error> error_;
};

// What ld_imm64 puts into a register for a map and for a function: no memory is there.
inline constexpr uint64_t kMapReference = 0x6d61700000000000;
inline constexpr uint64_t kFunctionReference = 0x66756e0000000000;
inline constexpr uint64_t kReferenceMask = 0xffffffff;

} // namespace dt::user
