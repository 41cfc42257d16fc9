// Conversion of addresses to text: kernel addresses through kallsyms, user addresses through a process's mappings and
// the ELF symbols of its files.
//
// Nothing is read before the first address is printed: most scripts never print one, and kallsyms alone has ten
// megabytes. Symbols of files are kept between runs; mappings of processes and JIT code belong to one run. Forms of
// text: dtrace-output(7), STACKS.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/world/address_origin.hpp"

namespace dt {

class ForeignFiles;
class KernelSymbols;

class Symbols {
public:
    using Form = Datum::Address; ///< Symbol: module`name; Module: module; Exact: module`name+0xoff

    /// `proc` is the mount point of procfs (option procfspath). `kernel` and `foreign` are shared with other users, so
    /// that symbols are read only once: the kernel's symbols and the sandboxed readers of files.
    explicit Symbols(const std::string& proc = "/proc", std::shared_ptr<KernelSymbols> kernel = nullptr,
                     std::shared_ptr<ForeignFiles> foreign = nullptr);
    ~Symbols();
    Symbols(const Symbols&) = delete;
    Symbols& operator=(const Symbols&) = delete;

    /// Meaning of an address: Exact for the instruction itself, Return for a return address (the instruction after a
    /// call). A call may be the last instruction of its function.
    enum class Use : uint8_t { Exact, Return };

    /// Starts tracking the mappings of processes through the kernel, so that addresses of ended or replaced programs
    /// can be resolved. Call it before recording starts, if programs record user addresses.
    /// `everyone`: addresses may also come from processes that already run.
    /// `are_kept`: addresses may be resolved long after they were recorded, so more data of ended processes is kept.
    void follow_processes(bool everyone, bool are_kept);
    /// Limits the memory for names of user addresses: data of processes and files, and texts. Without a value, the
    /// limit is kMostMemory.
    static constexpr uint64_t kMostMemory = 224 << 20; ///< bytes
    void limit_memory(std::optional<uint64_t> bytes);
    /// Enables source lines, such as " (file.c:12)", after user addresses with debug information.
    void want_lines(bool wanted);
    /// Processes mapping events. Call it before each pass over samples.
    void update();
    /// Returns a descriptor that is readable when update() should be called soon because the kernel's buffer fills up,
    /// or -1.
    int descriptor() const;
    /// Returns the number of files whose symbols could not be read because too many files were open.
    uint64_t unread_files() const;
    /// Returns the number of processes whose addresses cannot be resolved because their data was evicted after they
    /// ended.
    uint64_t forgotten_processes() const;
    /// Returns a number that changes when the process's mappings may have changed, if processes are followed.
    uint64_t mappings_version(int64_t pid);
    /// Ends a run: stops tracking and discards data that may differ in the next run.
    void end_run();

    /// Sets the time at which user addresses are resolved (CLOCK_MONOTONIC ns) during its lifetime; 0, as without it,
    /// means any time.
    class Moment {
    public:
        Moment(Symbols& symbols, uint64_t time);
        ~Moment();
        Moment(const Moment&) = delete;
        Moment& operator=(const Moment&) = delete;

    private:
        Symbols& symbols_;
        uint64_t before_;
    };

    /// Returns the text of a kernel address, or "0xaddr" if it is not known. Valid until the next call of any member.
    std::string_view kernel(uint64_t address, Form form, Use use = Use::Exact);

    /// Returns the text of an address of process `pid` (0: unknown process). With `noresolve` (the option):
    /// "file:0xoffset". Returns "[incomplete]" for the return address DT_FRAMES_INCOMPLETE.
    std::string_view user(int64_t pid, uint64_t address, Form form, bool noresolve = false, Use use = Use::Exact);

    /// Returns the texts of the functions that were inlined at a user address, innermost first; empty if lines are
    /// disabled. Each is an additional frame that precedes user()'s. Valid until the next call of any member.
    const std::vector<std::string>& inlined(int64_t pid, uint64_t address, Form form, Use use);

    /// Return the mapping, file and functions of an address, without functions if `noresolve`. Include inlined
    /// functions and lines if lines are enabled.
    AddressOrigin origin_in_kernel(uint64_t address, Use use);
    AddressOrigin origin_in_user(int64_t pid, uint64_t address, Use use, bool noresolve);

    /// Return the start of the symbol (or of the module, for Form::Module) that contains `address`, so that addresses
    /// with equal text compare equal. Return `address` itself for Exact or if nothing is known.
    uint64_t reduce_kernel(uint64_t address, Form form);
    uint64_t reduce_user(int64_t pid, uint64_t address, Form form);

    /// Makes kernel addresses 1-based indices into `texts`, for recordings from another machine that include their
    /// texts.
    void know_texts(std::vector<std::string> texts);

    /// Reads a process's mappings now, so that its addresses can be resolved after it exits. Called for -c and -p
    /// targets when they stop, and again shortly before. Costs one read of /proc/PID/maps; symbol tables are still read
    /// on demand.
    void remember(int64_t pid);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
