// Stops a process at a computed address by a ptrace(2) breakpoint. The entry point comes from the process's auxiliary
// vector; main() has the same distance from it as in the file.
#include "libdtrace/process/hold.hpp"

#include <elf.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "base/proc_file.hpp"
#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/elf/foreign_files.hpp"
#include "libdtrace/elf/identification.hpp"
#include "machine/machine.hpp"

namespace dt {
namespace {

/// The registers as the kernel passes them; the ones used here are at the same offsets as in struct pt_regs.
using Registers = std::array<uint64_t, sizeof(user_regs_struct) / sizeof(uint64_t)>;

template <typename Entry> std::optional<uint64_t> entry_point_in(const std::string& text)
{
    for (std::size_t at = 0; at + sizeof(Entry) <= text.size(); at += sizeof(Entry)) {
        Entry entry;
        text.copy(reinterpret_cast<char*>(&entry), sizeof entry, at);
        if (entry.a_type == AT_ENTRY)
            return entry.a_un.a_val;
    }
    return std::nullopt;
}

std::optional<uint64_t> entry_point(const std::string& process)
{
    const std::string text = read_proc_file(process + "/auxv");
    if (!identify_elf(process + "/exe").is_narrow)
        return entry_point_in<Elf64_auxv_t>(text);
    return machine::native().breakpoint.narrow_pc ? entry_point_in<Elf32_auxv_t>(text) : std::nullopt;
}

// Returns the address of main() in the process, by the symbols of the file that contains the entry point.
std::optional<uint64_t> main_function(const std::string& process, uint64_t entry, ReadBy by)
{
    std::vector<Mapping> mappings = parse_maps(read_proc_file(process + "/maps"));
    const Mapping* mapping = find_mapping(mappings, entry);
    if (!mapping)
        return std::nullopt;
    ForeignFiles files(by); // temporary, for this file only
    const ElfSymbols symbols = ElfSymbols::of_foreign(files, process + "/exe");
    const ElfSymbols::Symbol* found = symbols.find_name("main");
    if (!found)
        return std::nullopt;
    const uint64_t bias = entry - symbols.address_of_offset(entry - mapping->start + mapping->offset);
    return found->start + bias;
}

// Runs the process until it traps, and delivers earlier signals to it. Returns false if it ends before.
bool run_to_trap(pid_t pid)
{
    for (int deliver = 0;;) {
        if (ptrace(PTRACE_CONT, pid, nullptr, reinterpret_cast<void*>(static_cast<intptr_t>(deliver))) != 0)
            return false;
        int status = 0;
        while (waitpid(pid, &status, 0) < 0)
            if (errno != EINTR)
                return false;
        if (!WIFSTOPPED(status))
            return false;
        const bool is_event = status >> 16 != 0; // whether it is a ptrace event, such as job control
        if (WSTOPSIG(status) == SIGTRAP && !is_event)
            return true;
        deliver = is_event ? 0 : WSTOPSIG(status);
    }
}

/// Moves the program counter from after the breakpoint back to it. For a 32-bit program the kernel passes fewer and
/// narrower registers.
void step_back(pid_t pid, uint64_t from, uint64_t to)
{
    Registers registers{};
    iovec area{&registers, sizeof registers};
    if (ptrace(PTRACE_GETREGSET, pid, reinterpret_cast<void*>(NT_PRSTATUS), &area) != 0)
        return;
    const bool is_narrow = area.iov_len < sizeof registers;
    const std::size_t size = is_narrow ? sizeof(uint32_t) : sizeof(uint64_t);
    const machine::Word word =
        is_narrow ? machine::native().breakpoint.narrow_pc.value_or(0) : machine::native().saved.pc;
    char* const counter = reinterpret_cast<char*>(registers.data()) + word * size;
    uint64_t pc = 0;
    std::memcpy(&pc, counter, size);
    if (pc != from)
        return;
    std::memcpy(counter, &to, size);
    ptrace(PTRACE_SETREGSET, pid, reinterpret_cast<void*>(NT_PRSTATUS), &area);
}

bool run_to_address(pid_t pid, uint64_t address)
{
    void* const at = reinterpret_cast<void*>(address);
    errno = 0;
    const long original = ptrace(PTRACE_PEEKTEXT, pid, at, nullptr);
    if (errno != 0)
        return true;
    const machine::Breakpoint& breakpoint = machine::native().breakpoint;
    const long patched = (original & ~breakpoint.mask) | breakpoint.instruction;
    if (ptrace(PTRACE_POKETEXT, pid, at, reinterpret_cast<void*>(patched)) != 0)
        return true;
    const bool trapped = run_to_trap(pid);
    ptrace(PTRACE_POKETEXT, pid, at, reinterpret_cast<void*>(original));
    if (trapped)
        step_back(pid, address + breakpoint.past, address);
    return trapped;
}

} // namespace

HoldPoint hold_point(std::string_view evaltime)
{
    return evaltime == "exec" ? HoldPoint::Exec : evaltime == "main" ? HoldPoint::Main : HoldPoint::Entry;
}

bool run_to(const std::string& proc, pid_t pid, HoldPoint point, ReadBy by)
{
    const std::string process = proc + "/" + std::to_string(pid);
    const std::optional<uint64_t> entry = point == HoldPoint::Exec ? std::nullopt : entry_point(process);
    if (!entry)
        return true;
    if (!run_to_address(pid, *entry))
        return false;
    const std::optional<uint64_t> main = point == HoldPoint::Main ? main_function(process, *entry, by) : std::nullopt;
    return !main || run_to_address(pid, *main);
}

} // namespace dt
