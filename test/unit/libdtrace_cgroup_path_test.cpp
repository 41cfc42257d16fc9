// Tests how the path of a control group is parsed into unit, container and pod, with one row for each naming scheme.
#include "libdtrace/kernel/container_state.hpp"

#include <gtest/gtest.h>

namespace dt {
namespace {

const std::string kId = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const std::string kOtherId = "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210";

std::string unit_of(const std::string& path)
{
    return read_cgroup_path(path).unit;
}

std::string container_of(const std::string& path)
{
    return read_cgroup_path(path).container_id;
}

std::string machine_of(const std::string& path)
{
    return read_cgroup_path(path).machine;
}

std::string pod_of(const std::string& path)
{
    return read_cgroup_path(path).pod_uid;
}

TEST(CgroupPath, AServiceHasTheNameOfItsFolder)
{
    EXPECT_EQ(unit_of("/system.slice/sshd.service"), "sshd.service");
}

TEST(CgroupPath, GroupsInsideAServiceBelongToTheService)
{
    EXPECT_EQ(unit_of("/system.slice/sshd.service/supervised/child"), "sshd.service");
}

TEST(CgroupPath, OfNestedUnitsTheInnermostUnitIsReported)
{
    EXPECT_EQ(unit_of("/user.slice/user-1000.slice/user@1000.service/app.slice/gnome-terminal.service"),
              "gnome-terminal.service");
    EXPECT_EQ(unit_of("/user.slice/user-1000.slice/session-3.scope"), "session-3.scope");
}

TEST(CgroupPath, ScopesSocketsAndOtherUnitsAreUnitsToo)
{
    EXPECT_EQ(unit_of("/system.slice/dbus.socket"), "dbus.socket");
    EXPECT_EQ(unit_of("/system.slice/home.mount"), "home.mount");
    EXPECT_EQ(unit_of("/init.scope"), "init.scope");
}

TEST(CgroupPath, SlicesAndFoldersWithoutASuffixAreNoUnits)
{
    EXPECT_EQ(unit_of("/"), "");
    EXPECT_EQ(unit_of(""), "");
    EXPECT_EQ(unit_of("/system.slice"), "");
    EXPECT_EQ(unit_of("/docker/" + kId), "");
    EXPECT_EQ(unit_of("/.service"), "");
}

TEST(CgroupPath, EscapesInTheNameOfAUnitAreNotDecoded)
{
    EXPECT_EQ(unit_of(R"(/system.slice/dev-disk-by\x2dlabel-swap.swap)"), R"(dev-disk-by\x2dlabel-swap.swap)");
}

TEST(CgroupPath, SystemdsLeadingUnderscoreIsRemoved)
{
    EXPECT_EQ(unit_of("/system.slice/_cpu.service"), "cpu.service");
}

TEST(CgroupPath, ContainerIdsAreRecognizedForEachRuntime)
{
    for (const std::string& path :
         {"/system.slice/docker-" + kId + ".scope", "/docker/" + kId,
          "/kubepods.slice/kubepods-pod1_2.slice/cri-containerd-" + kId + ".scope",
          "/kubepods.slice/kubepods-pod1_2.slice/crio-" + kId + ".scope", "/machine.slice/libpod-" + kId + ".scope",
          "/machine.slice/libpod-" + kId + ".scope/container", "/kubepods/besteffort/pod1-2/" + kId,
          "/system.slice:docker:" + kId})
        EXPECT_EQ(container_of(path), kId) << path;
}

TEST(CgroupPath, OfNestedContainersTheInnermostContainerIsReported)
{
    EXPECT_EQ(container_of("/docker/" + kId + "/kubelet.slice/cri-containerd-" + kOtherId + ".scope"), kOtherId);
}

TEST(CgroupPath, TheMonitorOfAContainerDoesNotBelongToTheContainer)
{
    EXPECT_EQ(container_of("/machine.slice/libpod-conmon-" + kId + ".scope"), "");
    EXPECT_EQ(container_of("/system.slice/crio-conmon-" + kId + ".scope"), "");
}

TEST(CgroupPath, NamesOfAnotherFormAreNoContainerIds)
{
    EXPECT_EQ(container_of("/system.slice/sshd.service"), "");
    EXPECT_EQ(container_of("/docker/" + kId.substr(1)), "");
    EXPECT_EQ(container_of("/docker/a" + kId), "");
    EXPECT_EQ(container_of("/docker/g" + kId.substr(1)), "");
}

TEST(CgroupPath, TheNameOfAVirtualMachineIsReadFromItsFolder)
{
    EXPECT_EQ(machine_of("/machine.slice/machine-buster.scope"), "buster");
    EXPECT_EQ(machine_of(R"(/machine.slice/machine-my\x2dbuster.scope)"), "my-buster");
    EXPECT_EQ(machine_of("/machine.slice/systemd-nspawn@buster.service/payload/system.slice"), "buster");
    EXPECT_EQ(machine_of("/lxc.payload.web-1/system.slice"), "web-1");
    EXPECT_EQ(machine_of("/lxc/web-1"), "web-1");
    EXPECT_EQ(machine_of("/lxc.monitor.web-1"), "");
}

TEST(CgroupPath, OfAVirtualMachineAndAContainerTheInnermostIsReported)
{
    const CgroupPath docker_in_machine = read_cgroup_path("/machine.slice/machine-box.scope/docker/" + kId);
    EXPECT_EQ(docker_in_machine.machine, "");
    EXPECT_EQ(docker_in_machine.container_id, kId);
    const CgroupPath machine_in_docker = read_cgroup_path("/docker/" + kId + "/machine.slice/machine-box.scope");
    EXPECT_EQ(machine_in_docker.machine, "box");
    EXPECT_EQ(machine_in_docker.container_id, "");
}

TEST(CgroupPath, PodsAreIdentifiedByTheirUids)
{
    EXPECT_EQ(pod_of("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod12ab_34_cd.slice/crio-" + kId +
                     ".scope"),
              "12ab-34-cd");
    EXPECT_EQ(pod_of("/kubepods.slice/kubepods-pod12ab_34.slice"), "12ab-34");
    EXPECT_EQ(pod_of("/kubepods/burstable/pod12ab-34/" + kId), "12ab-34");
    EXPECT_EQ(
        pod_of("/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod1_2.slice/cri-containerd-" + kId + ".scope"),
        "1-2");
    EXPECT_EQ(pod_of("/kubepods-besteffort-pod1_2.slice:cri-containerd:" + kId), "1-2");
}

TEST(CgroupPath, OtherFoldersAreNoPods)
{
    EXPECT_EQ(pod_of("/machine.slice/podman.service"), "");
    EXPECT_EQ(pod_of("/kubepods.slice/kubepods-burstable.slice"), "");
}

} // namespace
} // namespace dt
