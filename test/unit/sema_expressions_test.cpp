// Tests typing rules, conversions and constant folding: dtrace-language(7), OPERATORS, and dtrace-language(7), TYPES.
#include "test/unit/sema_helpers.hpp"

namespace dt::test {
namespace {

TEST(Expressions, AResultIsNotTruncatedToTheWidthOfItsType)
{
    EXPECT_EQ(traced("x + 1", "int x;"), "(Add:int x:int 1:int)");
    EXPECT_EQ(traced("x + 1", "long x;"), "(Add:long x:long 1:int)");
    EXPECT_EQ(traced("(int)(x + 1)", "int x;"), "(Cast:int (Add:int x:int 1:int))");
}

TEST(Expressions, ConstantExpressionsAreFoldedInSixtyFourBits)
{
    EXPECT_EQ(traced("1 + 2 * 3"), "7:int");
    EXPECT_EQ(traced("(1 << 30) + (1 << 30)"), "2147483648:int");
    EXPECT_EQ(traced("(uint8_t)0x1ff"), "255:uint8_t");
    EXPECT_EQ(traced("(int)0x80000000"), "-2147483648:int");
    EXPECT_EQ(traced("-7 / 2"), "-3:int");
    EXPECT_EQ(traced("-7 % 2"), "-1:int");
    EXPECT_EQ(traced("-1 < 1u"), "0:int");
}

TEST(Expressions, TheTypeOfAResultIsThatOfTheOperandWithTheHigherRank)
{
    EXPECT_EQ(traced("sizeof(a + b)", "char a; unsigned char b;"), "1:size_t");
    EXPECT_EQ(traced("a & b", "char a; unsigned char b;"), "(BitAnd:unsigned char a:char b:unsigned char)");
}

TEST(Expressions, AShiftHasTheTypeOfItsLeftOperand)
{
    EXPECT_EQ(traced("x << y", "int x; long y;"), "(ShiftLeft:int x:int y:long)");
    EXPECT_EQ(traced("x >> 2", "unsigned x;"), "(ShiftRight:unsigned int x:unsigned int 2:int)");
}

TEST(Expressions, PointerArithmeticCountsElementsInsteadOfBytes)
{
    EXPECT_EQ(traced("p + 1", "int *p;"), "(PointerAdd*4:int * p:int * 1:long)");
    EXPECT_EQ(traced("p - n", "int *p; int n;"), "(PointerAdd*-4:int * p:int * (Cast:long n:int))");
    EXPECT_EQ(traced("p - q", "int *p; int *q;"), "(PointerDistance*4:ptrdiff_t p:int * q:int *)");
    EXPECT_EQ(tag_of("void *p; BEGIN { trace(p + 1); }"), "D_OP_INCOMPAT");
}

TEST(Expressions, StringsAndCharArraysAreComparedByContent)
{
    EXPECT_EQ(traced("execname == \"cat\""), "(Equal:int execname:string(16) \"cat\":string(4))");
    EXPECT_EQ(traced("curthread->comm == \"cat\""),
              "(Equal:int (StringOf:string(17) (Member.comm:char [16] (Deref:struct task_struct curthread:struct "
              "task_struct *))) \"cat\":string(4))");
    EXPECT_EQ(traced("execname == NULL"), "(Equal:int execname:string(16) 0:string(257))");
}

TEST(Expressions, PointersCanBeComparedWithZeroButNotWithAnotherInteger)
{
    EXPECT_EQ(traced("curthread == 0"), "(Equal:int curthread:struct task_struct * 0:struct task_struct *)");
    EXPECT_EQ(tag_of("BEGIN { trace(curthread == 5); }"), "D_OP_INCOMPAT");
}

TEST(Expressions, KernelEnumeratorsAreKnownInTheModuleOfTheirType)
{
    EXPECT_EQ(traced("(enum zone_type)0 == ZONE_NORMAL"), "0:int");
    EXPECT_EQ(tag_of("BEGIN { trace(ZONE_NORMAL); }"), "D_IDENT_UNDEF");
}

TEST(Expressions, AConditionalWithAConstantConditionChecksOneBranch)
{
    EXPECT_EQ(traced("1 ? 5 : nosuch"), "5:int");
    EXPECT_EQ(traced("pid ? \"yes\" : \"maybe\""),
              "(Conditional:string(6) pid:pid_t \"yes\":string(4) \"maybe\":string(6))");
}

TEST(Expressions, AnArrayElementRefersToItsArrayForTheBoundsCheck)
{
    EXPECT_EQ(traced("a[pid]", "int a[4];"), "(Index:int a:int [4] (Cast:long pid:pid_t))");
    EXPECT_EQ(traced("curthread->cpus[1]"),
              "(Index:int (Member.cpus:int [4] (Deref:struct task_struct curthread:struct task_struct *)) 1:long)");
}

TEST(Expressions, ASubscriptOfAStringYieldsAChar)
{
    EXPECT_EQ(traced("\"hello\"[1]"), "(Index:char \"hello\":string(6) 1:long)");
}

TEST(Expressions, TheFirstByteOfACharacterConstantIsTheMostSignificant)
{
    EXPECT_EQ(traced("'ab'"), "24930:int"); // 24930 is 0x6162, that is, 'a' and 'b'
}

TEST(Expressions, AKernelSymbolWithoutATypeIsAsLargeAsAnAddress)
{
    EXPECT_EQ(traced("`max_pfn"), "``max_pfn:uintptr_t");
    EXPECT_EQ(traced("vmlinux`jiffies"), "`vmlinux`jiffies:unsigned long");
}

TEST(Expressions, KernelSymbolsHaveTheTypeThatTheKernelRecords)
{
    EXPECT_EQ(traced("`init_task.pid"), "(Member.pid:pid_t ``init_task:struct task_struct)");
    // as an unsigned number, this address is 0xffffffff81200000
    EXPECT_EQ(traced("`vfs_read"), "-2128609280:int (*)(...)");
}

TEST(Expressions, TheSizeOfASymbolIsThatOfItsTypeOrOfTheSymbolTable)
{
    EXPECT_EQ(traced("sizeof(`max_pfn)"), "8:size_t");
    EXPECT_EQ(traced("sizeof(`vfs_read)"), "320:size_t");
    EXPECT_EQ(traced("sizeof(`init_task) == sizeof(struct task_struct)"), "1:int");
    EXPECT_EQ(traced("sizeof(``counter)"), "4:size_t");
}

TEST(Expressions, VariablesOfTheTracedProcessAreReadAsUserMemory)
{
    EXPECT_EQ(traced("``counter"), "(Deref:unsigned int 93824992247824:userland unsigned int *)");
    EXPECT_EQ(traced("&``counter"), "93824992247824:userland unsigned int *");
    EXPECT_EQ(traced("*(short *)&``counter"), "(Deref:short 93824992247824:userland short *)");
}

TEST(Expressions, LongsAndPointersOfThirtyTwoBitProgramsHaveFourBytes)
{
    Options options;
    options.set_data_model(DataModel::Ilp32);
    const Checked checked(
        "BEGIN { trace(sizeof(long)); trace(sizeof(int *)); trace(sizeof(uint64_t)); trace(sizeof(2147483648));"
        " trace(sizeof(size_t)); trace(sizeof(curthread)); trace(sizeof(0x80000000)); }",
        options);
    const char* sizes[] = {"4", "4", "8", "8", "4", "8", "4"};
    for (std::size_t i = 0; i < std::size(sizes); ++i)
        EXPECT_EQ(checked.text(i), std::string("trace(") + sizes[i] + ":size_t)");
}

TEST(Expressions, FormatsOfThirtyTwoBitProgramsPrintSizesOfFourBytes)
{
    Options options;
    options.set_data_model(DataModel::Ilp32);
    const Checked narrow("int64_t n; BEGIN { printf(\"%zd %tu %jd\", n, n, n); }", options);
    EXPECT_EQ(narrow.text(0),
              R"(printf("%zd %tu %jd", (Cast:long n:int64_t), (Cast:unsigned long n:int64_t), n:int64_t))");
    const Checked wide("int64_t n; BEGIN { printf(\"%zd\", n); }");
    EXPECT_EQ(wide.text(0), R"(printf("%zd", n:int64_t))");
}

TEST(Expressions, AnAssignmentConvertsTheValueToTheTypeOfTheTarget)
{
    const Checked checked("char c; BEGIN { c = 300; c += pid; c++; }");
    EXPECT_EQ(checked.text(0), "(Assign:char c:char 44:char)");
    EXPECT_EQ(checked.text(1), "(AssignAdd:char c:char pid:pid_t)");
    EXPECT_EQ(checked.text(2), "(PostAssignAdd:char c:char 1:char)");
}

TEST(Expressions, AVeryDeepExpressionIsChecked)
{
    std::string chain = "x";
    for (int i = 0; i < 3000; ++i)
        chain += " + 1";
    EXPECT_EQ(tag_of("int x; BEGIN { trace(" + chain + "); }"), "");
    EXPECT_EQ(tag_of("int x; BEGIN { trace(" + std::string(900, '~') + "x); }"), "");
    std::string members = "curthread";
    for (int i = 0; i < 3900; ++i)
        members += "->real_parent";
    EXPECT_EQ(tag_of("BEGIN { trace(" + members + "); }"), "");
}

} // namespace
} // namespace dt::test
