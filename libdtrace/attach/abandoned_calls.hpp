// Counts abandoned calls: calls that end by an exception or with their thread. A return probe at a return instruction
// does not fire for such a call. So these calls are counted where the process unwinds its stack
// (bpf-runtime/stacks/abandoned_calls.bpf.c), and reported at the end of the trace.
//
// The kernel counts abandoned calls of all functions by their addresses. The process's mappings, which are read from
// the process or from kernel events, show to which file and function an address belongs.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bpf-runtime/abi.h"
#include "dcompiler/interface/plan.hpp"
#include "libdtrace/attach/attach.hpp"
#include "libdtrace/load/loader.hpp"
#include "libdtrace/mappings/mapping_events.hpp"
#include "libdtrace/output/messages.hpp"

namespace dt {

class AbandonedCalls {
public:
    /// `proc` is the mount point of proc(5).
    explicit AbandonedCalls(std::string proc);
    ~AbandonedCalls();

    using Plans = std::vector<std::shared_ptr<const AttachPlan>>;

    /// Attaches the counting program to the functions that unwind stacks in the plans' processes; has no effect if no
    /// plan contains such a function. `loaded` is the trace's first object. The code ranges in the plans replace the
    /// code ranges that earlier plans gave for the same file, so a later plan must describe all code of a file.
    void add(const Plans& plans, const LoadedObject& loaded, const probes::AttachOptions& how,
             Attachments& attachments);

    void add(const Schema& schema, const LoadedObject& loaded, const probes::AttachOptions& how,
             Attachments& attachments);

    /// Records the mapping events of followed processes: these processes may end before their mappings could be read.
    void see(const MappingEvent& event);

    /// Returns notes for the user about the calls that were abandoned.
    std::vector<output::Note> report();

private:
    struct Close {
        void operator()(bpf_object* object) const;
    };
    using Key = std::array<uint64_t, 5>; ///< key of an entry in the map of counted calls (struct dt_abandoned_call)
    using File = std::array<uint64_t, 2>;
    struct Code {
        uint64_t start = 0, end = 0, offset = 0;
        File file = {};
        bool operator==(const Code&) const = default;
    };
    struct Calls {
        uint64_t by_exception = 0, with_thread = 0;
        uint64_t all() const { return by_exception + with_thread; }
    };
    using Hook = std::array<uint64_t, 4>; ///< identity of an attached target: device, inode, offset, cookie

    using OpenObject = std::unique_ptr<bpf_object, Close>;
    using Constants = std::array<uint64_t, 3>; ///< value of the variable `abandoned_constants` in the BPF object

    bool open(ProgramKind kind, const LoadedObject& loaded);
    OpenObject load(const Constants& constants, const LoadedObject& loaded) const;
    int program_for(uint64_t cookie, const LoadedObject& loaded);
    void attach(const AttachPlan& plan, const LoadedObject& loaded, const probes::AttachOptions& how,
                Attachments& attachments);
    void look_at(pid_t process);
    void take();
    void end(uint64_t process);
    std::set<const Probe*> probes_at(const dt_abandoned_call& call, uint64_t address) const;
    std::set<const Probe*> probes_in(const std::vector<Code>& mapped, uint64_t origin, uint64_t address) const;

    const std::string proc_;
    OpenObject object_;
    /// Objects for kernels without attach cookies, one for each cookie; the map's key is the cookie. They use the maps
    /// of object_.
    std::map<uint64_t, OpenObject> by_cookie_;
    ProgramKind kind_ = ProgramKind::UprobeMulti;
    std::set<Hook> hooks_;
    /// For each file, the code ranges of functions with return probes, sorted by start address.
    std::map<File, std::vector<ReturnProbeRange>> code_;
    std::map<uint64_t, std::vector<Code>> mapped_; ///< code mappings of each process, oldest first
    std::vector<uint64_t> ended_;                  ///< processes in `mapped_` that have ended
    std::map<Key, uint64_t> taken_;
    std::map<const Probe*, Calls> calls_;
    std::set<std::string> problems_;
};

} // namespace dt
