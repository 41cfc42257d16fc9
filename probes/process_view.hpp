// Interface through which providers read a running process: its files, their functions, and the probes that they were
// built with. libdtrace implements it by /proc and ELF files, and tests implement it with fixed data.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/interface/plan.hpp"
#include "dcompiler/interface/probes.hpp"

namespace dt::probes {

/// An instruction of a program at which a USDT probe fires.
struct UserSite {
    uint64_t place = 0; ///< file offset of the instruction at which the probe fires
    /// file offset of a counter that is not 0 while the probe is enabled; 0 if the site has no counter
    uint64_t counter = 0;
    std::vector<Location> arguments; ///< locations of the arguments, in the order of UserProbe::native
};

/// The sites (instructions) of one probe in one function.
struct UserProbe {
    std::string provider; ///< name of the provider, without a process id at its end
    std::string function, name;
    std::vector<UserSite> sites;
    /// File offsets of the instructions at which the program queries whether the probe is enabled. If a tracer attaches
    /// to such an instruction, its BPF program stores 1 in the memory to which the first argument points.
    std::vector<uint64_t> is_enabled_sites;
    /// D types of the arguments that the program passes (`native`), and of args[]. If `translated` is empty, args[] has
    /// the types of `native`.
    std::vector<std::string> native, translated;
    /// If `translated` is not empty, args[i] is the argument mapping[i] of the program, converted to its D type.
    std::vector<uint8_t> mapping;
    std::string remark; ///< remark for users about the probe's arguments; usually empty
    /// For each argument: the reason why its location is unknown, or an empty text if it is known.
    std::vector<std::string> refusals;
};

class ProcessView {
public:
    /// A file whose code is mapped into the process.
    struct Object {
        std::string path;           ///< path of the file as seen by the process
        bool is_executable = false; ///< whether the file is the program itself, which is named a.out in D
        std::string file = {};      ///< path by which the tracer can open the file
        uint64_t start = 0;         ///< address of the lowest mapping of the file in the process
        uint64_t offset = 0;        ///< offset in the file at which its lowest mapping starts
    };
    /// Device and inode numbers of the file that `file` names. Paths of mapped files contain addresses, so after a
    /// change of mappings the same path may lead to another file.
    using Identity = std::array<uint64_t, 2>;
    virtual Identity identity(const std::string& file)
    {
        static_cast<void>(file);
        return {};
    }

    /// How a function's arguments are passed.
    enum class Calls : uint8_t {
        C,        ///< arguments are in the registers of the platform's calling convention, then on the stack
        C32,      ///< arguments are on the stack as 32-bit words, in 32-bit programs
        Go,       ///< arguments are in the registers of Go's own convention (ABIInternal)
        GoOnStack ///< arguments are only on the stack, by Go's convention ABI0
    };
    struct Function {
        std::string name;  ///< function name as in the source
        uint64_t size = 0; ///< size of the function in bytes; 0 if unknown
        /// File offset of the function's first byte; no value if no segment mapped as code contains the function.
        std::optional<uint64_t> place = 0;
        /// Whether the function is an IFUNC resolver whose choice of an implementation is unknown. The resolver runs at
        /// program start.
        bool is_ifunc = false;
        bool is_cold = false; ///< whether this is not a whole function but the cold part of one
        Calls calls = Calls::C;
        /// Whether the function belongs to a Go program. Go may move the stack, so return addresses must not be
        /// replaced.
        bool moves_stack = false;
        /// Whether the process may unwind its stack, for exceptions or to end threads. If so, return addresses must not
        /// be replaced.
        bool unwinds = false;
        /// Whether `name` is an alias of the function. A pattern that also matches the function's main name makes no
        /// probe for the alias.
        bool is_alias = false;
        bool serves = false; ///< whether the function implements an indirect function (IFUNC) named `name`
        /// For an implementation of an indirect function (`serves` is set): whether it is certain that the process
        /// calls it. If not, the process may call another implementation.
        bool is_chosen = false;
        /// For an implementation of an indirect function (`serves` is set): its own name, which appears in stacks.
        /// Empty if the file lacks the name.
        std::string own_name = {};
    };
    /// The symbol, in a file, whose range contains a given offset.
    struct Code {
        uint64_t offset = 0, size = 0; ///< file offset and size of the symbol's range in bytes
        /// whether the symbol names the cold part of a function, which the compiler has moved to another address
        bool is_cold = false;
    };

