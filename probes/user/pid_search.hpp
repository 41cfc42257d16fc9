// Resolves a description of provider pidN in one process. Finds the file offsets that match the description, the data
// that a probe can read there, and the reasons why other matches have no probe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "dcompiler/interface/plan.hpp"
#include "machine/machine.hpp"
#include "probes/kernel_view.hpp"
#include "probes/process_view.hpp"
#include "probes/provider.hpp"
#include "probes/user/uprobe_placement.hpp"

namespace dt::probes {

// A place in a file to which pidN probes are attached, and the data that the probes can read there.

/// Kind of a probe according to its name: "entry", "return", or an instruction's offset. Leave is a "return" probe that
/// is attached to each return instruction, without the kernel's return probes.
enum class PidPoint { Entry, Return, Leave, Offset };

/// Parses a probe name that is an instruction's offset. Returns nothing unless the name is a lower-case hexadecimal
/// number.
std::optional<uint64_t> offset_of(std::string_view name);
std::string hexadecimal(uint64_t number);

/// Makes a plan without targets for one kind of pid probes. `calls` is the calling convention of the function. If
/// `at_once` is set, the plan attaches all targets by one link (uprobe_multi), with single uprobes as fallback.
AttachPlan plan_pid_probes(const machine::Machine& machine, PidPoint point, ProcessView::Calls calls, bool at_once);

/// Finds the functions by which processes unwind their stacks. If a return probe is attached to a function's return
/// instructions, the unwinder functions are hooked too, because unwinding ends a call without a return instruction.
class Unwinders {
public:
    /// Searches all files of a process, because the unwinder is usually in a shared library.
    void find(KernelView& kernel, int64_t process, const std::vector<ProcessView::Object>& objects);

    /// Plans hooks of the unwinder functions in the processes of the plan `of`. The hooks have the same kind of program
    /// as that plan.
    std::shared_ptr<const AttachPlan> plan(ProcessView& processes, const AttachPlan& of) const;

private:
    struct UnwinderAddress {
        uint32_t which = 0;
        std::string file;
        ProcessView::Identity identity = {};
        uint64_t address = 0;
    };

    std::map<int64_t, std::vector<UnwinderAddress>> places_; ///< locations of unwinder functions by process
};

constexpr uint64_t kLongestPidFunction = 1 << 20; ///< maximum number of bytes of a function that are read

/// Makes an error with a tag (dtrace-errors(7), PROBES OF PROCESSES).
Error pid_error(const char* tag, std::string message);

struct PidPlace {
    std::string file;
    uint64_t offset = 0;
    uint64_t size = 0;                 ///< size in bytes of the function that begins here; 0 if unknown
    bool is_32bit = false;             ///< whether the code is that of a 32-bit program
    std::vector<uint64_t> leaves = {}; ///< file offsets of the return instructions, for PidPoint::Leave
    /// For PidPoint::Leave (probes on return instructions), if the process may unwind its stack: address ranges of the
    /// function's code.
    std::vector<ReturnProbeRange> code = {};
    ProcessView::Identity identity = {}; ///< identity of the file at the time of the search
    /// Kind of the probe at this location; functions with the same name may have different kinds.
    PidPoint point = PidPoint::Entry;
};

/// A probe that a search has created.
struct PidProbe {
    int64_t pid = 0;
    PidPoint point = PidPoint::Entry;
    /// calling convention by which arguments are read, for an entry probe; always C for other probes
    ProcessView::Calls calls = ProcessView::Calls::C;
    ProcessView::Calls function_calls = ProcessView::Calls::C; ///< calling convention of the probe's function
    /// whether the probe's function name is an alias of the function's main name
    bool is_alias = false;
    std::vector<std::string> serving; ///< names of the functions that implement an indirect function
    bool is_chosen = false;           ///< whether the process calls all functions in `serving`, not just one of them
    std::vector<PidPlace> places;
};

using PidProbes = std::map<std::string, PidProbe>; ///< probes by full name

class PidSearch {
public:
    /// If `sink` is not null, it receives the probes, which are also stored in `probes`. If `visit` is not null, it
    /// receives the matches that got no probe, with the reasons. `pid` is the process that the description names; 0
    /// means any process that maps the file (pid@). All arguments must outlive this object.
    PidSearch(KernelView& kernel, PidProbes& probes, Unwinders& unwinders, const ProbePattern& pattern, ProbeSink* sink,
              const Provider::VisitAbsent* visit, int64_t pid)
        : kernel_(kernel), probes_(probes), unwinders_(unwinders), pattern_(pattern), sink_(sink), visit_(visit),
          pid_(pid)
    {
    }

    /// Searches the objects of `process`: the process that the description names, or a descendant of it that is traced
    /// too.
    Result<void> run(const std::vector<ProcessView::Object>& objects, int64_t process);
    bool has_found() const { return !found_.empty(); }
    /// Returns whether the description names an indirect function that cannot be probed. This is an error even if other
    /// probes were found.
    bool has_refused() const { return !absent_ifunc_.empty(); }

private:
    using Object = ProcessView::Object;
    using Function = ProcessView::Function;
    using Calls = ProcessView::Calls;

