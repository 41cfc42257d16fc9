// Tests how the table of the provider list becomes probes (dtrace-providers(7), list).
#include "probes/stable/stable.hpp"
#include "test/support/frozen_kernel.hpp"
#include "test/unit/probes_sink.hpp"

namespace dt::probes {
namespace {

/// Type information of a kernel that has some BPF iterators and no other functions.
class Iterators final : public KernelTypes {
public:
    explicit Iterators(std::vector<std::string> names) : names_(std::move(names)) {}

    const Type* find(TypeTable&, TypeNamespace, std::string_view, std::string_view) override { return nullptr; }
    std::vector<std::string> modules() override { return {}; }
    std::optional<uint32_t> function_id(std::string_view, std::string_view name) override
    {
        const bool has = std::any_of(names_.begin(), names_.end(),
                                     [&](const std::string& each) { return name == "bpf_iter_" + each; });
        return has ? std::optional<uint32_t>(1) : std::nullopt;
    }
    std::optional<Prototype> prototype(std::string_view, std::string_view) override { return std::nullopt; }
    void for_each_function(std::string_view, const VisitFunction&) override {}
    const Type* tracepoint_type(TypeTable&, std::string_view, std::string_view) override { return nullptr; }
    std::optional<Prototype> tracepoint_prototype(std::string_view, std::string_view) override { return std::nullopt; }
    std::optional<uint32_t> tracepoint_id(std::string_view, std::string_view) override { return std::nullopt; }
    void for_each_tracepoint(std::string_view, const VisitFunction&) override {}
    std::optional<MemberLocation> member(std::string_view, std::string_view, std::string_view) override
    {
        return std::nullopt;
    }

private:
    std::vector<std::string> names_;
};

class KernelWithIterators final : public test::FrozenKernel {
public:
    explicit KernelWithIterators(std::vector<std::string> names) : types_(std::move(names)) {}
    KernelTypes* types() override { return &types_; }

private:
    Iterators types_;
};

std::unique_ptr<Provider> list_of(KernelView& kernel)
{
    for (auto& each : make_stable_providers(kernel))
        if (each->name() == "list")
            return std::move(each);
    return nullptr;
}

/// Returns a location in the context of an iterator's program: `size` bytes of word `word`.
Location context_word(int64_t word, uint8_t size = 8)
{
    return {Location::Kind::KernelMemory, 0, 0, size, false, 0, 0, {{Location::Kind::ContextAddress, 0, word * 8}}};
}

TEST(ListProvider, TheProgramIsAnIteratorThatSkipsTheCallWithoutAnObject)
{
    KernelWithIterators kernel({"task_file"});
    const auto plan = plan_of(*list_of(kernel), {"list", "", "", "file"});
    ASSERT_NE(plan, nullptr);
    EXPECT_EQ(plan->kind, ProgramKind::Iterator);
    EXPECT_EQ(plan->section(), "iter/task_file");
    EXPECT_TRUE(plan->is_asynchronous) << "the current process is dtrace, so -x cgroup must not filter by it";
    // struct bpf_iter__task_file: meta, task, fd, file
    EXPECT_EQ(plan->arguments[0], context_word(3));
    EXPECT_EQ(plan->arguments[1], context_word(1));
    EXPECT_EQ(plan->arguments[2], context_word(2, 4));
    ASSERT_EQ(plan->conditions.size(), 1u);
    EXPECT_EQ(plan->conditions[0].left, context_word(3));
    EXPECT_EQ(plan->conditions[0].relation, Condition::Relation::NotEqual);
    EXPECT_EQ(plan->conditions[0].values, std::vector<int64_t>{0});
}

TEST(ListProvider, SocketsAreListedByTheIteratorsThatTheKernelHas)
{
    const auto sections = [](std::vector<std::string> iterators) {
        KernelWithIterators kernel(std::move(iterators));
        const auto provider = list_of(kernel);
        TestSink sink;
        EXPECT_TRUE(provider->match({"list", "", "", "socket"}, sink));
        std::vector<std::string> found;
        for (const auto& plan : provider->plan({&sink.probes.at(0)}, {}, {}))
            found.push_back(plan->section());
        return found;
    };
    EXPECT_EQ(sections({"tcp", "udp"}), (std::vector<std::string>{"iter/tcp", "iter/udp"}));
    EXPECT_EQ(sections({"tcp", "udp", "unix"}), (std::vector<std::string>{"iter/tcp", "iter/udp", "iter/unix"}));
}

TEST(ListProvider, AMissingIteratorIsExplainedByTheReleaseThatHasIt)
{
    KernelWithIterators kernel({"task"});
    const auto provider = list_of(kernel);
    TestSink sink;
    EXPECT_TRUE(provider->match({"list", "", "", "vma"}, sink));
    EXPECT_TRUE(sink.probes.empty());
    std::vector<std::string> reasons;
    provider->explain_absent({"list", "", "", "vma"}, [&](const std::string& what, std::string_view reason) {
        reasons.push_back(what + ": " + std::string(reason));
    });
    EXPECT_EQ(reasons, std::vector<std::string>{
                           "list:::vma: this kernel has no BPF iterator task_vma, which Linux has from 5.12 on"});
}

} // namespace
} // namespace dt::probes
