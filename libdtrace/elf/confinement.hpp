// Sandbox of a process that parses untrusted files.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace dt {

/// Runs in the child: gives up everything except `socket` and private memory, of which it may allocate `memory` more
/// bytes. From then on it can only read its open files and manage memory; its parent opens further files. Returns the
/// descriptor that reports these requests to the parent; -1 if there is none, so that no file can be opened.
int confine(int socket, uint64_t memory);

/// Runs in a child that keeps the tracer's rights: closes all descriptors except `socket` and the standard ones,
/// because other processes may wait for their end, and unmaps shared memory. `memory` is as above. Returns -1.
int be_compiler(int socket, uint64_t memory);

/// Prepares a child that reads the kernel's descriptions of itself. Returns -1.
int be_kernel_reader(int socket, uint64_t memory);

/// Runs in the parent: opens the file that the child requests, if it is an ELF file but not a core file. Even a
/// compromised child gets no other data.
void open_for_confined(int opening, pid_t child);

} // namespace dt
