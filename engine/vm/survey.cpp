#include "engine/vm/survey.hpp"

#include <algorithm>
#include <optional>

#include "engine/program/operators.hpp"
#include "engine/vm/helpers.hpp"

namespace dt::vm {

namespace {

bool moves_constant(const bpf_insn& insn)
{
    return insn.code == (BPF_ALU64 | BPF_MOV | BPF_K) || insn.code == (BPF_ALU | BPF_MOV | BPF_K);
}

class Surveyor {
public:
    Surveyor(const Image& image, Proof& proof, FunctionProof& function, const Environment& environment)
        : image_(image), proof_(proof), function_(function), environment_(environment)
    {
    }

    Survey run()
    {
        found_.direct = !function_.tracked;
        for (const auto& [first, state] : function_.blocks)
            block(first);
        std::stable_partition(found_.blocks.begin(), found_.blocks.end(),
                              [&](const Block& block) { return block.first == function_.first; });
        for (Block& block : found_.blocks)
            block.loops = loops_.contains(block.first);
        found_.direct = found_.direct && loops_.empty();
        std::erase_if(found_.choices, [&](const auto& choice) {
            return choice.first == function_.first || found_.targets.contains(choice.first);
        });
        return std::move(found_);
    }

private:
    void block(uint32_t first)
    {
        State state = function_.blocks.at(first);
        Block block{first, 0, false};
        for (uint32_t pc = first;;) {
            ++block.count;
            const Step step = proof_.step(function_, state, pc);
            found_.direct = found_.direct && !step.fails;
            if (step.fails)
                break;
            note(image_.code[pc], pc, step);
            if (const auto choice = choice_at(state, step))
                found_.choices[step.next] = *choice;
            if (step.jumps || !step.falls || proof_.leads(step.next))
                break;
            pc = step.next;
        }
        found_.count += block.count;
        found_.blocks.push_back(block);
    }

    void note(const bpf_insn& insn, uint32_t pc, const Step& step)
    {
        const uint8_t kind = BPF_CLASS(insn.code);
        const bool memory = kind == BPF_LDX || kind == BPF_ST || kind == BPF_STX;
        const bool calls = insn.code == (BPF_JMP | BPF_CALL) && (insn.src_reg || !reading(insn.imm, environment_));
        found_.direct = found_.direct && !calls && (!memory || step.proven) && !is_atomic(insn);
        found_.registers.insert(insn.dst_reg);
        found_.registers.insert(insn.src_reg); // a fetching atomic instruction writes the source register
        if (step.jumps && step.target <= pc)
            loops_.insert(step.target);
        if (step.jumps)
            found_.targets.insert(step.target);
    }

    /// If the instruction of `step` is a jump that only selects one of two constants for a register, returns that
    /// choice. `state` holds the facts about values before the instruction.
    std::optional<Choice> choice_at(const State& state, const Step& step)
    {
        if (!step.jumps || !step.falls || step.target != step.next + 1 || !moves_constant(image_.code[step.next]))
            return std::nullopt;
        const uint8_t number = image_.code[step.next].dst_reg;
        State after = function_.blocks.at(step.next);
        if (proof_.step(function_, after, step.next).fails)
            return std::nullopt;
        const Value &jumped = state.registers[number], &fell = after.registers[number];
        if (!jumped.is_constant() || !fell.is_constant() || jumped == fell)
            return std::nullopt;
        return Choice{number, static_cast<uint64_t>(jumped.low), static_cast<uint64_t>(fell.low)};
    }

    const Image& image_;
    Proof& proof_;
    FunctionProof& function_;
    const Environment& environment_;
    Survey found_;
    std::set<uint32_t> loops_;
};

} // namespace

Survey survey(const Image& image, Proof& proof, FunctionProof& function, const Environment& environment)
{
    return Surveyor(image, proof, function, environment).run();
}

} // namespace dt::vm
