#include "dcompiler/lower/hooks.hpp"

#include <algorithm>
#include <iterator>

namespace dt::lower {

#define DT_DECLARE(name) Operand name(ClauseLowering&, const TExpr&);
DT_DECLARE(lower_arg)
DT_DECLARE(lower_args)
DT_DECLARE(lower_pid)
DT_DECLARE(lower_tid)
DT_DECLARE(lower_uid)
DT_DECLARE(lower_gid)
DT_DECLARE(lower_id)
DT_DECLARE(lower_epid)
DT_DECLARE(lower_timestamp)
DT_DECLARE(lower_walltimestamp)
DT_DECLARE(lower_errno)
DT_DECLARE(lower_execname)
DT_DECLARE(lower_curcpu)
DT_DECLARE(lower_curthread)
DT_DECLARE(lower_ipl)
DT_DECLARE(lower_uregs)
DT_DECLARE(lower_probeprov)
DT_DECLARE(lower_probemod)
DT_DECLARE(lower_probefunc)
DT_DECLARE(lower_probename)
DT_DECLARE(lower_caller)
DT_DECLARE(lower_ppid)
DT_DECLARE(lower_stackdepth)
DT_DECLARE(lower_ucaller)
DT_DECLARE(lower_ustackdepth)
DT_DECLARE(lower_cgroup)
DT_DECLARE(lower_container)
DT_DECLARE(lower_copyinstr)
DT_DECLARE(lower_strlen)
DT_DECLARE(lower_rand)
DT_DECLARE(lower_swap16)
DT_DECLARE(lower_swap32)
DT_DECLARE(lower_swap64)
DT_DECLARE(lower_getmajor)
DT_DECLARE(lower_getminor)
DT_DECLARE(lower_speculation)
DT_DECLARE(lower_alloca)
DT_DECLARE(lower_basename)
DT_DECLARE(lower_bcopy)
DT_DECLARE(lower_cleanpath)
DT_DECLARE(lower_copyin)
DT_DECLARE(lower_copyinto)
DT_DECLARE(lower_copyout)
DT_DECLARE(lower_copyoutstr)
DT_DECLARE(lower_d_path)
DT_DECLARE(lower_dirname)
DT_DECLARE(lower_index)
DT_DECLARE(lower_inet_ntoa)
DT_DECLARE(lower_inet_ntoa6)
DT_DECLARE(lower_inet_ntop)
DT_DECLARE(lower_link_ntop)
DT_DECLARE(lower_lltostr)
DT_DECLARE(lower_mutex_owned)
DT_DECLARE(lower_mutex_owner)
DT_DECLARE(lower_mutex_type_adaptive)
DT_DECLARE(lower_mutex_type_spin)
DT_DECLARE(lower_progenyof)
DT_DECLARE(lower_psargs)
DT_DECLARE(lower_rindex)
DT_DECLARE(lower_rw_iswriter)
DT_DECLARE(lower_rw_read_held)
DT_DECLARE(lower_rw_write_held)
DT_DECLARE(lower_strchr)
DT_DECLARE(lower_strjoin)
DT_DECLARE(lower_strrchr)
DT_DECLARE(lower_strstr)
DT_DECLARE(lower_strtok)
DT_DECLARE(lower_strtoll)
DT_DECLARE(lower_substr)
DT_DECLARE(lower_tolower)
DT_DECLARE(lower_toupper)
#undef DT_DECLARE
#define DT_DECLARE(name) void name(ClauseLowering&, const TStmt&);
DT_DECLARE(lower_recorded)
DT_DECLARE(lower_exit)
DT_DECLARE(lower_setopt)
DT_DECLARE(lower_tracemem)
DT_DECLARE(lower_address)
DT_DECLARE(lower_commit)
DT_DECLARE(lower_pcap)
DT_DECLARE(lower_print)
DT_DECLARE(lower_raise)
DT_DECLARE(lower_return)
DT_DECLARE(lower_stop)
DT_DECLARE(lower_chill)
DT_DECLARE(lower_speculate)
#undef DT_DECLARE

namespace {

template <typename Hook>
struct Entry {
    std::string_view name;
    Hook hook;
};

constexpr Entry<LowerVariable> kVariables[] = {
    {"arg0", lower_arg}, {"arg1", lower_arg}, {"arg2", lower_arg}, {"arg3", lower_arg}, {"arg4", lower_arg},
    {"arg5", lower_arg}, {"arg6", lower_arg}, {"arg7", lower_arg}, {"arg8", lower_arg}, {"arg9", lower_arg},
    {"args", lower_args}, {"caller", lower_caller}, {"cgroup", lower_cgroup}, {"container", lower_container}, {"curcpu", lower_curcpu},
    {"curthread", lower_curthread}, {"epid", lower_epid},
    {"errno", lower_errno}, {"execname", lower_execname}, {"gid", lower_gid}, {"id", lower_id}, {"ipl", lower_ipl},
    {"pid", lower_pid}, {"ppid", lower_ppid}, {"probefunc", lower_probefunc}, {"probemod", lower_probemod},
    {"probename", lower_probename}, {"probeprov", lower_probeprov}, {"stackdepth", lower_stackdepth},
    {"tid", lower_tid}, {"timestamp", lower_timestamp}, {"ucaller", lower_ucaller}, {"uid", lower_uid},
    {"uregs", lower_uregs}, {"ustackdepth", lower_ustackdepth}, {"vtimestamp", lower_vtimestamp}, {"walltimestamp", lower_walltimestamp},
};

constexpr Entry<LowerSubroutine> kSubroutines[] = {
    {"_psargs", lower_psargs}, {"alloca", lower_alloca}, {"basename", lower_basename}, {"bcopy", lower_bcopy}, {"cleanpath", lower_cleanpath},
    {"copyin", lower_copyin}, {"copyinstr", lower_copyinstr}, {"copyinto", lower_copyinto}, {"copyout", lower_copyout},
    {"copyoutstr", lower_copyoutstr}, {"d_path", lower_d_path}, {"dirname", lower_dirname}, {"getmajor", lower_getmajor}, {"getminor", lower_getminor},
    {"htonl", lower_swap32}, {"htonll", lower_swap64}, {"htons", lower_swap16}, {"index", lower_index},
    {"inet_ntoa", lower_inet_ntoa}, {"inet_ntoa6", lower_inet_ntoa6}, {"inet_ntop", lower_inet_ntop},
    {"link_ntop", lower_link_ntop}, {"lltostr", lower_lltostr}, {"mutex_owned", lower_mutex_owned},
    {"mutex_owner", lower_mutex_owner}, {"mutex_type_adaptive", lower_mutex_type_adaptive},
    {"mutex_type_spin", lower_mutex_type_spin}, {"ntohl", lower_swap32}, {"ntohll", lower_swap64}, {"ntohs", lower_swap16},
    {"progenyof", lower_progenyof}, {"rand", lower_rand}, {"rindex", lower_rindex}, {"rw_iswriter", lower_rw_iswriter},
    {"rw_read_held", lower_rw_read_held}, {"rw_write_held", lower_rw_write_held}, {"speculation", lower_speculation},
    {"strchr", lower_strchr}, {"strjoin", lower_strjoin}, {"strlen", lower_strlen}, {"strrchr", lower_strrchr},
    {"strstr", lower_strstr}, {"strtok", lower_strtok}, {"strtoll", lower_strtoll}, {"substr", lower_substr},
    {"tolower", lower_tolower}, {"toupper", lower_toupper},
};

constexpr Entry<LowerAction> kActions[] = {
    {"chill", lower_chill}, {"clear", lower_recorded}, {"commit", lower_commit}, {"denormalize", lower_recorded}, {"discard", lower_commit},
    {"exit", lower_exit}, {"freopen", lower_recorded}, {"ftruncate", lower_recorded}, {"func", lower_address},
    {"jstack", lower_address}, {"mod", lower_address}, {"normalize", lower_recorded}, {"pcap", lower_pcap}, {"print", lower_print},
    {"printa", lower_recorded}, {"printf", lower_recorded}, {"raise", lower_raise}, {"return", lower_return}, {"setopt", lower_setopt},
    {"speculate", lower_speculate}, {"stack", lower_address}, {"stop", lower_stop}, {"sym", lower_address}, {"system", lower_recorded},
    {"trace", lower_recorded}, {"tracemem", lower_tracemem}, {"trunc", lower_recorded}, {"uaddr", lower_address},
    {"ufunc", lower_address}, {"umod", lower_address}, {"ustack", lower_address}, {"usym", lower_address},
};

template <typename Table>
auto find(const Table& table, std::string_view name)
{
    const auto found = std::lower_bound(std::begin(table), std::end(table), name, [](const auto& e, auto n) { return e.name < n; });
    return found != std::end(table) && found->name == name ? found->hook : nullptr;
}

} // namespace

LowerVariable variable_hook(std::string_view name) { return find(kVariables, name); }
LowerSubroutine subroutine_hook(std::string_view name) { return find(kSubroutines, name); }
LowerAction action_hook(std::string_view name) { return find(kActions, name); }

} // namespace dt::lower
