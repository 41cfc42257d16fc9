// Tests which memory mappings of a process are memory of the kernel: mapped BPF maps and perf buffers.
#include <gtest/gtest.h>

#include "libdtrace/load/map_sizes.hpp"

namespace dt {
namespace {

TEST(MemoryOwner, MappedMapsAndBuffersBelongToTheKernel)
{
    EXPECT_EQ(mapped_from_kernel("7f842b7ff000-7f842c000000 r--s 00001000 00:10 1038    anon_inode:bpf-map\n"
                                 "Size:               8196 kB\n"
                                 "Rss:                  40 kB\n"
                                 "Pss:                  40 kB\n"
                                 "VmFlags: rd sh mr mw me ms\n"
                                 "7f8430be8000-7f8430fe9000 rw-s 00000000 00:10 1038    anon_inode:[perf_event]\n"
                                 "Rss:                   4 kB\n"),
              44u << 10);
}

TEST(MemoryOwner, FilesAndTheHeapDoNotBelongToTheKernel)
{
    EXPECT_EQ(mapped_from_kernel("55d0c0000000-55d0c0100000 rw-p 00000000 00:00 0    [heap]\n"
                                 "Rss:                 100 kB\n"
                                 "7f8431fb3000-7f8431fbd000 r--p 00000000 fe:00 33    /usr/lib/libbpf.so.1\n"
                                 "Rss:                  40 kB\n"),
              0u);
}

TEST(MemoryOwner, TheMemoryThatBelongsToThisProcessIsMeasured)
{
    EXPECT_GT(own_memory(), 0u);
}

} // namespace
} // namespace dt
