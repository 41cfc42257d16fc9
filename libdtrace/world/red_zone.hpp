// A fault of some kernels that a tracer must know before it puts probes into processes.
#pragma once

namespace dt {

/// Does a probe on a nop of five bytes overwrite what a leaf function keeps below its stack pointer? Tried on a
/// function of our own, with a probe of this process alone. False where nothing can be tried.
bool uprobes_clobber_red_zone();

} // namespace dt