    /// Finds the instruction for a description that contains a link-time address of the program instead of a function.
    Result<void> address(const Object& object);
    Result<void> functions(const Object& object);
    /// Finds the instructions for a description that names source lines.
    Result<void> lines(const std::vector<Object>& objects, const ProcessView::LinePattern& lines);
    void line(const Object& object, const ProcessView::Statement& statement, bool is_32bit);
    /// Returns whether the description matches the symbol as a function. An exact name matches any symbol. A pattern
    /// matches only whole functions, and no cold parts, for example.
    static bool matches_probe(const Function& function);
    /// Adds those probes of `function` whose names match the description.
    Result<void> points(const Object& object, const Function& function);
    const machine::Machine& machine() const;
    /// Returns why the first instruction of the function cannot have a probe; empty if it can.
    std::string_view refusal_at(const PidPlace& begin) const;
    /// Returns why a function's entry probe can be placed neither on the first instruction nor on one shortly after it;
    /// empty if it can be placed.
    std::string_view refusal_of_entry(const PidPlace& begin, Calls calls) const;
    /// Adds a return probe that is attached to the return instructions. The kernel's own return probes replace the
    /// return address on the stack, which has three problems. When Go moves the stack, it does not expect a replaced
    /// address. Unwinding cannot continue beyond the replaced address, so an exception would end the process. A
    /// function that returns twice cannot use the replaced address a second time.
    void leave(const Object& object, const std::string& module, const Function& function, PidPlace begin);
    /// Records the address ranges of the function's code, by which the tracer later determines whether unwinding has
    /// ended a call of the function (an abandoned call).
    void note_code(const Object& object, PidPlace& begin);
    /// Returns whether a return probe must be placed on the return instructions because of recursion: if the function
    /// may call itself and has no tail calls. The kernel's return probes follow at most 64 nested calls and ignore
    /// deeper ones without a report. But a tail call leaves the function before its result is computed, so for a
    /// function with tail calls, only the kernel's return probes can report the result.
    bool is_recursive(const PidPlace& begin) const;
    /// Finds the instructions that leave the function: return instructions and tail calls, also in the function's cold
    /// part. Returns a reason if these instructions cannot have probes.
    std::string find_leaves(const Object& object, const Function& function, PidPlace& begin) const;
    /// Reads the code of a function. If the function's size is unknown, reads at least the instruction at `offset`.
    FunctionCode code_of(const PidPlace& begin, uint64_t offset) const;
    bool clobbers(const FunctionCode& code) const;
    Result<void> one_offset(const std::string& module, const Function& function, const PidPlace& begin,
                            uint64_t offset);
    void add_offset(const std::string& module, const Function& function, const PidPlace& begin, uint64_t offset,
                    const FunctionCode::Placement& place);
    void all_offsets(const std::string& module, const Function& function, const PidPlace& begin);
    void add(const std::string& module, const std::string& function, const std::string& name, PidPoint point,
             PidPlace place, Calls calls = Calls::C, Calls function_calls = Calls::C);
    /// Records why a matching name has no probe. This becomes an error if no other match gets a probe.
    void exclude(const std::string& module, const std::string& function, const std::string& name,
                 std::string_view reason);
    std::string ifunc_reason(const Function& function, std::string_view reason) const;
    Error invalid_name() const;
    Error not_created(const std::string& reason) const;

    KernelView& kernel_;
    PidProbes& probes_;
    Unwinders& unwinders_;
    const ProbePattern& pattern_;
    ProbeSink* sink_;
    const Provider::VisitAbsent* visit_;
    int64_t pid_;
    int64_t process_ = 0;
    std::set<const PidProbe*> found_;
    bool is_alias_ = false; ///< whether the alias of a function has led to the function that is being searched
    /// The function that is being searched; null while an address outside of all functions is searched.
    const ProcessView::Function* function_ = nullptr;
    std::string last_file_;
    ProcessView::Identity last_identity_ = {}; ///< device and inode numbers of the file `last_file_`
    std::string absent_;                       ///< reason why a function whose name matches has no probe
    std::string absent_ifunc_; ///< reason why an indirect function, or a function that implements it, has no probe
    bool unwinds_ = false;     ///< whether unwinding may end a call of one of the matching functions
};

// Variables of traced programs at probes of provider pid. A probe may have several instructions, for example one in
// each copy of an inlined function, and a variable may have a different location at each of them.

class PidVariables {
public:
    explicit PidVariables(KernelView& kernel) : kernel_(kernel) {}

    struct Instruction {
        std::string file;
        ProcessView::Identity identity = {};
        uint64_t offset = 0; ///< offset in the file
        auto operator<=>(const Instruction&) const = default;
    };
    using Locations = std::map<std::string, VariableLocation>;

    /// Returns the variables that are visible at all instructions. With an empty name, these are all variables of the
    /// function; otherwise only the variable with this name.
    ProbeVariables find(const std::vector<Instruction>& instructions, const std::string& name);
    /// Returns the locations of variables at an instruction, without those that cannot be read there.
    Locations locations(const Instruction& instruction, const std::set<std::string>& names);

private:
    const ProcessView::Variables& at(const Instruction& instruction, const std::string& name);

    KernelView& kernel_;
    std::map<std::tuple<Instruction, std::string>, ProcessView::Variables> known_;
};

} // namespace dt::probes
