// Replaces bpf_get_current_task_btf() on kernels without this helper (before Linux 5.11). The result of
// bpf_get_current_task_btf() is a pointer through which programs load directly. bpf_get_current_task() returns the same
// address as a number. So each load through it, and through pointers loaded from it, becomes a copy by
// bpf_probe_read_kernel(). A copy that fails yields 0, as a load does.
#include <vector>

#include "dcompiler/ir/analysis.hpp"
#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/opt/passes.hpp"

namespace dt::opt {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

class TaskReads {
public:
    explicit TaskReads(ir::Function& f) : f_(f), from_task_(f.instrs.size(), false) {}

    void run()
    {
        if (!find())
            return;
        for (const Value v : found_) {
            ir::Instr& i = f_.instrs[v];
            i.mem = Mem::None;
            i.region = 0;
            if (i.op == Op::CallHelper)
                i.imm = ir::bpf::kGetCurrentTask;
        }
        for (ir::Block& block : f_.blocks)
            copy_loads(block);
    }

private:
    /// Finds the values that are the current task's address, or an address loaded through it. Returns whether there are
    /// any.
    bool find()
    {
        for (bool again = true; again;) {
            again = false;
            for (const ir::BlockId block : ir::reverse_post_order(f_))
                for (const Value v : f_.blocks[block].instrs)
                    if (!from_task_[v] && is_from_task(f_.instrs[v])) {
                        from_task_[v] = again = true;
                        found_.push_back(v);
                    }
        }
        return !found_.empty();
    }

    bool is_from_task(const ir::Instr& i) const
    {
        if (i.op == Op::CallHelper)
            return i.imm == ir::bpf::kGetCurrentTaskBtf;
        if (i.mem != Mem::Btf)
            return false;
        if (i.op == Op::Phi) {
            for (const Value arg : i.args)
                if (from_task_[arg])
                    return true;
            return false;
        }
        return (i.a != ir::kNone && from_task_[i.a]) || (i.b != ir::kNone && from_task_[i.b]);
    }

    void copy_loads(ir::Block& block)
    {
        std::vector<Value> out;
        out.reserve(block.instrs.size());
        for (const Value v : block.instrs) {
            if (f_.instrs[v].op == Op::Load && from_task_[f_.instrs[v].a])
                copy(out, v);
            out.push_back(v);
        }
        block.instrs = std::move(out);
    }

    /// Copies the bytes to the stack, from where the load then reads them. All copies in the function use one stack
    /// slot, because each is loaded immediately.
    void copy(std::vector<Value>& out, Value load)
    {
        if (slot_ == kNoSlot) {
            slot_ = static_cast<uint32_t>(f_.slots.size());
            f_.slots.push_back({});
        }
        const Appender code{f_, out, f_.instrs[load].at};
        const Value room = code.make({.op = Op::StackAddr, .mem = Mem::Stack, .region = 8, .imm = slot_});
        const Value zero = code.constant(0), size = code.constant(f_.instrs[load].width);
        code.make({.op = Op::Store, .width = 8, .a = room, .b = zero});
        const Value from = f_.instrs[load].imm == 0
                               ? f_.instrs[load].a
                               : code.binary(Op::Add, f_.instrs[load].a, code.constant(f_.instrs[load].imm));
        code.make({.op = Op::CallHelper, .imm = ir::bpf::kProbeReadKernel, .args = {room, size, from}});
        f_.instrs[load].a = room;
        f_.instrs[load].imm = 0;
    }

    static constexpr uint32_t kNoSlot = UINT32_MAX;
    ir::Function& f_;
    std::vector<bool> from_task_;
    std::vector<Value> found_;
    uint32_t slot_ = kNoSlot;
};

} // namespace

void copy_task_reads(ir::Module& module)
{
    for (ir::Function& f : module.functions)
        TaskReads(f).run();
}

} // namespace dt::opt
