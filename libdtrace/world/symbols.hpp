// Addresses to text: kernel addresses through kallsyms, user addresses through a process's mappings and its files' ELF
// symbols.
//
// Nothing is read before the first address has to be printed: most scripts never print one, and kallsyms alone is ten
// megabytes of text. What was read of files is kept; what processes map and the kernel compiles is of one run. Text
// forms: dtrace-output(7), STACKS.
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

    /// `proc` is the mount point of procfs (option procfspath). `kernel`: where others look kernel symbols up as well,
    /// so that these are read once. `foreign`: who has the files of processes read, likewise.
    explicit Symbols(const std::string& proc = "/proc", std::shared_ptr<KernelSymbols> kernel = nullptr,
                     std::shared_ptr<ForeignFiles> foreign = nullptr);
    ~Symbols();
    Symbols(const Symbols&) = delete;
    Symbols& operator=(const Symbols&) = delete;

    /// What an address stands for: itself, or the instruction after a call. A call may be the last instruction of its
    /// function.
    enum class Use : uint8_t { Exact, Return };

    /// From now on the kernel tells what processes map, so that addresses of those that are gone, or have become
    /// another program, are known as well. For programs that record user addresses; before anything is recorded.
    /// `everyone`: addresses may be of whoever runs already.
    /// `are_kept`: addresses may be asked for long after they were recorded, and so more of who has ended is known.
    void follow_processes(bool everyone, bool are_kept);
    /// Most that is kept for the names of user addresses: of processes, of what was read of files, of texts. None: as
    /// much as is usual, kMostMemory.
    static constexpr uint64_t kMostMemory = 224 << 20; ///< bytes
    void limit_memory(std::optional<uint64_t> bytes);
    /// From now on user addresses have the line of their source behind them, where there is debug information: "
    /// (file.c:12)".
    void want_lines(bool wanted);
    /// Notes what processes have mapped since: before a pass looks at samples.
    void update();
    /// Becomes readable when update() should come soon, or the kernel has no room to tell more. -1: never.
    int descriptor() const;
    /// Files whose symbols were wanted and could not be read because too many were open.
    uint64_t unread_files() const;
    /// Processes whose addresses have no names because they ended long ago and so many came after them.
    uint64_t forgotten_processes() const;
    /// Changes when something that a process maps may have changed, if processes are followed.
    uint64_t mappings_version(int64_t pid);
    /// The run is over: the kernel need tell nothing more, and what may be otherwise in the next is forgotten.
    void end_run();

    /// While it lives, user addresses are looked up as of this time (CLOCK_MONOTONIC ns; 0, as without: at any time).
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

    /// The text of a kernel address; "0xaddr" when nothing is known. Valid until the next call of any member.
    std::string_view kernel(uint64_t address, Form form, Use use = Use::Exact);

    /// The text of an address of process `pid` (0: unknown process). With `noresolve` (the option): "file:0xoffset".
    /// DT_FRAMES_INCOMPLETE as a return address: "[incomplete]".
    std::string_view user(int64_t pid, uint64_t address, Form form, bool noresolve = false, Use use = Use::Exact);

    /// The functions that were inlined where a user address is, the innermost first, as texts in that form; none when
    /// no lines are wanted. Each is a frame before that of user(). Valid likewise.
    const std::vector<std::string>& inlined(int64_t pid, uint64_t address, Form form, Use use);

    /// What is known of an address beside its text; without functions where `noresolve`. Where lines are wanted, with
    /// inlined functions and lines.
    AddressOrigin origin_in_kernel(uint64_t address, Use use);
    AddressOrigin origin_in_user(int64_t pid, uint64_t address, Use use, bool noresolve);

    /// The start of the symbol (or module, for Module) that `address` lies in, so that addresses that print the same
    /// compare equal; `address` itself for Exact or when nothing is known.
    uint64_t reduce_kernel(uint64_t address, Form form);
    uint64_t reduce_user(int64_t pid, uint64_t address, Form form);

    /// From now on kernel addresses are places in `texts`, from 1: what was traced elsewhere comes with its texts.
    void know_texts(std::vector<std::string> texts);

    /// Reads the mappings of a process now, so that its addresses can still be resolved after it has exited: for -c and
    /// -p targets, when they stop, and again shortly before. Costs one read of /proc/PID/maps; symbol tables are still
    /// read on demand.
    void remember(int64_t pid);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
