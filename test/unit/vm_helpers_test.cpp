// Tests maps and helper functions, as a program uses them.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "test/unit/vm_assembler.hpp"

namespace {

using namespace dt::vm;
using namespace dt::vm::assembler;

struct BpfHelpers : EachExecutor {};
struct ProbeRead : EachExecutor {};
struct BpfLoop : EachExecutor {};

INSTANTIATE_TEST_SUITE_P(Executors, BpfHelpers, EachExecutor::executors(), EachExecutor::name);
INSTANTIATE_TEST_SUITE_P(Executors, ProbeRead, EachExecutor::executors(), EachExecutor::name);
INSTANTIATE_TEST_SUITE_P(Executors, BpfLoop, EachExecutor::executors(), EachExecutor::name);

uint64_t negative(int error)
{
    return static_cast<uint64_t>(static_cast<int64_t>(-error));
}

Bytes word(uint64_t value, std::size_t size)
{
    Bytes bytes(size);
    std::memcpy(bytes.data(), &value, size);
    return bytes;
}

MapSpec spec(uint32_t type, uint32_t entries, uint32_t key = 4, uint32_t value = 8)
{
    return {"m", type, key, value, entries, 0};
}

/// Sets r1 to map 0, and r2 to r10 - 8, after storing `key` there.
Code key_of(int64_t key)
{
    return join({{store_imm(BPF_DW, R10, -8, key), mov_reg(R2, R10), alu(BPF_ADD, R2, -8)},
                 reference(R1, BPF_PSEUDO_MAP_FD, 0)});
}

Image with_map(Code code, MapSpec map)
{
    Image made = image(std::move(code));
    made.maps.push_back(std::move(map));
    return made;
}

struct Fixture {
    Memory memory;
    Map map;
    Fixture(uint32_t type, uint32_t entries) : map(spec(type, entries), 2, memory) {}
    int put(uint64_t key, uint64_t value, uint64_t flags = BPF_ANY, uint32_t cpu = 0)
    {
        return map.update(word(key, 4), word(value, 8), flags, cpu);
    }
    uint64_t get(uint64_t key, uint32_t cpu = 0)
    {
        const auto bytes = map.value(word(key, 4), cpu);
        uint64_t value = 0xdead;
        if (!bytes.empty())
            std::memcpy(&value, bytes.data(), 8);
        return value;
    }
};

TEST(BpfMaps, UpdatesOfAHashMapFollowTheirFlags)
{
    Fixture f(BPF_MAP_TYPE_HASH, 2);
    EXPECT_EQ(f.put(1, 10, BPF_EXIST), -ENOENT);
    EXPECT_EQ(f.put(1, 10, BPF_NOEXIST), 0);
    EXPECT_EQ(f.put(1, 11, BPF_NOEXIST), -EEXIST);
    EXPECT_EQ(f.put(1, 12, BPF_EXIST), 0);
    EXPECT_EQ(f.get(1), 12u);
    EXPECT_EQ(f.put(1, 12, 7), -EINVAL);
}

TEST(BpfMaps, AFullHashRefusesNewKeys)
{
    Fixture f(BPF_MAP_TYPE_HASH, 2);
    EXPECT_EQ(f.put(1, 10), 0);
    EXPECT_EQ(f.put(2, 20), 0);
    EXPECT_EQ(f.put(3, 30), -E2BIG);
    EXPECT_EQ(f.map.erase(word(1, 4)), 0);
    EXPECT_EQ(f.map.erase(word(1, 4)), -ENOENT);
    EXPECT_EQ(f.put(3, 30), 0);
}

TEST(BpfMaps, APointerToADeletedValueStaysValidUntilReclaimed)
{
    Fixture f(BPF_MAP_TYPE_HASH, 2);
    f.put(1, 10);
    const uint64_t old = f.map.lookup(word(1, 4), 0);
    f.put(1, 11);
    EXPECT_NE(f.map.lookup(word(1, 4), 0), old);
    EXPECT_EQ(*f.memory.host(old, 8), 10);
    f.memory.reclaim();
    EXPECT_EQ(f.memory.find(old, 8), nullptr);
}

TEST(BpfMaps, AllElementsOfAnArrayExistFromTheStart)
{
    Fixture f(BPF_MAP_TYPE_ARRAY, 2);
    EXPECT_EQ(f.get(1), 0u);
    EXPECT_EQ(f.put(1, 5), 0);
    EXPECT_EQ(f.put(2, 5), -E2BIG);
    EXPECT_EQ(f.put(1, 5, BPF_NOEXIST), -EEXIST);
    EXPECT_EQ(f.map.erase(word(1, 4)), -EINVAL);
    EXPECT_EQ(f.map.lookup(word(2, 4), 0), 0u);
}

TEST(BpfMaps, ValuesPerCpuAreSeparate)
{
    Fixture f(BPF_MAP_TYPE_PERCPU_HASH, 4);
    f.put(1, 10, BPF_ANY, 1);
    EXPECT_EQ(f.get(1, 0), 0u);
    EXPECT_EQ(f.get(1, 1), 10u);
    f.put(1, 20, BPF_ANY, 0);
    EXPECT_EQ(f.get(1, 1), 10u);
}

TEST_P(BpfHelpers, ElementsAreLookedUpUpdatedAndDeleted)
{
    // The program calls update(1, 7) and lookup(1), loads the value, then calls delete(1), which returns 0.
    const Code code =
        join({key_of(1),
              {store_imm(BPF_DW, R10, -16, 7), mov_reg(R3, R10), alu(BPF_ADD, R3, -16), mov(R4, 0),
               helper(BPF_FUNC_map_update_elem)},
              key_of(1),
              {helper(BPF_FUNC_map_lookup_elem), jump(BPF_JNE, R0, 0, 1), leave(), load(BPF_DW, R6, R0, 0)},
              key_of(1),
              {helper(BPF_FUNC_map_delete_elem), alu_reg(BPF_ADD, R0, R6), leave()}});
    TestedEngine vm(with_map(code, spec(BPF_MAP_TYPE_HASH, 4)));
    EXPECT_EQ(vm.run("f").value(), 7u);
    EXPECT_TRUE(vm.map("m")->keys().empty());
}

TEST_P(BpfHelpers, AMapReferenceCannotBeReadAsMemory)
{
    EXPECT_NE(refusal(join({key_of(1), {load(BPF_DW, R0, R1, 0), leave()}})), "");
    EXPECT_NE(refusal({mov(R1, 5), mov_reg(R2, R10), helper(BPF_FUNC_map_lookup_elem), leave()}).find("not a map"),
              std::string::npos);
}

TEST_P(BpfHelpers, AllBytesOfAKeyMustBeWritten)
{
    TestedEngine vm(with_map(join({reference(R1, BPF_PSEUDO_MAP_FD, 0),
                                   {mov_reg(R2, R10), alu(BPF_ADD, R2, -8), store_imm(BPF_W, R10, -8, 1),
                                    helper(BPF_FUNC_map_lookup_elem), leave()}}),
                             spec(BPF_MAP_TYPE_HASH, 4, 8)));
    EXPECT_NE(vm.run("f").error().message.find("never written"), std::string::npos);
}

TEST_P(BpfHelpers, EachTaskHasItsOwnStorage)
{
    const auto get = [](int flags) {
        return join({{helper(BPF_FUNC_get_current_task_btf), mov_reg(R2, R0)},
                     reference(R1, BPF_PSEUDO_MAP_FD, 0),
                     {mov(R3, 0), mov(R4, flags), helper(BPF_FUNC_task_storage_get)}});
    };
    TestedEngine absent(with_map(join({get(0), {leave()}}), spec(BPF_MAP_TYPE_TASK_STORAGE, 0)));
    EXPECT_EQ(absent.run("f").value(), 0u);
    TestedEngine counts(with_map(
        join({get(1),
              {load(BPF_DW, R6, R0, 0), alu(BPF_ADD, R6, 1), store(BPF_DW, R0, 0, R6), mov_reg(R0, R6), leave()}}),
        spec(BPF_MAP_TYPE_TASK_STORAGE, 0)));
    EXPECT_EQ(counts.run("f").value(), 1u);
    EXPECT_EQ(counts.run("f").value(), 2u);
    counts.environment.task = counts.memory().allocate(64, Kind::Task); // a second thread, which has its own storage
    EXPECT_EQ(counts.run("f").value(), 1u);
}

TEST_P(BpfHelpers, SamplesThatAProgramOutputsAreCollected)
{
    const Code code = join({{store_imm(BPF_DW, R10, -8, 0x1234), mov_reg(R4, R10), alu(BPF_ADD, R4, -8), mov(R5, 8),
                             alu32(BPF_MOV, R3, -1)},
                            reference(R2, BPF_PSEUDO_MAP_FD, 0),
                            {helper(BPF_FUNC_perf_event_output), leave()}});
    TestedEngine vm(with_map(code, spec(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 2, 4, 4)));
    vm.environment.cpu = 1;
    EXPECT_EQ(vm.run("f").value(), 0u);
    const auto& samples = vm.map("m")->samples;
    ASSERT_EQ(samples.size(), 1u);
    EXPECT_EQ(samples[0].cpu, 1u);
    EXPECT_EQ(samples[0].bytes, word(0x1234, 8));
    vm.map("m")->sample_limit = 1;
    EXPECT_EQ(vm.run("f").value(), negative(ENOSPC));
}

TEST_P(BpfHelpers, ValuesOfTheEnvironmentAreThoseThatTheTestSets)
{
    const auto value = [](int id) {
        TestedEngine vm(image({helper(id), leave()}));
        vm.environment.pid = 7;
        vm.environment.tid = 8;
        vm.environment.uid = 9;
        vm.environment.gid = 10;
        vm.environment.cpu = 1;
        vm.environment.time = 77;
        return vm.run("f").value();
    };
    EXPECT_EQ(value(BPF_FUNC_get_current_pid_tgid), uint64_t{7} << 32 | 8);
    EXPECT_EQ(value(BPF_FUNC_get_current_uid_gid), uint64_t{10} << 32 | 9);
    EXPECT_EQ(value(BPF_FUNC_get_smp_processor_id), 1u);
    EXPECT_EQ(value(BPF_FUNC_ktime_get_ns), 77u);
}

TEST_P(BpfHelpers, RegistersOfTheTaskCanBeRead)
{
    TestedEngine vm(image({helper(BPF_FUNC_get_current_task_btf), mov_reg(R1, R0), helper(BPF_FUNC_task_pt_regs),
                           load(BPF_DW, R0, R0, 16), leave()}));
    vm.environment.registers[2] = 99;
    EXPECT_EQ(vm.run("f").value(), 99u);
}

/// Reads 8 bytes, or a string into 8 bytes, with helper `id`. The address is in the context. Returns the helper's
/// result and the bytes.
struct Probe {
    uint64_t status = 0;
    Bytes bytes;
};
Probe probe(int id, Kind kind, std::vector<uint8_t> memory, uint64_t skip = 0)
{
    TestedEngine vm([&] {
        Image made = image(join(
            {{load(BPF_DW, R3, R1, 0), mov(R2, 8)}, reference(R1, BPF_PSEUDO_MAP_VALUE, 0), {helper(id), leave()}}));
        made.sections.push_back({".bss", Bytes(8, 0xcc), true});
        return made;
    }());
    const uint64_t address = vm.memory().lend(memory, kind) + skip;
    const auto r = vm.run("f", {reinterpret_cast<const uint8_t*>(&address), 8});
    const auto section = vm.section(".bss");
    return {r.ok() ? r.value() : 0xdead, Bytes(section.begin(), section.end())};
}

TEST_P(ProbeRead, BytesAreCopiedOrClearedOnFailure)
{
    const Bytes eight = {1, 2, 3, 4, 5, 6, 7, 8};
    EXPECT_EQ(probe(BPF_FUNC_probe_read_kernel, Kind::Kernel, eight).bytes, eight);
    const Probe beyond = probe(BPF_FUNC_probe_read_kernel, Kind::Kernel, eight, 1);
    EXPECT_EQ(beyond.status, negative(EFAULT));
    EXPECT_EQ(beyond.bytes, Bytes(8, 0));
}

TEST_P(ProbeRead, EachHelperReadsOnlyMemoryOfItsOwnKind)
{
    const Bytes eight = {1, 2, 3, 4, 5, 6, 7, 8};
    EXPECT_EQ(probe(BPF_FUNC_probe_read_user, Kind::User, eight).status, 0u);
    EXPECT_EQ(probe(BPF_FUNC_probe_read_user, Kind::Kernel, eight).status, negative(EFAULT));
    EXPECT_EQ(probe(BPF_FUNC_probe_read_kernel, Kind::User, eight).status, negative(EFAULT));
}

TEST_P(ProbeRead, StringsEndAtTheirNulOrAreTruncated)
{
    const Probe ab = probe(BPF_FUNC_probe_read_kernel_str, Kind::Kernel, {'a', 'b', 0, 'x', 'x', 'x', 'x', 'x', 'x'});
    EXPECT_EQ(ab.status, 3u);
    EXPECT_EQ(ab.bytes, (Bytes{'a', 'b', 0, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc}));
    const Probe cut =
        probe(BPF_FUNC_probe_read_kernel_str, Kind::Kernel, {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 0});
    EXPECT_EQ(cut.status, 8u);
    EXPECT_EQ(cut.bytes, (Bytes{'a', 'b', 'c', 'd', 'e', 'f', 'g', 0}));
    EXPECT_EQ(probe(BPF_FUNC_probe_read_kernel_str, Kind::Kernel, {'a', 'b'}).status, negative(EFAULT));
}

TEST_P(ProbeRead, MemoryForProbeReadsCannotBeLoadedDirectly)
{
    TestedEngine vm(image({load(BPF_DW, R1, R1, 0), load(BPF_DW, R0, R1, 0), leave()}));
    Bytes bytes(8);
    const uint64_t address = vm.memory().lend(bytes, Kind::Kernel);
    EXPECT_NE(vm.run("f", {reinterpret_cast<const uint8_t*>(&address), 8}).error().message.find("not allowed"),
              std::string::npos);
}

/// Calls bpf_loop(count, callback, &sum). The callback adds its index to the sum, and ends the loop at index `stop`.
Code looping(int64_t count, int64_t stop)
{
    return join({{store_imm(BPF_DW, R10, -8, 0), mov(R1, count)},
                 reference(R2, BPF_PSEUDO_FUNC, 12),
                 {mov_reg(R3, R10), alu(BPF_ADD, R3, -8), mov(R4, 0), helper(BPF_FUNC_loop), load(BPF_DW, R1, R10, -8),
                  alu(BPF_MUL, R1, 1000), alu_reg(BPF_ADD, R0, R1), leave()},
                 // instruction 12 is the first one of the callback:
                 {load(BPF_DW, R3, R2, 0), alu_reg(BPF_ADD, R3, R1), store(BPF_DW, R2, 0, R3), mov(R0, 0),
                  jump(BPF_JNE, R1, stop, 1), mov(R0, 1), leave()}});
}

TEST_P(BpfLoop, TheCallbackRunsTheGivenNumberOfTimes)
{
    EXPECT_EQ(result(looping(4, 99)), 6004u); // 1000 times the sum 0 + 1 + 2 + 3, plus the number of iterations, 4
    EXPECT_EQ(result(looping(0, 99)), 0u);
}

TEST_P(BpfLoop, TheCallbackCanEndTheLoop)
{
    EXPECT_EQ(result(looping(100, 2)), 3003u);
}

TEST_P(BpfLoop, TheNumberOfIterationsIsLimited)
{
    EXPECT_EQ(result(looping((1 << 23) + 1, 2)), negative(E2BIG));
}

TEST_P(BpfHelpers, StrncmpComparesUnsignedBytes)
{
    Image made = image(join({reference(R1, BPF_PSEUDO_MAP_VALUE, 0, 0),
                             {mov(R2, 4)},
                             reference(R3, BPF_PSEUDO_MAP_VALUE, 0, 4),
                             {helper(BPF_FUNC_strncmp), leave()}}));
    made.sections.push_back({".rodata", {'a', 0x80, 0, 0, 'a', 'b', 0, 0}, false});
    EXPECT_EQ(TestedEngine(made).run("f").value(), 1u);
    made.sections[0].bytes = {'a', 0, 1, 1, 'a', 0, 2, 2};
    EXPECT_EQ(TestedEngine(made).run("f").value(), 0u);
}

TEST_P(BpfHelpers, TheCommandNameIsTruncatedAndPadded)
{
    Image made = image(
        join({reference(R1, BPF_PSEUDO_MAP_VALUE, 0), {mov(R2, 16), helper(BPF_FUNC_get_current_comm), leave()}}));
    made.sections.push_back({".bss", Bytes(16, 0xcc), true});
    TestedEngine vm(made);
    vm.environment.comm = "a-name-of-20-letters";
    ASSERT_TRUE(vm.run("f").ok());
    EXPECT_STREQ(reinterpret_cast<const char*>(vm.section(".bss").data()), "a-name-of-20-le");
}

TEST_P(BpfHelpers, StacksCanBeReadAndSignalsCanBeSent)
{
    Image made = image(join({{mov_reg(R6, R1)},
                             {mov(R1, 9), helper(BPF_FUNC_send_signal), mov_reg(R1, R6)},
                             reference(R2, BPF_PSEUDO_MAP_VALUE, 0),
                             {mov(R3, 16), mov(R4, 1), helper(BPF_FUNC_get_stack), leave()}}));
    made.sections.push_back({".bss", Bytes(16), true});
    TestedEngine vm(made);
    vm.environment.kernel_stack = {1, 2, 3, 4};
    EXPECT_EQ(vm.run("f").value(), 16u);
    EXPECT_EQ(vm.section(".bss")[0], 2); // the first frame in the buffer is 2: the helper skips one frame
    EXPECT_EQ(vm.environment.signals, std::vector<uint32_t>{9});
}

} // namespace
