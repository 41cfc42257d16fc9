// Table of the effects of BPF helpers on memory. Source: their prototypes in kernel/bpf/helpers.c and
// kernel/trace/bpf_trace.c, and bpf-helpers(7).
//
// No helper used here sleeps, and none frees memory to which the program already has a pointer: a deleted map element
// stays readable until the firing ends. For a helper that is not in the table, any effect is assumed.
#include "dcompiler/ir/bpf.hpp"

#include "dcompiler/ir/ir.hpp"

namespace dt::ir {
namespace {

using namespace bpf;
using Size = HelperAccess::Size;

constexpr HelperAccess kKey{Size::Key, 1};
constexpr HelperAccess kValue{Size::Value, 2};
// The destination of bpf_probe_read*() and bpf_get_current_comm(). In these helpers, the first argument is the
// destination and the second its size.
constexpr HelperAccess kCopied{Size::Argument, 0, 1};

constexpr HelperEffects kTable[] = {
    // clang-format off
    // helper                   steady removable replaced  map               reads                       writes
    {kMapLookup,                false, true,     true,     MapUse::Reads,    {kKey},                     {}},
    {kMapUpdate,                false, false,    false,    MapUse::Changes,  {kKey, kValue},             {}},
    {kMapDelete,                false, false,    false,    MapUse::Changes,  {kKey},                     {}},
    // bpf_task_storage_get() creates a missing element if a flag is set
    {kTaskStorageGet,           false, false,    true,     MapUse::Changes,  {},                         {}},
    {kKtimeGetNs,               false, true,     false,    MapUse::None,     {},                         {}},
    {kKtimeGetBootNs,           false, true,     false,    MapUse::None,     {},                         {}},
    {kGetPrandomU32,            false, true,     false,    MapUse::None,     {},                         {}},
    {kGetSmpProcessorId,        true,  true,     true,     MapUse::None,     {},                         {}},
    {kGetCurrentPidTgid,        true,  true,     false,    MapUse::None,     {},                         {}},
    {kGetCurrentUidGid,         true,  true,     false,    MapUse::None,     {},                         {}},
    {kGetCurrentTask,           true,  true,     false,    MapUse::None,     {},                         {}},
    {kGetCurrentTaskBtf,        true,  true,     false,    MapUse::None,     {},                         {}},
    {kGetCurrentCgroupId,       true,  true,     false,    MapUse::None,     {},                         {}},
    {kTaskPtRegs,               true,  true,     false,    MapUse::None,     {},                         {}},
    {kGetFuncIp,                true,  true,     false,    MapUse::None,     {},                         {}},
    {kAttachCookie,             true,  true,     false,    MapUse::None,     {},                         {}},
    {kCurrentTaskUnderCgroup,   true,  true,     false,    MapUse::Reads,    {},                         {}},
    {kStrncmp,                  false, true,     false,    MapUse::None,     {{{Size::Argument, 0, 1}}}, {}},
    {kGetCurrentComm,           false, false,    false,    MapUse::None,     {},                         kCopied, true},
    {kProbeReadUser,            false, false,    false,    MapUse::None,     {},                         kCopied, true},
    {kProbeReadKernel,          false, false,    false,    MapUse::None,     {},                         kCopied, true},
    {kProbeReadUserStr,         false, false,    false,    MapUse::None,     {},                         kCopied},
    {kProbeReadKernelStr,       false, false,    false,    MapUse::None,     {},                         kCopied},
    {kGetStack,                 false, false,    false,    MapUse::None,     {},                         {Size::Argument, 1, 2}},
    {kGetNsCurrentPidTgid,      false, false,    false,    MapUse::None,     {},                         {Size::Argument, 2, 3}},
    {kPerfEventOutput,          false, false,    false,    MapUse::None,     {{{Size::Argument, 3, 4}}}, {}},
    {kSeqWrite,                 false, false,    false,    MapUse::None,     {{{Size::Argument, 1, 2}}}, {}},
    {kRingbufOutput,            false, false,    false,    MapUse::None,     {{{Size::Argument, 1, 2}}}, {}},
    // clang-format on
};

constexpr HelperEffects kUnknown{
    static_cast<bpf::Helper>(0), false, false, false, MapUse::Changes, {}, {}, false, false};

} // namespace

const HelperEffects& effects(int64_t helper)
{
    for (const HelperEffects& row : kTable)
        if (row.helper == helper)
            return row;
    return kUnknown;
}

const HelperEffects* effects(const Instr& instr)
{
    return instr.op == Op::CallHelper ? &effects(instr.imm) : nullptr;
}

} // namespace dt::ir
