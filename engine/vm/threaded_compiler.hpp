// Compiles proved instructions to threaded code (threaded.hpp).
#pragma once

#include <optional>

#include "engine/vm/jit.hpp"
#include "engine/vm/survey.hpp"

namespace dt::vm {

/// Compiles any proved program on any processor; proof.run() must have succeeded.
std::unique_ptr<CompiledCode> compile_threaded(const Image& image, Proof& proof, const CompileContext& around);

class ThreadedCompiler {
public:
    ThreadedCompiler(const Image& image, Proof& proof, const CompileContext& around)
        : image_(image), proof_(proof), context_(around)
    {
    }
    std::unique_ptr<CompiledCode> run();

private:
    static constexpr uint16_t kAllRegisters = 0xffff;

    /// An instruction, with facts about the values before the instruction is executed.
    struct InstructionSite {
        const bpf_insn& insn;
        uint32_t pc;
        const Step& step;
        const Value& base;  ///< facts about the pointer that a load reads through
        const State& state; ///< facts about values after the instruction
        uint64_t follower;  ///< index of the first instruction of the next block
    };

    uint32_t variant(FunctionProof& function, const Survey& survey, bool direct);
    std::optional<uint32_t> direct_variant(FunctionProof& function, const Survey& survey);
    void begin(const Survey& survey);
    void block(const Block& block, uint64_t follower);
    bool instruction(const InstructionSite& at);
    void go_to(uint32_t pc, uint64_t follower);
    void link(CompiledCode& code);

    void arithmetic(const bpf_insn& insn);
    void constant(uint8_t to, uint64_t value);
    void byte_swap(const bpf_insn& insn);
    void load_immediate(const bpf_insn& insn, uint32_t pc);
    void load(const InstructionSite& at);
    void store(const InstructionSite& at);
    void atomic(const InstructionSite& at);
    /// A comparison with a constant; `place` is the index of the comparison in DT_COMPARISONS.
    struct Test {
        std::size_t place;
        int64_t value;
    };
    static std::optional<Test> opposite(const Test& test);
    static Test other_bound(const Test& test);
    Operation& compare(uint8_t to, const Test& test, ThreadedCode loaded, ThreadedCode alone, std::size_t rows);
    Operation* leave_by_mask(uint8_t to, const Test& test);
    bool join();
    bool returns(const InstructionSite& at, const Choice& choice);
    void jump(const InstructionSite& at);
    void choose(const InstructionSite& at, const Choice& choice);
    bool leave(const InstructionSite& at);
    void call(const Step& step);
    void call_helper(const bpf_insn& insn, uint32_t pc);

    Operation& put(ThreadedCode code);
    Operation* load_in_front(uint8_t to, bool masked = false);
    void drop_constant(uint8_t to);
    static void change(Operation& op, ThreadedCode code);
    static ThreadedCode code_of(const Operation& op);
    static uint16_t reads(const Operation& op);

    const Image& image_;
    Proof& proof_;
    const CompileContext& context_;
    /// operations generated so far; before link(), their member `code` holds a ThreadedCode
    std::vector<Operation> out_;
    /// For each function's first instruction, the index of its first operation.
    std::map<uint32_t, uint32_t> functions_;
    /// Index of each call operation, with the first instruction of the called function.
    std::map<uint32_t, uint32_t> calls_;
    std::map<uint32_t, uint32_t> targets_; ///< target of each jump operation; key and value are indices of operations

    /// For each operation: whether it belongs to a direct function, which has its own table of code addresses.
    std::vector<bool> is_direct_;

    // ---- state of the function being compiled
    FunctionProof* current_ = nullptr;
    bool direct_ = false;
    uint16_t read_ = kAllRegisters; ///< mask of registers that are read later; writes to all others can be omitted
    std::map<uint32_t, Choice> choices_;
    std::map<uint32_t, uint32_t> blocks_; ///< index of the first operation of each block
    std::map<uint32_t, uint32_t> jumps_;  ///< target block of each jump operation, by the operation's index
    const std::set<uint32_t>* targets_of_jumps_ = nullptr;
    /// operations before this index must not be merged with later ones, because a jump may lead to this index
    std::size_t first_of_block_ = 0;
    std::size_t last_of_two_ = 0; ///< operations before this index must not be merged in pairs again
};

} // namespace dt::vm
