// Tests subroutines: each expression of a table is compiled and evaluated. The run tests sub_* check more of them in
// the kernel.
#include <gmock/gmock.h>

#include "test/unit/lower_run.hpp"

namespace {

using dt::test::DProgram;
using dt::test::run_d;
using testing::ElementsAre;
using testing::IsEmpty;

struct Row {
    const char* expression;
    const char* value;
};

constexpr uint32_t kBadAddress = 1, kIllegal = 3, kNoScratch = 5, kBadSize = 10;

void check(const std::vector<Row>& rows)
{
    for (const Row& row : rows) {
        const auto f =
            run_d("string s; int i; BEGIN { s = \"hello\"; i = 2; trace(" + std::string(row.expression) + "); }");
        EXPECT_THAT(f.values, ElementsAre(row.value)) << row.expression << ' ' << f.problem;
    }
}

TEST(Subroutines, BasenameAndDirnameSplitAPath)
{
    check({{"basename(\"\")", "."},
           {"basename(\"//\")", "/"},
           {"basename(\"/a/b/c/\")", "c"},
           {"basename(\"a\")", "a"},
           {"dirname(\"\")", "."},
           {"dirname(\"//\")", "/"},
           {"dirname(\"/a/b/c/\")", "/a/b"},
           {"dirname(\"a//b\")", "a"},
           {"dirname(\"/a\")", "/"},
           {"dirname(s)", "."}});
}

TEST(Subroutines, NamesOfNumbersComeFromTables)
{
    check({{"errname(i)", "ENOENT"},
           {"errname(-2)", "ENOENT"},
           {"errname(512)", "ERESTARTSYS"},
           {"errname(520)", "<unknown>"},
           {"strerror(i)", "No such file or directory"},
           {"strerror(512)", "<unknown>"},
           {"signame(i + 7)", "SIGKILL"},
           {"signame(34)", "SIGRTMIN"},
           {"signame(64)", "SIGRTMIN+30"},
           {"signame(32)", "<unknown>"},
           {"signame(1LL << 40)", "<unknown>"},
           {"syscallname(-1)", "<unknown>"}});
}

// dtrace-actions(7), cleanpath, has a table of the expected results
TEST(Subroutines, CleanpathReturnsTheResultsListedInTheManual)
{
    check({{"cleanpath(\"\")", ""},
           {"cleanpath(\".\")", "."},
           {"cleanpath(\"/a/../b/./c//d\")", "/b/c/d"},
           {"cleanpath(\"../a\")", "../a"},
           {"cleanpath(\"a/..\")", "."},
           {"cleanpath(\"/../..\")", "/"},
           {"cleanpath(\"a/../..\")", ".."},
           {"cleanpath(\"/a/\")", "/a"}});
}

TEST(Subroutines, IndexAndRindexFindSubstrings)
{
    check({{"index(s, \"l\")", "2"},
           {"index(s, \"l\", 3)", "3"},
           {"index(s, \"\", 9)", "-1"},
           {"index(s, \"\")", "0"},
           {"index(s, \"lo\", -1)", "3"},
           {"index(s, \"hellos\")", "-1"},
           {"rindex(s, \"l\")", "3"},
           {"rindex(s, \"l\", i)", "2"},
           {"rindex(s, \"\")", "5"},
           {"rindex(s, \"h\", -1)", "-1"},
           {"rindex(s, \"x\")", "-1"}});
}

TEST(Subroutines, StrchrStrrchrAndStrstrReturnTheRestOfTheString)
{
    check({{"strchr(s, 'l')", "llo"},
           {"strrchr(s, 'l')", "lo"},
           {"strstr(s, \"el\")", "ello"},
           {"strstr(s, \"\")", "hello"},
           {"strchr(s, 'x') == NULL", "1"},
           {"strrchr(s, '\\0') == NULL", "1"},
           {"strstr(s, \"x\") != NULL", "0"}});
}

TEST(Subroutines, StrcasestrIgnoresTheCaseOfAsciiLetters)
{
    check({{"strcasestr(s, \"EL\")", "ello"},
           {"strcasestr(\"Host: A\", \"host: \")", "Host: A"},
           {"strcasestr(\"a@[`{Z\", \"A@[`{z\")", "a@[`{Z"},
           {"strcasestr(\"@[\", \"`{\") == NULL", "1"},
           {"strcasestr(\"\\344\", \"\\304\") == NULL", "1"},
           {"strcasestr(s, \"\")", "hello"},
           {"strcasestr(s, \"hellos\") == NULL", "1"},
           {"strlen(strcasestr(strjoin(s, s), toupper(s)))", "10"}});
}

TEST(Subroutines, MemcmpComparesBytesAsUnsignedNumbers)
{
    check({{"memcmp(\"abc\", \"abd\", i)", "0"},
           {"memcmp(\"abc\", \"abd\", 3)", "-1"},
           {"memcmp(\"\\377\", \"\\001\", 1)", "1"},
           {"memcmp(s, \"hallo\", i)", "1"},
           {"memcmp(s, \"x\", 0)", "0"},
           {"memcmp(s, \"x\", i - 2)", "0"},
           {"memcmp(\"0123456789abcdef\", \"0123456789abcdeg\", 15)", "0"},
           {"memcmp(\"0123456789abcdef\", \"0123456789abcdeg\", 16)", "-1"},
           {"memcmp(\"0123456789abcdef\", \"0123456789abcdeg\", i + 14)", "-1"},
           {"memcmp(\"0123456780000000\", \"0123456779999999\", 16)", "1"}});
}

TEST(Subroutines, MemcmpFaultsForInvalidSizesAndAddresses)
{
    EXPECT_THAT(run_d("int n; BEGIN { n = -1; memcmp(\"a\", \"b\", n); } BEGIN { memcmp(alloca(8), \"b\", 9); } "
                      "BEGIN { memcmp(\"a\", \"b\", 257); } BEGIN { memcmp((void *)0, \"b\", 1); }")
                    .faults,
                ElementsAre(kBadSize, kBadSize, kBadSize, kBadAddress));
}

TEST(Subroutines, MemstrReplacesZeroBytes)
{
    const auto text_of = [](const std::string& call) {
        return run_d(
                   "int n; BEGIN { n = 10; this->p = (char *)alloca(12); bcopy(\"ab\", this->p, 2); this->p[3] = 'c'; "
                   "this->p[9] = 'd'; trace(memstr(this->p, " +
                   call + ")); }")
            .values;
    };
    EXPECT_THAT(text_of("' ', 10"), ElementsAre("ab c     "));
    EXPECT_THAT(text_of("'.', n + 1"), ElementsAre("ab.c.....d"));
    EXPECT_THAT(text_of("'.', 12"), ElementsAre("ab.c.....d."));
    EXPECT_THAT(text_of("'\\0', 12"), ElementsAre("ab"));
    EXPECT_THAT(text_of("'.', 1"), ElementsAre(""));
    EXPECT_THAT(text_of("'.', n - 10"), ElementsAre(""));
    EXPECT_THAT(
        run_d("BEGIN { trace(memstr(alloca(8), '.', 10)); } BEGIN { trace(memstr((void *)0, '.', 9)); }").faults,
        ElementsAre(kBadSize, kBadAddress));
}

TEST(Subroutines, ToupperAndTolowerChangeTheCase)
{
    check({{"toupper(\"aZ{`1\")", "AZ{`1"}, {"tolower(\"Az[@1\")", "az[@1"}, {"toupper(\"\")", ""}});
}

TEST(Subroutines, NumbersAreConvertedToStringsAndStringsToNumbers)
{
    check({{"lltostr(-9223372036854775807 - 1)", "-9223372036854775808"},
           {"lltostr(255, 16)", "ff"},
           {"lltostr(5, i)", "101"},
           {"strtoll(\"  -12x\")", "-12"},
           {"strtoll(\"0x1F\", 16)", "31"},
           {"strtoll(\"x\")", "0"},
           {"strtoll(\"11\", i)", "3"}});
}

TEST(Subroutines, ABaseOutsideThePermittedRangeIsAFault)
{
    const auto f = run_d("int b; BEGIN { b = 37; trace(lltostr(1, b)); } BEGIN { b = 1; trace(strtoll(\"1\", b)); }");
    EXPECT_THAT(f.faults, ElementsAre(kIllegal, kIllegal));
}

TEST(Subroutines, StrtokRemembersItsStringDuringTheProbeHit)
{
    const auto f = run_d("BEGIN { trace(strtok(\" a,b\", \" ,\")); } BEGIN { trace(strtok(NULL, \",\")); "
                         "trace(strtok(NULL, \",\") == NULL); }");
    EXPECT_THAT(f.values, ElementsAre("a", "b", "1"));
    EXPECT_THAT(run_d("BEGIN { trace(strtok(NULL, \" \")); }").faults, ElementsAre(kBadAddress));
}

TEST(Subroutines, AResultBuiltInPlaceDoesNotOverwriteAnArgument)
{
    check({{"strjoin(substr(s, 1, 2), toupper(substr(s, 3)))", "elLO"},
           {"toupper(strjoin(tolower(\"A\"), s))", "AHELLO"},
           {"substr(basename(dirname(\"/usr/lib/x\")), 1)", "ib"},
           {"strlen(strchr(strjoin(s, s), 'o'))", "6"}});
}

TEST(ScratchMemory, CopyingOrAllocatingZeroBytesUsesNoMemory)
{
    EXPECT_THAT(run_d("BEGIN { this->n = 0; this->a = (char *)copyin(8, 0); this->b = (char *)copyin(8, this->n); "
                      "this->c = (char *)alloca(4); this->c[0] = 'x'; trace(stringof(this->a)); "
                      "trace(stringof(this->b)); trace(stringof(this->c)); }")
                    .values,
                ElementsAre("", "", "x"));
    EXPECT_THAT(run_d("BEGIN { this->a = (uint64_t)alloca(0); trace(this->a == (uint64_t)alloca(0)); }").values,
                ElementsAre("1"));
}

TEST(ScratchMemory, AllocatedMemoryCanBeReadAndWritten)
{
    EXPECT_THAT(run_d("BEGIN { this->p = (int *)alloca(8); trace(this->p[1]); this->p[1] = 7; trace(this->p[1]); "
                      "trace(*this->p); }")
                    .values,
                ElementsAre("0", "7", "0"));
}

TEST(ScratchMemory, AccessOutsideAllocatedMemoryIsAFault)
{
    EXPECT_THAT(run_d("int i; BEGIN { i = 2; trace(((int *)alloca(8))[i]); }").faults, ElementsAre(kBadAddress));
    EXPECT_THAT(run_d("int *p; int i; BEGIN { p = (int *)alloca(8); } BEGIN { i = 2; p[i] = 1; }").faults,
                ElementsAre(kBadAddress));
    EXPECT_THAT(run_d("BEGIN { this->p = (char *)alloca(8); trace(*(long *)(this->p + 4)); }").faults,
                ElementsAre(kBadSize));
}

TEST(ScratchMemory, LivesUntilTheProbeHitEnds)
{
    const std::string later =
        "BEGIN { trace(*p); this->q = (int *)alloca(256); *this->q = 6; trace(*p); } BEGIN { trace(*this->q); }";
    EXPECT_THAT(run_d("int *p; BEGIN { p = (int *)alloca(8); *p = 5; }" + later).values, ElementsAre("5", "5", "6"));
    DProgram twice(
        "int *p; int n; BEGIN { n++; } BEGIN /n == 1/ { p = (int *)alloca(8); *p = 5; } BEGIN { trace(*p); }");
    EXPECT_THAT(twice.fire("BEGIN").values, ElementsAre("5"));
    EXPECT_THAT(twice.fire("BEGIN").faults, ElementsAre(kBadAddress));
}

TEST(ScratchMemory, AllocationFailsWhenTheMemoryIsExhausted)
{
    EXPECT_THAT(run_d("BEGIN { alloca(250); alloca(1); }").faults, ElementsAre(kNoScratch));
    EXPECT_THAT(run_d("int n; BEGIN { n = -1; alloca(n); }").faults, ElementsAre(kNoScratch));
}

TEST(ScratchMemory, AStringEndsAtTheEndOfTheAllocatedMemory)
{
    const auto f = run_d(
        "BEGIN { this->p = (char *)alloca(8); this->q = (char *)alloca(8); bcopy(\"\" + 0, this->q, 1); this->i = 0;"
        "this->p[0] = 'a'; this->p[7] = 'z'; trace(stringof(this->p + 7)); this->q[0] = 'b'; trace(stringof(this->p + "
        "7)); }");
    EXPECT_THAT(f.values, ElementsAre("z", "z"));
}

TEST(ScratchMemory, ArrayElementsAreWrittenThroughAPointerToTheArray)
{
    const auto f = run_d("int a[4]; int i; BEGIN { p = a; p[1] = 5; trace(a[1]); i = 4; } BEGIN { p[i] = 1; }");
    EXPECT_THAT(f.values, ElementsAre("5"));
    EXPECT_THAT(f.faults, ElementsAre(kBadAddress));
}

TEST(ScratchMemory, BcopyRefusesInvalidSizes)
{
    EXPECT_THAT(run_d("int n; BEGIN { n = -1; bcopy(alloca(8), alloca(8), n); }").faults, ElementsAre(kBadSize));
    EXPECT_THAT(run_d("BEGIN { bcopy(alloca(16), alloca(8), 9); }").faults, ElementsAre(kBadSize));
}

} // namespace
