// Detection of a kernel bug that matters before uprobes are attached to processes.
#pragma once

namespace dt {

/// Returns whether a probe on a five-byte nop overwrites data that a leaf function keeps below its stack pointer. Tests
/// a function of this program with a probe on this process only. Returns false if the test is not possible.
bool uprobes_clobber_red_zone();

} // namespace dt
