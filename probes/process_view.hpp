// What the pid provider must know of a running process: its files and their functions. The live one reads /proc and ELF
// (libdtrace/), tests bring a table.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/probes.hpp"
#include "base/result.hpp"
#include "probes/user_probe.hpp"

namespace dt::probes {

class ProcessView {
public:
    /// A file of which code is mapped into the process.
    struct Object {
        std::string path;           ///< as the process names it
        bool is_executable = false; ///< the program itself, which D calls a.out
        std::string file = {};      ///< as it is opened here
        uint64_t start = 0;         ///< of its lowest mapping: the address,
        uint64_t offset = 0;        ///< and what is there of the file
    };
    /// Device and inode of a file, by its name here. The same name may be another file's when it is looked at again:
    /// names of mappings are their addresses.
    using Identity = std::array<uint64_t, 2>;
    virtual Identity identity(const std::string& file)
    {
        static_cast<void>(file);
        return {};
    }

    /// Where a function takes its arguments from.
    enum class Calls : uint8_t {
        C,        ///< the platform's registers, then the stack
        C32,      ///< the stack, words of 32 bits: a 32-bit program
        Go,       ///< the registers of Go (its ABIInternal)
        GoOnStack ///< the stack alone (its ABI0)
    };
    struct Function {
        std::string name;  ///< as its author wrote it
        uint64_t size = 0; ///< bytes; 0: not told
        std::optional<uint64_t> place =
            0; ///< offset of its first byte in the file; nothing: it is not in a part that is mapped as code
        bool is_indirect = false; ///< it chooses, when the program starts, which other function serves by its name, and
                                  ///< nothing tells which
        bool is_cold = false;     ///< the seldom used part of another, which the compiler moved away
        Calls calls = Calls::C;
        bool moves_stack =
            false; ///< of a Go program, which may move the stack while it runs: no return address on it may be changed
        bool unwinds =
            false; ///< of a process that may unwind its stack, for an exception or to end a thread: neither here
        bool is_alias = false;  ///< the name is not the one by which the function is known: what means that too has no
                                ///< probe by this one
        bool serves = false;    ///< it serves by the name of an indirect function, which is `name`
        bool is_chosen = false; ///< of one that serves: the process calls it; else perhaps another of the name
        std::string own_name = {}; ///< of one that serves, by which stacks show it; empty: its file has none
    };
    /// A symbol that covers a place in a file.
    struct Code {
        uint64_t offset = 0, size = 0; ///< in the file
        bool is_cold = false; ///< the seldom used part of a function, which the compiler moved away from the rest
    };

    /// A function of the library that unwinds stacks.
    struct UnwinderFunction {
        uint32_t which = 0;  ///< DT_UNWOUND_…: what its call says
        uint64_t offset = 0; ///< in the file
        uint64_t size = 0;
    };
    /// [start, end) of a file.
    struct Range {
        uint64_t start = 0, end = 0;
    };

    /// A parameter, or what a function gives back.
    struct Value {
        std::string name; ///< of a parameter, where it is known
        uint8_t word = 0; ///< which of the probe's arguments (arg0, …) it is; that of its first word if it is several
        std::string refusal;                         ///< why it is not a number or pointer in that word; empty: it is
        std::function<const Type*(TypeTable&)> type; ///< null: it cannot be told
    };
    /// What debug information tells of a function.
    struct Prototype {
        std::vector<Value> parameters;
        std::optional<Value> result; ///< nothing: it gives back nothing
        std::string untyped;         ///< why nothing is known; empty: the rest is filled in
        std::string note;            ///< what a user of the types must know; mostly nothing
    };

    virtual ~ProcessView() = default;

