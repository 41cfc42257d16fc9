// Tests that clauses continue if the kernel has no memory for the current thread's time account, which timeof(), mark()
// and other functions read.
#include <gmock/gmock.h>

#include "test/unit/lower_run.hpp"

namespace dt::test {
namespace {

/// Members of the kernel's structures that the code for time accounts reads.
struct KernelMember {
    std::string_view record;
    const char* name;
    uint64_t offset;
    const char* inner; ///< name of the structure type of the member; null: the member is a word
};
constexpr KernelMember kMembers[] = {
    {"task_struct", "files", 8, nullptr},
    {"task_struct", "pid", 16, nullptr},
    {"task_struct", "tgid", 24, nullptr},
    {"files_struct", "fdt", 8, nullptr},
    {"fdtable", "max_fds", 0, nullptr},
    {"fdtable", "fd", 8, nullptr},
    {"file", "f_inode", 0, nullptr},
    {"inode", "i_mode", 0, nullptr},
    {"inode", "i_sb", 8, nullptr},
    {"super_block", "s_magic", 0, nullptr},
    {"socket_alloc", "socket", 0, "socket"},
    {"socket_alloc", "vfs_inode", 64, nullptr},
    {"socket", "sk", 8, nullptr},
    {"sock", "__sk_common", 0, "sock_common"},
    {"sock_common", "skc_family", 0, nullptr},
};

class AccountTypes final : public TypeSource {
public:
    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view) override
    {
        const bool is_known = std::any_of(std::begin(kMembers), std::end(kMembers),
                                          [&](const KernelMember& member) { return member.record == name; });
        if (space != TypeNamespace::Struct || !is_known)
            return nullptr;
        Type* const made = table.make(TypeKind::Struct, std::string(name));
        made->size = 128;
        made->complete = [this, &table, record = std::string(name)](std::vector<Member>& members,
                                                                    std::vector<Enumerator>&) {
            for (const KernelMember& member : kMembers)
                if (member.record == record)
                    members.push_back({member.name,
                                       member.inner ? find(table, TypeNamespace::Struct, member.inner, {})
                                                    : table.named("unsigned long"),
                                       member.offset * 8, 0});
        };
        return made;
    }
    std::string problem(std::string_view) override { return {}; }
};

class AccountWorld final : public FrozenWorld {
public:
    TypeSource* types() override { return &types_; }

private:
    AccountTypes types_;
};

/// Runs BEGIN in the virtual machine without a current task, so that the thread's time account cannot be created.
Firing run_without_account(const std::string& text)
{
    DProgram program(text, 2, {}, 0, std::make_unique<AccountWorld>());
    if (program.problem().empty())
        program.vm().environment.task = 0;
    return program.fire("BEGIN");
}

TEST(ThreadAccounts, AClauseContinuesIfTheKernelHasNoMemoryForTheAccount)
{
    for (const char* asked : {"timeof(\"runq\")", "waited", "waker.pid", "mark()"}) {
        const Firing fired = run_without_account("BEGIN { trace((int)" + std::string(asked) + "); trace(7); }");
        EXPECT_EQ(fired.problem, "") << asked;
        EXPECT_THAT(fired.values, testing::ElementsAre("0", "7")) << asked;
    }
}

} // namespace
} // namespace dt::test
