// What a process that reads foreign files may still do.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace dt {

/// In the child: gives up everything but `socket` and private memory; `memory`: so many bytes more. From then on it
/// reads what it has open, and takes and gives back memory; a file that it wants to open is opened by its parent. Gives
/// the descriptor by which the parent learns of that; -1: there is none, and nothing can be opened.
int confine(int socket, uint64_t memory);

/// In a child that works for its tracer with the rights of that: gives up all descriptors but `socket` and those of
/// every program, whose ends others wait for, and shared memory; `memory`: as above. Gives -1.
int be_compiler(int socket, uint64_t memory);

/// The same, for what the kernel tells of itself.
int be_kernel_reader(int socket, uint64_t memory);

/// In the parent: opens for the child what it waits for, if that is an ELF file, and no core file: whatever the child
/// has become, it gets to know nothing else.
void open_for_confined(int opening, pid_t child);

} // namespace dt
