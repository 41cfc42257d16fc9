// From proved instructions to threaded code (threaded.hpp).
#pragma once

#include <optional>

#include "bpf-runtime/vm/jit.hpp"
#include "bpf-runtime/vm/survey.hpp"

namespace dt::vm {

/// There is such a compiler for each processor, and it takes whatever was proved. The proof has been run.
std::unique_ptr<CompiledCode> compile_threaded(const Image& image, Proof& proof, const Surroundings& around);

class ThreadedCompiler {
public:
    ThreadedCompiler(const Image& image, Proof& proof, const Surroundings& around)
        : image_(image), proof_(proof), around_(around)
    {
    }
    std::unique_ptr<CompiledCode> run();

private:
    static constexpr uint16_t kAllRegisters = 0xffff;

    /// An instruction, and what is known there.
    struct Place {
        const bpf_insn& insn;
        uint32_t pc;
        const Step& step;
        const Value& base;  ///< of a load, what it reads through
        const State& state; ///< after it
        uint64_t follower;  ///< the block that comes next
    };

    uint32_t variant(FunctionProof& function, const Survey& survey, bool direct);
    std::optional<uint32_t> direct_variant(FunctionProof& function, const Survey& survey);
    void begin(const Survey& survey);
    void block(const Block& block, uint64_t follower);
    bool instruction(const Place& at);
    void go_to(uint32_t pc, uint64_t follower);
    void link(CompiledCode& code);

    void arithmetic(const bpf_insn& insn);
    void constant(uint8_t to, uint64_t value);
    void byte_swap(const bpf_insn& insn);
    void load_immediate(const bpf_insn& insn, uint32_t pc);
    void load(const Place& at);
    void store(const Place& at);
    void atomic(const Place& at);
    /// A comparison with a constant; `place` is that of the family in threaded_families.hpp.
    struct Test {
        std::size_t place;
        int64_t value;
    };
    static std::optional<Test> opposite(const Test& test);
    static Test other_bound(const Test& test);
    Operation& compare(uint8_t to, const Test& test, Code loaded, Code alone, std::size_t rows);
    Operation* leave_by_mask(uint8_t to, const Test& test);
    bool join();
    bool returns(const Place& at, const Choice& choice);
    void jump(const Place& at);
    void choose(const Place& at, const Choice& choice);
    bool leave(const Place& at);
    void call(const Step& step);
    void call_helper(const bpf_insn& insn, uint32_t pc);

    Operation& put(Code code);
    Operation* load_in_front(uint8_t to, bool masked = false);
    void drop_constant(uint8_t to);
    static void change(Operation& op, Code code);
    static Code code_of(const Operation& op);
    static uint16_t reads(const Operation& op);

    const Image& image_;
    Proof& proof_;
    const Surroundings& around_;
    std::vector<Operation> out_;             ///< `code` of each is a Code until they are linked,
    std::map<uint32_t, uint32_t> functions_; ///< where they begin, by first instruction
    std::map<uint32_t, uint32_t> calls_;     ///< operations that need that, and the function
    std::map<uint32_t, uint32_t> targets_;   ///< of jumps

    std::vector<bool> is_direct_; ///< which table they are linked with

    // Of the function being compiled.
    FunctionProof* current_ = nullptr;
    bool direct_ = false;
    uint16_t read_ = kAllRegisters; ///< what is written to others can be left out
    std::map<uint32_t, Choice> choices_;
    std::map<uint32_t, uint32_t> blocks_; ///< where they begin
    std::map<uint32_t, uint32_t> jumps_;  ///< operations that need that, and the block
    const std::set<uint32_t>* targets_of_jumps_ = nullptr;
    std::size_t first_of_block_ = 0; ///< from there on each operation is entered from the one before
    std::size_t last_of_two_ = 0;    ///< the operation after those that one does together
};

} // namespace dt::vm