    /// A function of the unwinder, the library code that walks stacks for exceptions.
    struct UnwinderFunction {
        uint32_t which = 0;  ///< a constant DT_UNWINDER_…, which says what a call of the function means
        uint64_t offset = 0; ///< file offset of the unwinding function
        uint64_t size = 0;
    };
    /// A range of offsets in a file, [start, end).
    struct Range {
        uint64_t start = 0, end = 0;
    };

    /// A parameter or the result of a function.
    struct Value {
        std::string name;    ///< name of the parameter, if known; empty for a result
        uint8_t word = 0;    ///< index of the probe argument (arg0, …) that contains the value or its first word
        std::string refusal; ///< reason why no probe argument contains the value itself; empty if `word` contains it
        /// callback that creates the value's type in a type table; null if the type is unknown
        std::function<const Type*(TypeTable&)> type;
        /// for a structure: how its bytes are distributed over the probe arguments that begin with `word`
        StructureForm form = StructureForm::Bytes;
    };
    /// The types of a function's parameters and result, from debug information.
    struct Prototype {
        std::vector<Value> parameters;
        std::optional<Value> result; ///< the function's result; no value if the function has no result
        std::string untyped;         ///< reason why the types are unknown; empty if they are known
        std::string note;            ///< remark for users about the types; usually empty
    };

    /// Selects source lines of a file, or of a function in a file. The members are globs.
    struct LinePattern {
        std::string file;     ///< last component of the path of the source file
        std::string function; ///< glob for the function that contains the lines; empty for any function
        /// number of the line in the file; if `is_relative` is set, the number of lines after the one that declares the
        /// function
        std::string line;
        bool is_relative = false;
    };
    /// A machine instruction at which the code of a source line begins.
    struct Statement {
        std::string function; ///< name of the function in the source; its code may be inlined into another function
        std::string file;     ///< last component of the path of the source file
        uint64_t line = 0;
        uint64_t place = 0; ///< file offset of the instruction in the object's file
    };
    struct Statements {
        std::vector<Statement> found;
        std::string problem;   ///< reason why no statements were found; empty if some were found
        bool is_32bit = false; ///< whether the object contains the code of a 32-bit program
    };

    /// A variable that is visible at an instruction, from debug information.
    struct Variable {
        std::string name;
        /// callback that creates the variable's type in a type table
        std::function<const Type*(TypeTable&)> type;
        std::string refusal; ///< reason why the variable has no location there; empty if it has one
        bool is_parameter = false;
        VariableLocation location; ///< location of the variable's value when the probe fires
    };
    struct Variables {
        std::vector<Variable> found;
        std::string problem; ///< reason why the variables are unknown; empty if they are known
    };

    /// A symbol of a process: a variable, or a function.
    struct Symbol {
        uint64_t address = 0, size = 0; ///< address in the process, and size in bytes; size 0: unknown
        bool is_function = false;
    };

    virtual ~ProcessView() = default;

