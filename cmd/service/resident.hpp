// Resident memory of a process that is small for hours, and large for the moments in which it compiles, or reads what
// it does not keep.
#pragma once

namespace dt::service {

/// At the start: libc is not to keep much of what was freed.
void limit_free_memory();
/// What is free is the system's again. Some 0.1 ms.
void give_back_free_memory();
/// Code and constants, of this program and its libraries, that were used so far: what is used again comes back from the
/// page cache, some 20 us for each 64 KiB. Pages in which there are breakpoints (uprobes) stay. Of large segments alone
/// it is most of it, with less than a third of the system calls.
enum class Segments : char { All, Large };
void give_back_code(Segments which);
/// Bytes that are mapped of files, code among them, and of the kernel's maps.
unsigned long mapped_bytes();

} // namespace dt::service
