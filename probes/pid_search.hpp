// One description of pidN, looked up in one process: which places in files it means, and why others have no probe.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.hpp"
#include "probes/pid_points.hpp"
#include "probes/process_view.hpp"
#include "probes/provider.hpp"
#include "probes/unwinders.hpp"
#include "probes/uprobe_placement.hpp"

namespace dt::probes {

constexpr uint64_t kLongestPidFunction = 1 << 20; ///< bytes of a function that are looked at

/// An error of a description, by its tag (dtrace-errors(7), PROBES OF PROCESSES).
Error pid_error(const char* tag, std::string message);

struct PidPlace {
    std::string file;
    uint64_t offset = 0;
    uint64_t size = 0;                   ///< bytes of the function, where it begins there; 0: not known
    bool is_32bit = false;               ///< code for the 32-bit mode
    std::vector<uint64_t> leaves = {};   ///< of Leave: where in the file
    std::vector<LeftCode> code = {};     ///< of Leave where the process unwinds its stack
    ProcessView::Identity identity = {}; ///< of the file, when it was looked at
    PidPoint point = PidPoint::Entry;    ///< of functions of one name some may be left otherwise than others
};

/// A probe that was made.
struct PidProbe {
    int64_t pid = 0;
    PidPoint point = PidPoint::Entry;
    ProcessView::Calls calls = ProcessView::Calls::C;          ///< of an entry
    ProcessView::Calls function_calls = ProcessView::Calls::C; ///< of its function
    bool is_alias = false;                                     ///< by another name of it
    std::vector<std::string> serving; ///< of an indirect function: names of those that serve by its name
    bool is_chosen = false;           ///< of those the process calls each; else one of them
    std::vector<PidPlace> places;
};

using PidProbes = std::map<std::string, PidProbe>; ///< by full name

class PidSearch {
public:
    /// sink, where it is not null, takes the probes, which are noted in `probes`; visit, where it is not null, takes
    /// what has no probe, and why. The process is the one of number `pid`; 0: any that has the file (pid@). All must
    /// outlive it.
    PidSearch(KernelView& kernel, PidProbes& probes, Unwinders& unwinders, const ProbePattern& pattern, ProbeSink* sink,
              const Provider::VisitAbsent* visit, int64_t pid)
        : kernel_(kernel), probes_(probes), unwinders_(unwinders), pattern_(pattern), sink_(sink), visit_(visit),
          pid_(pid)
    {
    }

    /// Looks through objects of `process`: that of the description, or one that is followed because of it.
    Result<void> run(const std::vector<ProcessView::Object>& objects, int64_t process);
    bool has_found() const { return !found_.empty(); }
    /// Is an indirect function meant, by name, that cannot be probed? Then it is an error, whatever else was found.
    bool has_refused() const { return !absent_indirect_.empty(); }

private:
    using Object = ProcessView::Object;
    using Function = ProcessView::Function;
    using Calls = ProcessView::Calls;

    /// By an address in the program, as its file has it.
    Result<void> address(const Object& object);
    Result<void> functions(const Object& object);
    /// Is it a function in its own right? What is spelled out is meant in any case.
    static bool is_meant(const Function& function);
    /// The probes of a function that the name stands for.
    Result<void> points(const Object& object, const Function& function);
    const machine::Machine& machine() const;
    /// Why the first instruction can have no probe; empty: it can.
    std::string_view refusal_at(const PidPlace& begin) const;
    /// Why the entry can have no probe, neither there nor a little later; empty: it can.
    std::string_view refusal_of_entry(const PidPlace& begin, Calls calls) const;
    /// The kernel's return probes put another address in place of the one on the stack, which Go does not expect
    /// when it moves the stack, from which nobody can unwind (an exception that passes through would end the
    /// process), and to which nobody can return a second time.
    void leave(const Object& object, const std::string& module, const Function& function, PidPlace begin);
    /// Calls that are unwound are told by addresses.
    void note_code(const Object& object, PidPlace& begin);
    /// Of one call inside of the other the kernel follows 64 at most, and says nothing of the others. A function
    /// that ends with a call of another is left before its result is known, which the kernel waits for.
    bool is_recursive(const PidPlace& begin) const;
    /// Fills in where the function is left: its return instructions and jumps to other functions, in it and in the
    /// part of it that is seldom used. Returns why it cannot have a probe there.
    std::string find_leaves(const Object& object, const Function& function, PidPlace& begin) const;
    /// The code of a function, at least to behind `offset` where its size is not known.
    FunctionCode code_of(const PidPlace& begin, uint64_t offset) const;
    bool clobbers(const FunctionCode& code) const;
    Result<void> one_offset(const std::string& module, const Function& function, const PidPlace& begin,
                            uint64_t offset);
    void add_offset(const std::string& module, const Function& function, const PidPlace& begin, uint64_t offset,
                    const FunctionCode::Place& place);
    void all_offsets(const std::string& module, const Function& function, const PidPlace& begin);
    void add(const std::string& module, const std::string& function, const std::string& name, PidPoint point,
             PidPlace place, Calls calls = Calls::C, Calls function_calls = Calls::C);
    /// An error when nothing else is meant.
    void left_out(const std::string& module, const std::string& function, const std::string& name,
                  std::string_view reason);
    std::string reason_of_indirect(const Function& function, std::string_view reason) const;
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
    bool is_alias_ = false;                           ///< of the function that is looked at
    const ProcessView::Function* function_ = nullptr; ///< that; null: a place without a function
    std::string last_file_;
    ProcessView::Identity last_identity_ = {}; ///< of that
    std::string absent_;                       ///< why something of the function's name has no probe
    std::string absent_indirect_;              ///< the same of an indirect function, or of one that serves for it
    bool unwinds_ = false;                     ///< some of its functions that are meant may be unwound
};

} // namespace dt::probes
