// The embedded D library: how a file is found by a name it defines, and what of it a kernel gets to see.
#include <gtest/gtest.h>

#include "dcompiler/sema/prelude.hpp"
#include "test/unit/sema_helpers.hpp"

namespace {

using namespace dt::sema;

TEST(Library, FileIsFoundByEachNameItDefines)
{
    for (const char* name : {"psinfo_t", "curpsinfo", "lwpsinfo_t", "curlwpsinfo"}) {
        ASSERT_NE(find_library_file(name), nullptr) << name;
        EXPECT_EQ(find_library_file(name)->name, "process.d") << name;
    }
    EXPECT_EQ(find_library_file("fds")->name, "file.d");
}

TEST(Library, OtherNamesAreNobodys)
{
    for (const char* name : {"", "defines:", "/*", "*/", "pr_pid", "cur"})
        EXPECT_EQ(find_library_file(name), nullptr) << name;
}

TEST(Library, EveryFileBeginsWithWhatItDefines)
{
    ASSERT_FALSE(library_files().empty());
    for (const LibraryFile& file : library_files()) {
        const std::string_view line = file.text.substr(0, file.text.find('\n'));
        EXPECT_TRUE(line.starts_with("/* defines: ")) << file.name;
        EXPECT_TRUE(line.ends_with(" */")) << file.name;
    }
}

TEST(Library, LinesForOtherKernelsAreLeftOutAndLineNumbersStay)
{
    const auto has = [](std::string_view record, std::string_view member) {
        return record == "task" && member == "cpu";
    };
    EXPECT_EQ(text_for_kernel("a\n?task.cpu\tb\n!task.cpu\tc\nd\n", has), "a\n\tb\n\nd\n");
    EXPECT_EQ(text_for_kernel("?task.other\tb\n!other.cpu\tc\n", has), "\n\tc\n");
}

TEST(Library, TextMayEndWithoutNewline)
{
    const auto has = [](std::string_view, std::string_view) { return true; };
    EXPECT_EQ(text_for_kernel("a\nb", has), "a\nb");
}

TEST(Library, WhatAKernelLacksIsMissedByTheMembersThatAreMadeOfIt)
{
    EXPECT_EQ(dt::test::tag_of("BEGIN { trace(curlwpsinfo->pr_lwpid); }"), "");
    const dt::test::Checked lacking("BEGIN { trace(curlwpsinfo->pr_clname); }"); // the frozen task_struct has no policy
    EXPECT_EQ(lacking.tag(), "D_XLATE_NOCONV");
    EXPECT_EQ(lacking.message(),
              "pr_clname of lwpsinfo_t cannot be had on this kernel, which has no member policy in struct task_struct");
}

} // namespace