    virtual bool is_tracer(int64_t pid) = 0;
    /// Returns the mapped files, the program first. The error says why the process cannot be read ("No such process").
    virtual Result<std::vector<Object>> objects(int64_t pid) = 0;
    /// Returns a file independently of processes. Later calls that refer to the last queried process use this file.
    /// `which` is a path or a build id (is_build_id()). For a build id, the result contains all copies of the file that
    /// processes have mapped since the run began. The error is the reason why there is no such file.
    virtual Result<std::vector<Object>> files(const std::string& which) = 0;
    /// Returns the functions, in an object of the last queried process, whose mangled or demangled names match the
    /// glob; one function for each address. Empty if the file cannot be read. A name without globs may be an alias; the
    /// result contains the function's main name. An indirect function yields the functions that implement it, under its
    /// name: the chosen one, or all candidates while the choice is unknown.
    virtual std::vector<Function> functions(const Object& object, std::string_view pattern) = 0;
    /// Returns the types of the function with this name at an offset of a file (Object::file).
    virtual Prototype prototype(const std::string& /* file */, uint64_t /* offset */, const std::string& /* function */,
                                Calls)
    {
        return {};
    }
    /// Returns the variables that are visible at an offset of a file (Object::file). With an empty name, these are all
    /// variables of the function; otherwise only the variable with this name, which may be global.
    virtual Variables variables(const std::string& /* file */, uint64_t /* offset */, const std::string& /* name */)
    {
        return {};
    }
    /// Returns the statements of source lines in an object of the last queried process, from its debug information.
    virtual Statements statements(const Object& /* object */, const LinePattern&) { return {}; }
    /// Finds a variable or function by its name in the object files of a process. An empty module means the first
    /// object that defines the name. Thread-local variables have no address and are not found.
    virtual std::optional<Symbol> symbol(int64_t /* pid */, const std::string& /* module */,
                                         const std::string& /* name */)
    {
        return {};
    }
    /// Returns the file offset of the code at a link-time address; nothing if there is no code.
    virtual std::optional<uint64_t> place_of(const Object& object, uint64_t address) = 0;
    /// Returns the symbol whose range contains an offset of the object's file; nothing if there is none.
    virtual std::optional<Code> code_at(const Object& /* object */, uint64_t /* place */) { return {}; }
    /// Returns the code ranges of a function with `size` bytes at an offset: its body and its cold part.
    virtual std::vector<Range> code_of(const Object& /* object */, uint64_t /* place */, uint64_t /* size */)
    {
        return {};
    }
    /// Returns the functions that unwind stacks, if the object's file contains an unwinder. Returns none for other
    /// files.
    virtual std::vector<UnwinderFunction> unwinder(const Object& /* object */) { return {}; }
    /// Returns the probes that an object's file describes; addresses in the locations of their arguments are addresses
    /// in the process.
    virtual std::vector<UserProbe> user_probes(const Object& object) = 0;
    /// A probe site in a running program at which the program's own engine runs the clauses
    /// (engine/embed/dtrace_engine.h).
    struct ApplicationSite {
        std::string provider, module, function, name;
        std::vector<std::string> types; ///< D types of the site's arguments
    };
    /// Returns the sites of a process; an empty list if there are none or access is denied.
    virtual std::vector<ApplicationSite> application_sites(int64_t /* pid */) { return {}; }
    /// Returns a path by which the object's file can be opened; empty if it cannot. The path is valid as long as this
    /// object exists, and is the same for all processes that map the file.
    virtual std::string kept(const Object& object) { return object.file; }
    /// Returns the processes of this session (-c, -p), or all processes of the machine if `everywhere` is set.
    virtual std::vector<int64_t> pids(bool everywhere) = 0;
    /// Returns the files that processes have mapped since the run began, even if no process maps them anymore.
    virtual std::vector<Object> later_files() { return {}; }
    /// Returns whether the process belongs to this session and its children are traced too (-x followchildren).
    virtual bool is_followed(int64_t) { return false; }
    /// Returns the process itself and its traced descendants (-x followchildren).
    virtual std::vector<int64_t> tree(int64_t pid) { return {pid}; }
    /// Returns whether the first thread has ended before its process. The kernel identifies a probe's process by its
    /// first thread.
    virtual bool has_no_leader(int64_t) { return false; }
    /// Returns bytes of a file; at the end of the file, fewer bytes than requested.
    virtual std::vector<uint8_t> bytes(const std::string& file, uint64_t offset, std::size_t count) = 0;
};

/// The kernel may be unable to limit the probe to process `pid`. Returns the check by which the BPF program itself must
/// then test in which process it runs.
ProcessScope process_scope(ProcessView& processes, int64_t pid, ProgramKind kind);

/// Returns the process id for AttachTarget::process, by which the kernel limits the probe to a process.
int64_t attached_process(ProcessView& processes, int64_t pid, ProcessScope process_scope);

/// Returns whether the text after the @ of pid@… or shop@… is a build id and not a path: an even number of 16 to 64
/// hexadecimal digits.
bool is_build_id(std::string_view text);

/// Returns whether a module component, which may be a glob, matches this file of a process. The component is compared
/// with "a.out" (the executable), the path, its last component, and that component up to a dot (libc for libc.so.6).
bool matches_file(const std::string& path, bool is_executable, const std::string& module);

} // namespace dt::probes
