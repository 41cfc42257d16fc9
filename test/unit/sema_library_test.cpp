// Tests the embedded D library: how a file is found by a name that it defines, and how its text depends on the kernel.
#include <gtest/gtest.h>

#include "dcompiler/driver/libraries.hpp"
#include "test/unit/sema_helpers.hpp"

namespace {

using namespace dt::sema;

TEST(EmbeddedLibrary, AFileIsFoundByEachNameThatItDefines)
{
    for (const char* name : {"psinfo_t", "curpsinfo", "lwpsinfo_t", "curlwpsinfo"}) {
        ASSERT_NE(find_library_file(name), nullptr) << name;
        EXPECT_EQ(find_library_file(name)->name, "process.d") << name;
    }
    EXPECT_EQ(find_library_file("fds")->name, "file.d");
}

TEST(EmbeddedLibrary, ANameThatNoFileDefinesBelongsToNoFile)
{
    for (const char* name : {"", "defines:", "/*", "*/", "pr_pid", "cur"})
        EXPECT_EQ(find_library_file(name), nullptr) << name;
}

TEST(EmbeddedLibrary, EveryFileBeginsWithItsDefinitions)
{
    ASSERT_FALSE(library_files().empty());
    for (const LibraryFile& file : library_files()) {
        const std::string_view line = file.text.substr(0, file.text.find('\n'));
        EXPECT_TRUE(line.starts_with("/* defines: ")) << file.name;
        EXPECT_TRUE(line.ends_with(" */")) << file.name;
    }
}

TEST(EmbeddedLibrary, LinesThatAreMeantForOtherKernelsBecomeEmptyLines)
{
    const auto has = [](std::string_view record, std::string_view member) {
        return record == "task" && member == "cpu";
    };
    EXPECT_EQ(text_for_kernel("a\n?task.cpu\tb\n!task.cpu\tc\nd\n", has), "a\n\tb\n\nd\n");
    EXPECT_EQ(text_for_kernel("?task.other\tb\n!other.cpu\tc\n", has), "\n\tc\n");
}

TEST(EmbeddedLibrary, AFileMayEndWithoutANewline)
{
    const auto has = [](std::string_view, std::string_view) { return true; };
    EXPECT_EQ(text_for_kernel("a\nb", has), "a\nb");
}

TEST(EmbeddedLibrary, MembersThatNeedKernelDataAreMissingIfTheDataIsAbsent)
{
    EXPECT_EQ(dt::test::tag_of("BEGIN { trace(curlwpsinfo->pr_lwpid); }"), "");
    // The frozen kernel's task_struct has no member policy, so the library must not use it.
    const dt::test::Checked lacking("BEGIN { trace(curlwpsinfo->pr_clname); }");
    EXPECT_EQ(lacking.tag(), "D_XLATE_NOCONV");
    EXPECT_EQ(
        lacking.message(),
        "pr_clname of lwpsinfo_t is not available on this kernel, which has no member policy in struct task_struct");
}

// ---- names that a program defines itself ---------------------------------------------------------------------------

/// Program texts that define a name in all possible ways, each followed by a use of the name.
std::vector<std::string> definitions(const std::string& name)
{
    return {"inline int " + name + " = 7; BEGIN { trace(" + name + " + 1); }",
            "typedef unsigned short " + name + "; BEGIN { trace((" + name + ")70000); }",
            "enum { " + name + " = 7 }; BEGIN { trace(" + name + "); }",
            "struct " + name + " { int own; }; struct " + name + " v; BEGIN { v.own = 7; trace(v.own); }",
            "int " + name + "; BEGIN { " + name + " = 7; trace(" + name + "); }"};
}

TEST(EmbeddedLibrary, ADefinitionInTheProgramReplacesAName)
{
    std::vector<std::string_view> names = library_names();
    for (const char* constant : {"EPERM", "SIGKILL", "NULL", "PR_MODEL_LP64"})
        names.emplace_back(constant);
    for (const char* type : {"uid_t", "pid_t", "size_t", "timespec_t", "cpuinfo_t"})
        names.emplace_back(type);
    ASSERT_GT(names.size(), 60u);
    for (const std::string_view name : names)
        for (const std::string& program : definitions(std::string(name))) {
            const dt::test::Checked checked(program);
            EXPECT_EQ(checked.tag(), "") << program << "\n" << checked.message();
        }
}

TEST(EmbeddedLibrary, TheLibraryUsesItsOwnDefinitionOfAReplacedName)
{
    using dt::test::traced;
    const std::string uses = "curlwpsinfo->pr_lwpid";
    const std::string plain = traced(uses);
    for (const std::string own :
         {"inline int lwpsinfo_t = 1; ", "typedef int lwpsinfo_t; ", "struct lwpsinfo { int x; }; ",
          "enum { SSLEEP = 99, PR_STOPPED = 99 }; ", "typedef char processorid_t; "})
        EXPECT_EQ(traced(uses, own), plain) << own;
    EXPECT_EQ(traced("sizeof(lwpsinfo_t)", "typedef struct lwpsinfo { char c[3]; } lwpsinfo_t;"), "3:size_t");
    EXPECT_EQ(traced("EPERM", "inline int EPERM = 99;"), "99:int");
}

TEST(EmbeddedLibrary, BuiltInsKeepTheirTypesIfTheProgramRedefinesTheTypeNames)
{
    using dt::test::traced;
    for (const auto& [value, own] :
         {std::pair{"pid", "typedef char pid_t;"}, std::pair{"uid", "typedef char uid_t;"},
          std::pair{"strlen(\"text\")", "typedef char size_t;"}, std::pair{"caller", "typedef char uintptr_t;"}}) {
        const std::string size = "sizeof (" + std::string(value) + ")";
        EXPECT_EQ(traced(size, own), traced(size, "")) << own;
        EXPECT_NE(traced(size, own).substr(0, 2), "1:") << own;
    }
}

TEST(EmbeddedLibrary, ANameThatWasUsedCannotBeRedefined)
{
    using dt::test::tag_of;
    EXPECT_EQ(tag_of("inline int a = EPERM; inline int EPERM = 2;"), "D_DECL_IDRED");
    EXPECT_EQ(tag_of("uid_t u; typedef int uid_t;"), "D_DECL_IDRED");
    EXPECT_EQ(tag_of("lwpsinfo_t *p; typedef struct lwpsinfo { int x; } lwpsinfo_t;"), "D_DECL_IDRED");
    EXPECT_EQ(tag_of("struct lwpsinfo *p; struct lwpsinfo { int x; };"), "D_DECL_TYPERED");
    EXPECT_EQ(tag_of("inline int mine = 1; inline int mine = 2;"), "D_DECL_IDRED");
    EXPECT_EQ(tag_of("typedef int mine; typedef int mine;"), "D_DECL_IDRED");
    // an error, because pid is a built-in variable and not a name of the library
    EXPECT_EQ(tag_of("inline int pid = 1;"), "D_DECL_IDRED");
}

TEST(EmbeddedLibrary, ATranslatorInTheProgramReplacesOneOfTheLibrary)
{
    using dt::test::traced;
    const std::string own = "translator timestruc_t < uint64_t NS > { tv_sec = 42; tv_nsec = 43; };";
    EXPECT_EQ(traced("xlate <timestruc_t> ((uint64_t)5000000000).tv_sec", own), "42:int64_t");
    EXPECT_EQ(dt::test::tag_of(own + own), "D_XLATE_REDECL");
}

} // namespace
