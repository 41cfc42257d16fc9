// Tests variables: creation by assignment, scopes, keys, writability, scratch pointers (dtrace-variables(7), VARIABLES
// OF A PROGRAM).
#include "test/unit/sema_helpers.hpp"

namespace dt::test {
namespace {

TEST(Variables, AnAssignmentCreatesAVariableWithTheTypeOfTheValue)
{
    const Checked checked("BEGIN { x = 1; s = \"a\"; self->t = timestamp; this->p = curthread; n++; }");
    ASSERT_EQ(checked.tag(), "");
    std::vector<std::string> found;
    for (const Variable& variable : checked.program().variables)
        found.push_back(variable.name + ":" + to_string(variable.type));
    EXPECT_THAT(found, testing::ElementsAre("x:int", "s:string", "t:uint64_t", "p:struct task_struct *", "n:int64_t"));
}

TEST(Variables, EachScopeIsANameSpaceWithItsOwnIds)
{
    const Checked checked("BEGIN { x = 1; self->x = \"s\"; this->x = curthread; @x = count(); self->y = 2; }");
    ASSERT_EQ(checked.tag(), "");
    EXPECT_EQ(checked.program().variables.at(0).index, 0u);
    EXPECT_EQ(checked.program().variables.at(1).index, 0u);
    EXPECT_EQ(checked.program().variables.at(3).index, 1u);
}

TEST(Variables, KeysAreConvertedToTheTypesOfTheFirstUse)
{
    const Checked checked("BEGIN { m[(char)1] = 2; m[300] = 3; m[\"x\"] = 1; }");
    EXPECT_EQ(checked.tag(), "D_PROTO_ARG");
    EXPECT_EQ(checked.message(), "m[ ] key #1 is incompatible with prototype:\n\tprototype: char\n\t     key: string");
    EXPECT_EQ(Checked("BEGIN { m[(char)1] = 2; m[300] = 3; }").text(1), "(Assign:int (m:int 44:char) 3:long)");
}

TEST(Variables, AVariableIsKnownBeforeItsDeclarationButNotBeforeItsFirstAssignment)
{
    EXPECT_EQ(tag_of("BEGIN { trace(later); } END { later = 1; }"), "D_IDENT_UNDEF");
    EXPECT_EQ(tag_of("BEGIN { trace(later); } int later;"), "");
}

TEST(Variables, PredicateAndActionsMayUseVariablesThatTheOtherAssigns)
{
    EXPECT_EQ(tag_of("BEGIN /n++ > 2/ { trace(n); }"), "");
    EXPECT_EQ(tag_of("BEGIN /n > 2/ { n++; }"), "");
    EXPECT_EQ(tag_of("BEGIN /a > 2/ { trace(b); a = 1; }"), "D_IDENT_UNDEF");
}

TEST(Variables, TheConstantZeroCanBeAssignedToAStringAsADeletion)
{
    const Checked checked("self string s; BEGIN { self->s = 0; }");
    EXPECT_EQ(checked.text(), "(Assign:string(257) self->s:string(257) 0:string(257))");
}

TEST(Variables, MemoryFromAllocaIsScratchAndWritable)
{
    const Checked checked("BEGIN { p = (int *)alloca(8); *p = 5; p[1] = 6; }");
    EXPECT_EQ(checked.text(1), "(Assign:int (Deref:int p:scratch int *) 5:int)");
    EXPECT_TRUE(checked.program().variables.front().scratch_pointer);
}

TEST(Variables, KernelMemoryIsNotWritable)
{
    EXPECT_EQ(tag_of("BEGIN { curthread->prio = 1; }"), "D_OP_WRITE");
    EXPECT_EQ(tag_of("BEGIN { *(int *)arg0 = 1; }"), "D_OP_WRITE");
    EXPECT_EQ(tag_of("syscall::read:entry { args[0] = 1; }"), "D_OP_WRITE");
}

TEST(Variables, AnArrayIsAccessedThroughAPointerToIt)
{
    EXPECT_EQ(tag_of("int a[4]; BEGIN { p = a; p[1] = 5; }"), "");
    EXPECT_EQ(tag_of("int a[4]; int *p; BEGIN { p = a; p[1] = 5; }"), "");
}

TEST(Variables, NamesThatTheConsumerResolvesAreRecordedAsNumbers)
{
    EXPECT_EQ(
        tag_of("BEGIN { printf(\"%s %S\", unitname, podname); trace(containerid); @[containername, podnamespace] = "
               "count(); }"),
        "");
    EXPECT_EQ(tag_of("BEGIN { print(unitname); x = sizeof(unitname); }"), "");
}

TEST(Variables, NamesThatTheConsumerResolvesCannotBeUsedAsValues)
{
    for (const char* use : {"x = unitname;", "@ = sum(strlen(unitname));", "trace(unitname == \"a\");",
                            "m[unitname] = 1;", "@[pid == 1 ? unitname : \"a\"] = count();", "self->u = unitname;",
                            "trace(stringof(unitname));", "setopt(unitname);"})
        EXPECT_EQ(tag_of(std::string("BEGIN { ") + use + " }"), "D_CG_EXPR") << use;
    EXPECT_EQ(tag_of("BEGIN { printf(\"%d\", pid); trace(unitname); } END /unitname == \"a\"/ { exit(0); }"),
              "D_CG_EXPR");
    EXPECT_EQ(tag_of("inline string u = unitname; BEGIN { trace(u); }"), "D_CG_EXPR");
}

TEST(Variables, AKeyPositionHoldsTheSameKindOfNameInAllUses)
{
    EXPECT_EQ(tag_of("BEGIN { @[unitname] = count(); @[unitname] = count(); }"), "");
    EXPECT_EQ(tag_of("BEGIN { @[unitname] = count(); @[podname] = count(); }"), "D_PROTO_ARG");
    const Checked checked("BEGIN { @a[execname] = count(); @a[podname] = count(); }");
    EXPECT_EQ(checked.message(),
              "@a[ ] key #1 is incompatible with prototype:\n\tprototype: a value\n\t     key: variable podname");
}

TEST(RecordedTexts, AreRecordedAsNumbers)
{
    EXPECT_EQ(tag_of("BEGIN { printf(\"%s\", strftime(\"%T\", 0)); trace(strftime(\"%%%-d %EY %05Y%f%n\", "
                     "walltimestamp)); print(strftime(\"x\", pid)); @[strftime(\"%H\", walltimestamp)] = count(); }"),
              "");
}

TEST(RecordedTexts, MayBeNamesOfUsersAndGroups)
{
    EXPECT_EQ(tag_of("BEGIN { printf(\"%s %-8s\", username(uid), groupname(0)); @[username(arg0), uid] = count(); }"),
              "");
    EXPECT_EQ(tag_of("BEGIN { @[username(uid)] = count(); @[groupname(gid)] = count(); }"), "D_PROTO_ARG");
    EXPECT_EQ(tag_of("BEGIN { @[username(uid)] = count(); @[execname] = count(); }"), "D_PROTO_ARG");
    EXPECT_EQ(tag_of("BEGIN { trace(username(execname)); }"), "D_PROTO_ARG");
    EXPECT_EQ(tag_of("BEGIN /username(uid) == \"root\"/ { exit(0); }"), "D_CG_EXPR");
}

TEST(RecordedTexts, MayBeNamesOfEnumerators)
{
    const std::string colors = "enum color { RED, GREEN = 7 }; struct s { enum color c : 3; }; ";
    EXPECT_EQ(
        tag_of(colors + "BEGIN { trace(enumname((enum color)arg0)); @[enumname(((struct s *)arg0)->c)] = count(); }"),
        "");
    EXPECT_EQ(tag_of(colors + "BEGIN { trace(enumname(arg0)); }"), "D_PROTO_ARG");
    EXPECT_EQ(tag_of(colors + "enum size { SMALL }; BEGIN { @[enumname((enum color)1)] = count(); "
                              "@[enumname((enum size)1)] = count(); }"),
              "D_PROTO_ARG");
    EXPECT_EQ(tag_of(colors + "BEGIN { trace(enumname(RED)); }"), "");
}

TEST(RecordedTexts, CannotBeUsedAsValues)
{
    for (const char* use : {"x = $;", "@ = sum(strlen($));", "trace($ == \"a\");", "m[$] = 1;", "self->u = $;",
                            "trace(stringof($));", "$;"}) {
        std::string text = std::string("BEGIN { ") + use + " }";
        text.replace(text.find('$'), 1, "strftime(\"%T\", walltimestamp)");
        EXPECT_EQ(tag_of(text), "D_CG_EXPR") << text;
    }
}

TEST(RecordedTexts, AKeyHasTheSameFormatInAllUses)
{
    EXPECT_EQ(tag_of("BEGIN { @[strftime(\"%H\", 1)] = count(); @[strftime(\"%H\", 2)] = count(); }"), "");
    const Checked checked("BEGIN { @a[strftime(\"%H\", 1)] = count(); @a[strftime(\"%M\", 1)] = count(); }");
    EXPECT_EQ(checked.message(),
              "@a[ ] key #1 is incompatible with prototype:\n\tprototype: strftime(\"%H\", …)\n\t     key: "
              "strftime(\"%M\", …)");
}

TEST(RecordedTexts, FormatsOfTimesAreChecked)
{
    for (const char* format : {"%", "%Q", "%5", "%E", "%-f", "%06f", "%H%", "%i"})
        EXPECT_EQ(tag_of(std::string("BEGIN { trace(strftime(\"") + format + "\", 0)); }"), "D_PROTO_ARG") << format;
    EXPECT_EQ(tag_of("BEGIN { trace(strftime(execname, 0)); }"), "D_PROTO_ARG");
    EXPECT_EQ(tag_of("BEGIN { trace(strftime(\"\", 0)); }"), "D_PROTO_ARG");
}

TEST(Variables, AProgramMayDefineAVariableUnitname)
{
    EXPECT_EQ(tag_of("string unitname; BEGIN { unitname = \"mine\"; trace(strlen(unitname)); }"), "");
}

TEST(Variables, ADeclarationMayBeRepeated)
{
    EXPECT_EQ(tag_of("int x; int x; BEGIN { x = 1; }"), "");
    const Checked checked("int x; string x; BEGIN { exit(0); }");
    EXPECT_EQ(checked.message(), "identifier redeclared: x\n\t current: scalar string\n\tprevious: scalar int");
}

TEST(Variables, AnUnknownNameIsReportedOnce)
{
    const Checked checked("BEGIN { trace(nosuch); } END { trace(nosuch); trace(other); }");
    // one error, for the first clause: analysis of the second clause stops at the same name without another error
    ASSERT_EQ(checked.diagnostics.list().size(), 1u);
}

TEST(Variables, AssignmentsOfAFailedClauseAreNotReportedAsUnknown)
{
    const Checked checked("BEGIN { x = 1; x = \"one\"; y = 2; } END { trace(y); }");
    EXPECT_EQ(checked.diagnostics.list().size(), 1u);
}

} // namespace
} // namespace dt::test
