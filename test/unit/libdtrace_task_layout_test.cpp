// Where members of task_struct are, read from a BTF file made here.
#include "libdtrace/world/task_layout.hpp"

#include <bpf/btf.h>
#include <gmock/gmock.h>

#include <fstream>

namespace dt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class TaskLayout : public testing::Test {
protected:
    TaskLayout() { EXPECT_EQ(btf__add_int(btf_, "int", 4, BTF_INT_SIGNED), 1); }
    ~TaskLayout() override
    {
        btf__free(btf_);
        std::remove(path_.c_str());
    }

    std::map<std::string, uint32_t, std::less<>> layout()
    {
        uint32_t size = 0;
        const void* data = btf__raw_data(btf_, &size);
        std::ofstream(path_, std::ios::binary).write(static_cast<const char*>(data), size);
        return read_task_layout(path_.c_str());
    }

    btf* btf_ = btf__new_empty();
    const std::string path_ = testing::TempDir() + "task_layout.btf";
};

TEST_F(TaskLayout, MembersOfTheStructOnly)
{
    btf__add_struct(btf_, "task_struct_of_another", 8);
    btf__add_field(btf_, "pid", 1, 32, 0);
    btf__add_enum(btf_, "states", 4);
    btf__add_enum_value(btf_, "RUNNING", 0);
    btf__add_fwd(btf_, "task_struct", BTF_FWD_STRUCT);
    btf__add_struct(btf_, "task_struct", 16);
    btf__add_field(btf_, "state", 1, 0, 0);
    btf__add_field(btf_, "pid", 1, 64, 0);
    btf__add_field(btf_, "tgid", 1, 96, 0);
    EXPECT_THAT(layout(), ElementsAre(Pair("pid", 8), Pair("state", 0), Pair("tgid", 12)));
}

TEST_F(TaskLayout, BitFieldsHaveNoOffset)
{
    btf__add_struct(btf_, "task_struct", 8);
    btf__add_field(btf_, "flag", 1, 0, 1);
    btf__add_field(btf_, "pid", 1, 32, 0);
    EXPECT_THAT(layout(), ElementsAre(Pair("pid", 4)));
}

TEST_F(TaskLayout, AFileThatIsCutShortHasNone)
{
    btf__add_struct(btf_, "task_struct", 4);
    btf__add_field(btf_, "pid", 1, 0, 0);
    EXPECT_THAT(layout(), ElementsAre(Pair("pid", 0)));
    std::ofstream(path_, std::ios::binary).write("\x9f\xeb\x01", 3);
    EXPECT_THAT(read_task_layout(path_.c_str()), IsEmpty());
    EXPECT_THAT(read_task_layout("/nonexistent"), IsEmpty());
}

} // namespace
} // namespace dt
