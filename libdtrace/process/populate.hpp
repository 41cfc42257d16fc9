// Texts and tables of a program that nobody has read yet are in its file only, and programs in the kernel cannot wait
// for a page.
#pragma once

#include <cstdint>
#include <string>

namespace dt {

/// Has the kernel give a process the pages of its files that are data, as if it had read them: up to 16 MiB, the
/// program's own first. What cannot be had stays away. Cost: about 0.5 us a page. `proc`: where proc(5) is mounted.
void populate_data(const std::string& proc, int64_t pid);

} // namespace dt
