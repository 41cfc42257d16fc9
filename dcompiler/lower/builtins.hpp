// Built-in variables: what the firing is of, and in which thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "dcompiler/lower/clause_part.hpp"

namespace dt::lower {

class Builtins : public ClausePart {
public:
    using ClausePart::PartOf;

    Operand curcpu_member(const TExpr& e);
    ir::Value cpu_info(ir::Value cpu);   ///< address of a CPU's cpuinfo_t as a number, 0 where there is no such CPU
    ir::Value at(const Location& where); ///< loads it (locations.cpp)
    ir::Value is_narrow();               ///< AttachPlan::narrow: 1 in a call of a 32-bit program, else 0
    /// A Location::CallArgument, where it is known which kind of program calls.
    ir::Value call_argument(const Location& where, bool of_narrow);
    /// The plan's arguments of these indices, by index.
    std::map<uint32_t, ir::Value> read_arguments(const std::set<uint32_t>& wanted);
    ir::Value task(); ///< the current one
    ir::Value process_id();
    ir::Value thread_id();
    void thread_name_into(ir::Value dst, int64_t offset, bool pad); ///< 16 bytes, with `pad` zeros after the name
    ir::Value probe_id();
    /// 0 provider … 3 name: a literal when the program has one probe, else a number: the name's id.
    Operand probe_component(int which);
    Operand name_text(ir::Value id);
    Operand constant_text(const std::string& whole); ///< cut at strsize

private:
    ir::Value known_argument(uint32_t index) const; ///< Location::CallArgument of that index, or kNone
    void find_argument(uint32_t index);             ///< so that it is known
    ir::Value kernel_memory(const Location& where);
    ir::Value refused();
    ir::Value chosen(const Location& where);
    ir::Value exit_reason(const Location& where); ///< CLD_EXITED, CLD_KILLED or CLD_DUMPED
    ir::Value span_word(uint32_t word);
    ir::Value ecb_field(std::size_t offset);
    std::optional<int64_t> offset_in_task_at_hand(std::string_view member);
    std::optional<int64_t> id_in_task_at_hand(std::string_view member);
};

} // namespace dt::lower
