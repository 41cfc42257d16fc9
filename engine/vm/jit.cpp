// Allocates memory for machine code. It lies near the program, because processors predict short jumps better.
#include "engine/vm/jit.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>

#include "engine/program/operators.hpp"
#include "engine/vm/helpers.hpp"
#include "engine/vm/interpreter.hpp"

namespace dt::vm {

namespace {

constexpr uintptr_t kPage = 4096, kRoom = 16 << 20, kReach = 1 << 30;
constexpr int kTries = 16;
constexpr int kProtection = PROT_READ | PROT_WRITE, kFlags = MAP_PRIVATE | MAP_ANONYMOUS;

/// Returns the start address of the program or library that contains the virtual machine, or 0. The address is needed
/// because machine code is placed below it.
uintptr_t start_of_program()
{
    Dl_info program;
    return dladdr(reinterpret_cast<const void*>(&start_of_program), &program) != 0
               ? reinterpret_cast<uintptr_t>(program.dli_fbase)
               : 0;
}

/// Maps memory near the program, because processors predict short jumps better: a call to code 4 GB away and back costs
/// about a nanosecond more. Each piece is placed below the last one, or farther away if another mapping is there. When
/// the distance becomes too large, the search starts again near the program.
void* map_near_program(std::size_t size)
{
    static std::atomic<uintptr_t> used = 0;
    static const uintptr_t start = start_of_program();
    const uintptr_t pages = (size + kPage - 1) / kPage * kPage;
    if (start < 2 * kRoom + kReach + pages)
        return MAP_FAILED;
    for (int i = 0; i < kTries; ++i) {
        const uintptr_t place = start - kRoom - used.fetch_add(i == 0 ? pages : kRoom) % kReach - pages;
        void* const memory =
            mmap(reinterpret_cast<void*>(place), size, kProtection, kFlags | MAP_FIXED_NOREPLACE, -1, 0);
        if (memory != MAP_FAILED)
            return memory;
    }
    return MAP_FAILED;
}

} // namespace

ExecutableMemory::~ExecutableMemory()
{
    if (start_)
        munmap(start_, size_);
}

Result<ExecutableMemory> ExecutableMemory::hold(std::span<const uint8_t> code)
{
    void* place = map_near_program(code.size());
    if (place == MAP_FAILED)
        place = mmap(nullptr, code.size(), kProtection, kFlags, -1, 0);
    if (place == MAP_FAILED)
        return Error{std::string("no memory for machine code: ") + std::strerror(errno), errno};
    ExecutableMemory memory;
    memory.start_ = static_cast<uint8_t*>(place);
    memory.size_ = code.size();
    std::memcpy(place, code.data(), code.size());
    if (mprotect(place, code.size(), PROT_READ | PROT_EXEC) != 0)
        return Error{std::string("machine code cannot be made executable: ") + std::strerror(errno), errno};
    return memory;
}

namespace {

/// Stores the region of a checked access, so that the inline check of the next access of the same kind (load or store)
/// can use it. Only regions at host addresses are stored.
void remember(const Region& region, uint64_t& base, uint64_t& room)
{
    const bool direct = region.address == reinterpret_cast<uint64_t>(region.host) && region.size >= 8;
    if (!direct || region.kind == Kind::Stack || region.kind == Kind::Context)
        return;
    base = region.address;
    room = region.size - 7;
}

} // namespace

uint8_t* JitSupport::access(VmState* machine, uint64_t address, uint32_t pc) noexcept
try {
    Interpreter& run = *machine->owner;
    run.pc_ = pc;
    const bpf_insn& insn = run.vm_.image_.code[pc];
    const uint32_t width = width_of(insn.code);
    const bool write = BPF_CLASS(insn.code) != BPF_LDX;
    if (is_atomic(insn))
        return run.atomic_access(address, width);
    uint8_t* at = run.aligned(address, width) ? run.access(address, width, write) : nullptr;
    if (const Region* region = at ? run.find(address, width) : nullptr)
        remember(*region, write ? machine->store_base : machine->load_base,
                 write ? machine->store_room : machine->load_room);
    return at;
} catch (const std::exception& problem) {
    machine->owner->fail(problem.what());
    return nullptr;
}

uint64_t JitSupport::helper(VmState* machine, const HelperEntry* helper, uint32_t pc) noexcept
try {
    machine->owner->pc_ = pc;
    // Passes a copy, because the helper may run a callback, whose helper calls overwrite machine->arguments.
    const Arguments arguments = machine->arguments;
    return helper->run(*machine->owner, arguments);
} catch (const std::exception& problem) {
    machine->owner->fail(problem.what());
    return 0;
}

void JitSupport::refuse(VmState* machine, uint32_t pc, uint32_t live) noexcept
try {
    Interpreter& run = *machine->owner;
    run.pc_ = pc;
    run.r_ = machine->registers;
    run.live_ = static_cast<uint16_t>(live);
    if (pc >= run.vm_.image_.code.size())
        run.fail("the program runs off its end");
    else if (run.step())
        run.fail("internal error: the compiled code failed here, but the interpreter did not");
} catch (const std::exception& problem) {
    machine->owner->fail(problem.what());
}

void JitSupport::over_budget(VmState* machine, uint32_t pc) noexcept
{
    machine->owner->pc_ = pc;
    machine->owner->fail_over_budget();
}

void JitSupport::clear_frame(VmState* machine) noexcept
{
    Frame& frame = machine->owner->frames_[machine->depth - 1];
    frame.written.fill(0);
    frame.dirty = 0;
}

} // namespace dt::vm
