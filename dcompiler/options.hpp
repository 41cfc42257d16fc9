// Every option of -x, #pragma D option, DTRACE_OPT_* and setopt(): one table (options.cpp), one struct of values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/option_values.hpp"
#include "base/result.hpp"
#include "dcompiler/world.hpp"

namespace dt {

enum class BufferPolicy : uint8_t { Switch, Fill, Ring };
enum class OutputFormat : uint8_t {
#define DT_OUTPUT_FORMAT(enumerator, name) enumerator,
#include "dcompiler/output_formats.def"
#undef DT_OUTPUT_FORMAT
};

/// Where an option is set from; decides which kinds (output-and-cli.md 3: C, R, D) are allowed.
enum class OptionSource : uint8_t { Environment, CommandLine, Pragma, Setopt };

/// Values in force. Sizes are bytes, times nanoseconds. Read the fields; write only through set().
class Options {
public:
    /// Sets an option by name. `value` is empty when there was no "=". Errors carry the library message ("Invalid option name",
    /// "Invalid value for specified option", "Option cannot be used from within a D program", "Operation illegal when tracing is
    /// active", "Option is not available in this version") and nothing else.
    Result<void> set(std::string_view name, std::optional<std::string_view> value, OptionSource source);

    /// What somebody may have meant whom set() told that there is no such option or value; a hint, or empty.
    static std::string meant(std::string_view name);
    /// Every option there is, in the order of the alphabet.
    static std::vector<std::string_view> names();

    // compile time
    bool cpp = false, cpphdrs = false, errtags = false, empty = false, zdefs = false, fbtall = false, pspec = false, defaultargs = false, argref = false;
    bool nolibs = false, droptags = false, aggpercpu = false, debug = false, verbose = false, knodefs = false, unodefs = false;
    std::vector<std::string> cppargs, define, undef, incdir, libdir;
    std::string cpppath = "cpp", syslibdir, ctfpath, modpath, procfspath = "/proc", evaltime = "postinit", follow = "none", linktype = "elf", cgroup;
    std::string flametitle, flamesubtitle, flameunit;
    std::string save; ///< the file that the object goes to; nothing is traced then
    char stdc = 'a';
    DataModel data_model = DataModel::Lp64; ///< -32, -64; the one field that the command sets itself
    std::optional<Attributes> amin;
    uint32_t version = 0x02000000; ///< MMmmmuuu
    bool diag_brief = false;       ///< -x diag=brief
    bool errors_json = false;      ///< -x errors=json
    bool notes = true;             ///< tell of what is no error but hardly meant
    bool core = false;
    uint64_t disasm = 1, tree = 0, preallocate = 0;
    uint64_t opt = 2;    ///< how much the optimizer does: 0 nothing, 1 what is cheap, 2 all
    bool passes = false; ///< tell what each of its passes did
    // run time
    uint64_t bufsize = 4 << 20, aggsize = 4 << 20, dynvarsize = 1 << 20, specsize = 4 << 20, nspec = 1;
    bool bufsize_set = false, aggsize_set = false, dynvarsize_set = false; ///< explicit: a hard limit
    uint64_t strsize = 256, scratchsize = 256, maxframes = 127, stackframes = 20, ustackframes = 100, pcapsize = 1520;
    std::optional<uint64_t> cpu, memlimit;
    uint64_t statusrate = 1'000'000'000;
    BufferPolicy bufpolicy = BufferPolicy::Switch;
    bool wallclock = false; ///< what a record prints begins with the time of day
    std::string bufresize = "auto", escape = "auto";
    OutputFormat format = OutputFormat::Text;
    bool destructive = false, firings = false, bpflog = false, temporal = true, noresolve = false, srclines = false, top = false, timing = false;
    uint64_t bpflogsize = 16777215, lockmem = UINT64_MAX;
    // dynamic
    uint64_t switchrate = 0, aggrate = 0, printsize = 8192, stackindent = 14, aggsortpos = 0, aggsortkeypos = 0;
    bool quiet = false, flowindent = false, flameicicle = false, quietresize = false, rawbytes = false;
    bool aggsortkey = false, aggsortrev = false, agghist = false, aggpack = false, aggzoom = false;
};

} // namespace dt