    virtual bool is_tracer(int64_t pid) = 0;
    /// The mapped files, the program itself first. Error: why the process cannot be looked at ("No such process").
    virtual Result<std::vector<Object>> objects(int64_t pid) = 0;
    /// A file, as whoever maps it: of that, and not of a process, the other members then tell. By its path; by its
    /// build id (is_build_id) all copies that processes map, or have mapped since a run began. Error: why there is
    /// none.
    virtual Result<std::vector<Object>> files(const std::string& which) = 0;
    /// The functions of an object of the process last asked for, whose name matches the glob, as the file or as its
    /// author has it, one an address; none when the file cannot be read. A name without globs may be an alias: the
    /// function has the name by which it is known. For an indirect function there are those that serve, by its name:
    /// the one that the process calls, or, as long as nothing tells which that is, all that may be.
    virtual std::vector<Function> functions(const Object& object, std::string_view pattern) = 0;
    /// The types of the function, by name, that begins at an offset in a file, which objects() gave as Object::file.
    virtual Prototype prototype(const std::string& /* file */, uint64_t /* offset */, const std::string& /* function */,
                                Calls)
    {
        return {};
    }
    /// Where the byte is in the object's file that is code at a link-time address; nothing: there is no code.
    virtual std::optional<uint64_t> place_of(const Object& object, uint64_t address) = 0;
    /// What lies at a place of the object's file; nothing: no symbol tells.
    virtual std::optional<Code> code_at(const Object& /* object */, uint64_t /* place */) { return {}; }
    /// The code of a function that begins at a place of the object's file and has `size` bytes there: that, and its
    /// seldom used part.
    virtual std::vector<Range> code_of(const Object& /* object */, uint64_t /* place */, uint64_t /* size */)
    {
        return {};
    }
    /// What the object's file has of the library that unwinds stacks; mostly nothing.
    virtual std::vector<UnwinderFunction> unwinder(const Object& /* object */) { return {}; }
    /// The probes that an object's file carries; addresses in their arguments are those of the process.
    virtual std::vector<UserProbe> user_probes(const Object& object) = 0;
    /// A place in a running program that its own engine serves (embed/dtrace_engine.h).
    struct ApplicationSite {
        std::string provider, module, function, name;
        std::vector<std::string> types; ///< of its arguments
    };
    /// Those of a process; none: it has none, or is not ours to look at.
    virtual std::vector<ApplicationSite> application_sites(int64_t /* pid */) { return {}; }
    /// A name by which the object's file can be opened as long as this is there, the same for all processes that map
    /// it; empty: it cannot be opened.
    virtual std::string kept(const Object& object) { return object.file; }
    /// The processes of this session (-c, -p), or, with `everywhere`, all there are.
    virtual std::vector<int64_t> pids(bool everywhere) = 0;
    /// Files that processes have mapped since a run began, as nobody maps them any more, perhaps.
    virtual std::vector<Object> later_files() { return {}; }
    /// Is it a process of this session whose children are traced with it (-x follow)?
    virtual bool is_followed(int64_t) { return false; }
    /// The process, and those that are traced because it is, whose files are to be looked at.
    virtual std::vector<int64_t> tree(int64_t pid) { return {pid}; }
    /// Has the first thread of the process ended before the process? The kernel limits probes to a process by it.
    virtual bool has_lost_leader(int64_t) { return false; }
    /// Bytes of a file, fewer where it ends.
    virtual std::vector<uint8_t> bytes(const std::string& file, uint64_t offset, std::size_t count) = 0;
};

/// Where a probe of a process fires, as far as the plan has to see to it.
FiresIn fires_in(ProcessView& processes, int64_t pid, ProgramKind kind);

/// Returns the process that the kernel is to limit such a probe to: AttachTarget::process.
int64_t attached_process(ProcessView& processes, int64_t pid, FiresIn fires_in);

/// What behind the @ of pid@… or shop@… is a build id, and no path: 16 to 64 hexadecimal digits, an even number.
bool is_build_id(std::string_view text);

/// Does a module component, which may be a glob, mean this file of a process? By "a.out" (the executable), path, last
/// component, or that up to a dot (libc for libc.so.6).
bool is_called(const std::string& path, bool is_executable, const std::string& module);

} // namespace dt::probes
