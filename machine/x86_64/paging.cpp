// Page tables are described in Intel SDM 3A, Paging, and in arch/x86/include/asm: pgtable_types.h, page_64_types.h
// (__PAGE_OFFSET_BASE_L4 and _L5), mmu.h. inc_mm_tlb_gen() in arch/x86/mm/tlb.c precedes each flush, and no page is
// reused before a flush.
#include "machine/x86_64/x86_64.hpp"

namespace dt::machine::x86_64 {

namespace {

constexpr uint32_t kShifts[] = {48, 39, 30, 21, 12};

} // namespace

const Paging kPaging{.shifts = kShifts,
                     .table = "pgd",
                     .taken = "context.tlb_gen.counter",
                     .address = 0x000f'ffff'ffff'f000,
                     .needed = 1 | 4, // the kernel's bits _PAGE_PRESENT and _PAGE_USER
                     .large = 1 << 7, // the kernel's _PAGE_PSE
                     .odd = 1 << 9,   // the kernel's bit _PAGE_SPECIAL
                     // only kernels with five tables have their mapping of all memory below this address
                     .deep_below = 0xffff'8000'0000'0000};

} // namespace dt::machine::x86_64
