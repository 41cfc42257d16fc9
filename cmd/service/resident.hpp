// Control of the service's resident memory. The service is small for hours, and large only while it compiles or reads
// temporary data.
#pragma once

namespace dt::service {

/// Limits how much freed memory libc keeps. Call it at the start.
void limit_free_memory();
/// Returns freed memory to the system. Takes about 0.1 ms.
void give_back_free_memory();
/// Drops resident pages of code and constants of this program and its libraries. Pages used again come back from the
/// page cache, in about 20 us per 64 KiB. Pages with breakpoints (uprobes) stay. `Large` covers most of the memory with
/// less than a third of the system calls.
enum class Segments : char { All, Large };
void give_back_code(Segments which);
/// Returns the resident bytes that are mapped from files (code among them) and from BPF maps.
unsigned long mapped_bytes();

} // namespace dt::service
