// Lowers built-in variables, which are properties of the firing and of the thread that caused it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "dcompiler/lower/clause/clause_state.hpp"

namespace dt::lower {

class Builtins : public ClausePart {
public:
    using ClausePart::ClauseComponent;

    Operand curcpu_member(const TExpr& e);
    ir::Value cpu_info(ir::Value cpu);   ///< yields the address of a CPU's cpuinfo_t as a number; 0: no such CPU
    ir::Value at(const Location& where); ///< loads the datum at a Location (locations.cpp)
    ir::Value is_compat_call(); ///< yields 1 in a system call of a 32-bit program, else 0 (AttachPlan::compat_syscalls)
    /// Yields a Location::CallArgument as a 32-bit program (with `of_narrow`) or a 64-bit program passes it. The caller
    /// must know the kind of program.
    ir::Value call_argument(const Location& where, bool of_narrow);
    /// Reads the plan's arguments with these indices; returns the values by index.
    std::map<uint32_t, ir::Value> read_arguments(const std::set<uint32_t>& wanted);
    ir::Value task(); ///< yields the address of the current task_struct
    ir::Value process_id();
    ir::Value thread_id();
    /// Writes the thread's name, 16 bytes. With `pad`, also zeroes the bytes after the name's NUL.
    void thread_name_into(ir::Value dst, int64_t offset, bool pad);
    ir::Value probe_id();
    /// Returns a component of the probe name, from 0 (provider) to 3 (name). It is a literal if the program has one
    /// probe, else the id of the name.
    Operand probe_component(int which);
    Operand name_text(ir::Value id);
    Operand constant_text(const std::string& whole); ///< yields the text as a constant, truncated to strsize

private:
    /// Returns the value of the Location::CallArgument with the given index if it was read already, else kNone.
    ir::Value known_argument(uint32_t index) const;
    void find_argument(uint32_t index); ///< reads the argument if necessary, so that known_argument() returns it
    ir::Value kernel_memory(const Location& where);
    ir::Value dynamic_array(const Location& where);
    ir::Value saved_registers();
    ir::Value user_register(const Location& where);
    ir::Value refused();
    ir::Value chosen(const Location& where);
    ir::Value exit_reason(const Location& where); ///< yields CLD_EXITED, CLD_KILLED or CLD_DUMPED
    ir::Value span_word(uint32_t word);
    ir::Value ecb_field(std::size_t offset);
    std::optional<int64_t> offset_in_current_task(std::string_view member);
    std::optional<int64_t> id_in_current_task(std::string_view member);
};

} // namespace dt::lower
