// Writes stacks as D values, as keys and into samples, without the tracer's own frames.
#pragma once

#include <cstdint>
#include <optional>

#include "dcompiler/lower/clause/clause_state.hpp"

namespace dt::lower {

class Builtins;

class Stacks : public ClausePart {
public:
    Stacks(ClauseState& whole, Builtins& builtins) : ClauseComponent(whole), builtins_(builtins) {}

    Operand stack_value(const TExpr& e);
    /// Yields the flags of bpf_get_stack() for a stack without the tracer's frames and without the next `skip` frames.
    ir::Value stack_flags(bool user, uint32_t skip = 0);
    bool stack_begins_with(StackBegin what) const;
    bool stack_has_tracer() const; ///< whether kernel stacks begin with tracer frames; also true in BEGIN, END
    /// Writes at most the given number of frames of the user stack to the address `to`. Yields the number of bytes, or
    /// a negative errno. With `interprets`, frames of interpreted programs replace those of their interpreters.
    ir::Value user_frames(uint32_t frames, ir::Value to, bool interprets = false);
    /// Writes the stack for an action with flag kStack, such as stack(), to its destination.
    void stack_into(const Action& action, uint32_t frames, ir::Value dst, int64_t offset);

private:
    /// Returns whether the probe is a tracepoint. At a tracepoint, user registers are those that the task had when it
    /// entered the kernel, and the stack may begin with the tracepoint's iterator (the kernel's loop over programs).
    bool is_tracepoint() const;
    ir::Value error_frames();
    std::optional<KernelSymbol> iterator_of_stack();
    ir::Value fixed_tracer_frames();
    ir::Value tracer_frames();
    ir::Value returned_function();
    void kernel_stack_into(uint32_t frames, ir::Value to);
    std::optional<uint32_t> address_space_of_task() const;
    ir::Value probed_returns(ir::Value walk);
    ir::Value unwound(uint32_t frames, ir::Value walk, uint32_t mm, bool interprets);
    ir::Value interpreted(uint32_t frames, ir::Value mixed);
    ir::Value followed(uint32_t frames, ir::Value to);
    void branch_on_frame_pointer(ir::BlockId yes, ir::BlockId no);
    Builtins& builtins_;
};

} // namespace dt::lower
