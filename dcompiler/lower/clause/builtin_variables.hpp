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
    /// yields, as a number, the address of a CPU's cpuinfo_t; 0 if there is no such CPU
    ir::Value cpu_info(ir::Value cpu);
    ir::Value at(const Location& where); ///< loads the datum at a Location (locations.cpp)
    ir::Value is_compat_call();          ///< yields 1 if a 32-bit program made the system call, else 0
    /// Yields the system-call argument at a Location::CallArgument. With `of_narrow` the argument is read as a 32-bit
    /// program passes it, otherwise as a 64-bit program does. The caller must know which of the two made the call.
    ir::Value call_argument(const Location& where, bool of_narrow);
    /// Reads the system-call arguments with the wanted indices. Returns their values by index.
    std::map<uint32_t, ir::Value> read_arguments(const std::set<uint32_t>& wanted);
    ir::Value task(); ///< yields the address of the current task's task_struct
    ir::Value process_id();
    ir::Value thread_id();
    /// Writes the thread's name, 16 bytes. With `pad`, also zeroes the bytes after the name's NUL.
    void thread_name_into(ir::Value dst, int64_t offset, bool pad);
    ir::Value probe_id();
    /// Yields a component of the probe's name, from 0 (provider) to 3 (name). If the BPF program serves only one probe,
    /// the component is a literal, otherwise the number (name id) that stands for it.
    Operand probe_component(int which);
    Operand name_text(ir::Value id);
    Operand constant_text(const std::string& whole); ///< yields the string as a constant, truncated to strsize

private:
    /// Returns the value of the system-call argument with this index (Location::CallArgument) if earlier code of the
    /// clause has read it, else kNone.
    ir::Value known_argument(uint32_t index) const;
    /// emits a read of the argument unless earlier code has read it; known_argument() then returns the value
    void find_argument(uint32_t index);
    ir::Value kernel_memory(const Location& where);
    ir::Value dynamic_array(const Location& where);
    ir::Value saved_registers();
    ir::Value user_register(const Location& where);
    ir::Value refused();
    ir::Value chosen(const Location& where);
    ir::Value exit_reason(const Location& where); ///< yields how a task ended: CLD_EXITED, CLD_KILLED, CLD_DUMPED
    ir::Value span_word(uint32_t word);
    ir::Value computed(const Location& where);
    ir::Value thread_pointer();
    ir::Value ecb_field(std::size_t offset);
    std::optional<int64_t> offset_in_current_task(std::string_view member);
    std::optional<int64_t> id_in_current_task(std::string_view member);
};

} // namespace dt::lower
