// Tests clauses and descriptions, args[], translators and inlines, stability, and programs of several texts.
#include "test/unit/sema_helpers.hpp"

namespace dt::test {
namespace {

TEST(Clauses, EachDescriptionIsASeparateStatement)
{
    const Checked checked("syscall::read:entry, syscall::write:entry { trace(args[1]); } BEGIN { exit(0); }");
    ASSERT_EQ(checked.tag(), "");
    ASSERT_EQ(checked.program().statements.size(), 3u);
    EXPECT_EQ(to_string(checked.statement(0).body[0]->args[0]->type), "userland char *");
    EXPECT_EQ(checked.statement(1).id, 1u);
    EXPECT_EQ(checked.statement(1).description, "syscall::write:entry");
    EXPECT_EQ(checked.statement(2).probes.at(0)->id, 1u);
}

TEST(Clauses, SeveralProgramTextsShareNamesAndIds)
{
    Checked checked("BEGIN { x = 1; }");
    EXPECT_TRUE(checked.add("END { trace(x); }"));
    EXPECT_EQ(checked.statement(1).id, 1u);
    EXPECT_EQ(checked.statement(1).program, 1u);
}

TEST(Clauses, ErrorsOfEarlierStagesAreReportedFirst)
{
    // Analysis runs in stages. The first stage finds unknown functions in the whole text before any other stage runs.
    EXPECT_EQ(tag_of("BEGIN { trace(nosuch); } END { frob(); }"), "D_FUNC_UNDEF");
    // After the first stage, all stages run for the first clause, then for the second.
    EXPECT_EQ(tag_of("BEGIN { printf(\"%d\"); } END { trace(nosuch); }"), "D_PRINTF_ARG_PROTO");
    EXPECT_EQ(tag_of("BEGIN { printf(\"%d\"); trace(nosuch); }"), "D_IDENT_UNDEF");
}

TEST(Clauses, AllErrorsOfIndependentClausesAreReported)
{
    const Checked checked("BEGIN { trace(a1); } BEGIN { trace(a2); } END { exit(); }");
    std::vector<std::string> tags;
    for (const Diagnostic& each : checked.diagnostics.list())
        tags.push_back(each.tag);
    EXPECT_THAT(tags, testing::ElementsAre("D_IDENT_UNDEF", "D_IDENT_UNDEF", "D_PROTO_LEN"));
}

TEST(Clauses, ThePlaceOfAnErrorIsAnActionListAPredicateOrADescription)
{
    EXPECT_EQ(Checked("BEGIN { trace(nosuch); }").diagnostics.list().at(0).where, Where::ActionList);
    EXPECT_EQ(Checked("BEGIN /nosuch/ { }").diagnostics.list().at(0).where, Where::Predicate);
    EXPECT_EQ(Checked("nosuch:::probe { }").diagnostics.list().at(0).where, Where::Parsing);
}

TEST(Clauses, ADescriptionWithoutMatchingProbesRequiresOptionZdefs)
{
    EXPECT_EQ(Checked("nosuch:::probe { }").message(), "probe description nosuch:::probe does not match any probes");
    Options options;
    options.put("zdefs");
    EXPECT_EQ(Checked("nosuch:::probe { }", options).tag(), "");
}

TEST(ProbeArguments, HaveTheTypesThatAreDeclaredForTheProbe)
{
    const Checked checked("syscall::openat:entry { trace(args[3]); trace(stringof(args[1])); }");
    EXPECT_EQ(checked.text(0), "trace(args[3]:umode_t)");
    EXPECT_EQ(checked.text(1), "trace((StringOf:string(257) args[1]:userland char *))");
}

TEST(ProbeArguments, CanBeNamed)
{
    const Checked checked("demo:::unknown-type { trace(args.file->f_flags); trace(args[0]->f_flags); }");
    EXPECT_EQ(checked.text(0), checked.text(1));
    EXPECT_EQ(tag_of("demo:::unknown-type { trace(args.nosuch); }"), "D_ARGS_NAME");
    EXPECT_EQ(tag_of("demo:::untranslated { trace(args.file); }"), "D_ARGS_NAME");
    EXPECT_EQ(tag_of("::: { trace(args.file); }"), "D_ARGS_MULTI");
    EXPECT_EQ(tag_of("inline int a = args.file; BEGIN { }"), "D_ARGS_NONE");
    EXPECT_EQ(tag_of("demo:::unknown-type { args.file = 0; }"), "D_OP_WRITE");
}

TEST(ProbeArguments, ParametersOfInlinesHideThem)
{
    const Checked checked("inline int flags[struct file *args] = args->f_flags;"
                          "demo:::unknown-type { trace(flags[args[0]]); }");
    EXPECT_EQ(checked.tag(), "");
}

TEST(ProbeArguments, AreRefusedIfTheSetOfMatchingProbesIsUnstable)
{
    EXPECT_EQ(tag_of("::: { trace(args[0]); }"), "D_ARGS_MULTI");
    // refused: the name component is empty, so it matches any name, and its stability is Evolving or higher
    EXPECT_EQ(tag_of("syscall::: { trace(args[0]); }"), "D_ARGS_MULTI");
    EXPECT_EQ(tag_of("syscall:::entry { trace(args[0]); }"), "");
}

TEST(ProbeArguments, AreTranslatedIfTheProviderRequiresIt)
{
    const Checked checked("struct pinfo { int pid; string name; };"
                          "translator struct pinfo < struct task_struct *T > { pid = T->tgid; name = T->comm; };"
                          "demo:::name { trace(args[1]->pid); trace(args[1]->name); }");
    EXPECT_EQ(checked.text(0),
              "trace((Cast:int (Member.tgid:pid_t (Deref:struct task_struct args[1]:struct task_struct *))))");
    EXPECT_EQ(
        checked.text(1),
        "trace((StringOf:string(17) (Member.comm:char [16] (Deref:struct task_struct args[1]:struct task_struct *))))");
}

TEST(Translators, ATranslatedMemberIsReplacedByItsExpression)
{
    const std::string translator =
        "struct d { int o; int p; }; translator struct d < struct task_struct *T > { o = T->prio + 1; };";
    EXPECT_EQ(traced("xlate<struct d *>(curthread)->o", translator),
              "(Cast:int (Add:int (Member.prio:int (Deref:struct task_struct curthread:struct task_struct *)) 1:int))");
    EXPECT_EQ(tag_of(translator + "BEGIN { x = xlate<struct d>(curthread); trace(x.o); }"), "");
    EXPECT_EQ(tag_of(translator + "BEGIN { x = xlate<struct d *>(curthread); }"), "D_OP_INCOMPAT");
}

TEST(Inlines, InlinesAreExpandedWithTheirParameters)
{
    EXPECT_EQ(traced("twice[pid]", "inline int twice[int n] = n + n;"),
              "(Cast:int (Add:int (Cast:int pid:pid_t) (Cast:int pid:pid_t)))");
    EXPECT_EQ(traced("LIMIT", "inline int LIMIT = 3 * 4;"), "12:int");
    EXPECT_EQ(tag_of("inline int N = 4; int a[N]; BEGIN { trace(a[3]); }"), "");
    EXPECT_EQ(tag_of("int v; inline int alias = v; BEGIN { alias = 3; }"), "");
    EXPECT_EQ(tag_of("inline int LIMIT = 3; BEGIN { LIMIT = 4; }"), "D_OP_LVAL");
}

TEST(Inlines, PredefinedConstantsAreInlines)
{
    EXPECT_EQ(traced("NULL"), "0:long");
    EXPECT_EQ(traced("EINVAL"), "22:int");
    EXPECT_EQ(traced("DTRACEFLT_BADINDEX"), "11:int");
}

TEST(Libraries, ALibraryIsCompiledWhenANameThatItDefinesIsUsed)
{
    EXPECT_EQ(traced("cpu"), "(Cast:processorid_t (Member.cpu_id:int (Deref:cpuinfo_t curcpu:cpuinfo_t *)))");
    Options options;
    options.put("nolibs");
    EXPECT_EQ(Checked("BEGIN { trace(cpu); }", options).tag(), "D_IDENT_UNDEF");
}

TEST(Libraries, TheExpansionOfAnInlineCanLoadALibrary)
{
    EXPECT_EQ(tag_of("inline int times[int n] = n * cpu; BEGIN { trace(times[2]); }"), "");
}

TEST(Libraries, ANameThatIsBeingDefinedIsNotTakenFromALibrary)
{
    const Checked checked(
        "#pragma D attributes Evolving/Evolving/Common mine\ninline int mine = cpu; BEGIN { trace(mine); }");
    EXPECT_EQ(checked.message(), "");
    EXPECT_EQ(checked.statement().attributes.name, Stability::Evolving);
}

TEST(Clauses, UnknownNamesAreNotReportedAfterASyntaxError)
{
    const Checked checked("BEGIN { x = ; } END { trace(x); exit(); }");
    ASSERT_EQ(checked.diagnostics.list().size(), 1u);
    EXPECT_EQ(checked.tag(), "D_SYNTAX");
}

TEST(Providers, ADefinitionKeepsTheTypesAndOrderOfArguments)
{
    const Checked checked(
        "provider shop { probe sale(int id, char *item) : (string item, int id); probe close__day(); };"
        "\n#pragma D attributes Evolving/Evolving/Common provider shop args\n");
    ASSERT_EQ(checked.tag(), "");
    const DefinedProvider& provider = checked.program().providers.at(0);
    EXPECT_EQ(provider.probes.at(1).name, "close-day");
    EXPECT_EQ(to_string(provider.probes.at(0).output.at(0)), "string");
    EXPECT_THAT(provider.probes.at(0).mapping, testing::ElementsAre(1, 0));
    EXPECT_EQ(sema::to_string(provider.attributes.args), "Evolving/Evolving/Common");
}

TEST(Providers, ArgumentsMayRepeatAndMayHaveTypesThatDDoesNotKnow)
{
    const Checked checked("provider p { probe place(int i, foo_t *j, foo_t k) : (foo_t *j, int i, int i, foo_t k); }");
    ASSERT_EQ(checked.tag(), "");
    const DefinedProbe& probe = checked.program().providers.at(0).probes.at(0);
    EXPECT_THAT(probe.mapping, testing::ElementsAre(1, 0, 0, 2));
    EXPECT_EQ(to_string(probe.output.at(0)), "foo_t *");
    EXPECT_EQ(probe.input.at(2)->size, 8u);
    EXPECT_EQ(Checked("provider p { probe go(int i, int i); };").tag(), "D_DECL_PROTO_FORM");
    // Unknown types are valid in provider definitions only.
    EXPECT_EQ(Checked("provider p { probe go(foo_t); }; foo_t x;").tag(), "D_SYNTAX");
}

TEST(Stability, TheStabilityOfAStatementIsTheMinimumOfItsParts)
{
    const Checked checked(
        "dtrace:::BEGIN { trace(curthread); } dtrace:::BEGIN { trace(`jiffies); } dtrace:::BEGIN { trace(1); }");
    EXPECT_EQ(sema::to_string(checked.statement(0).attributes), "Stable/Private/Common");
    EXPECT_EQ(sema::to_string(checked.statement(1).attributes), "Private/Private/Unknown");
    EXPECT_EQ(sema::to_string(checked.statement(2).attributes), "Stable/Stable/Common");
}

TEST(Stability, OnlyComponentsWrittenInADescriptionAffectTheStability)
{
    const Checked checked("BEGIN { } dtrace:::BEGIN { } syscall::read:entry { } syscall::re*:entry { }");
    EXPECT_EQ(sema::to_string(checked.statement(0).description_attributes), "Unstable/Unstable/Common");
    EXPECT_EQ(sema::to_string(checked.statement(1).description_attributes), "Stable/Stable/Common");
    EXPECT_EQ(sema::to_string(checked.statement(2).description_attributes), "Private/Private/ISA");
    EXPECT_EQ(sema::to_string(checked.statement(3).description_attributes), "Evolving/Evolving/Common");
}

TEST(Stability, AttributesSurvivePrintingAndParsing)
{
    EXPECT_EQ(sema::to_string(*sema::parse_attributes("evolving/private/isa")), "Evolving/Private/ISA");
    EXPECT_EQ(sema::to_string(*sema::parse_attributes("Unstable")), "Unstable/Standard/Common");
    EXPECT_FALSE(sema::parse_attributes("Best/Private/ISA"));
}

} // namespace
} // namespace dt::test
