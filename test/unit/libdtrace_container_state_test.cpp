// Tests how names of containers are read from the state files of each container runtime.
#include "libdtrace/kernel/container_state.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "test/support/temporary_folder.hpp"

namespace dt {
namespace {

const std::string kContainer = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

class ContainerFiles : public testing::Test {
protected:
    void write(const std::string& path, const std::string& text)
    {
        const std::string file = root_.path() + path;
        std::filesystem::create_directories(std::filesystem::path(file).parent_path());
        std::ofstream(file) << text;
    }
    ContainerNames names(const std::string& pod_uid = {}) { return state_.names(kContainer, pod_uid); }

    test::TemporaryFolder root_;
    ContainerState state_{root_.path()};
};

TEST_F(ContainerFiles, WithoutStateFilesNoContainerHasAName)
{
    EXPECT_TRUE(names("1-2").empty());
}

TEST_F(ContainerFiles, DockerNamesAreReadWithoutTheirLeadingSlash)
{
    write("/var/lib/docker/containers/" + kContainer + "/config.v2.json",
          R"({"Name": "/web", "Config": {"Labels": null}})");
    EXPECT_EQ(names().container, "web");
    EXPECT_EQ(names().pod, "");
}

TEST_F(ContainerFiles, KubernetesNamesOfDockerContainersAreInLabels)
{
    write("/var/lib/docker/containers/" + kContainer + "/config.v2.json",
          R"({"Name": "/k8s_coredns_coredns-7c5d_kube-system", "Config": {"Labels": {"io.kubernetes.container.name":
              "coredns", "io.kubernetes.pod.name": "coredns-7c5d", "io.kubernetes.pod.namespace": "kube-system"}}})");
    EXPECT_EQ(names().container, "coredns");
    EXPECT_EQ(names().pod, "coredns-7c5d");
    EXPECT_EQ(names().pod_namespace, "kube-system");
}

TEST_F(ContainerFiles, ContainerdStoresNamesInAnnotationsOfEachNamespace)
{
    const std::string tasks = "/run/containerd/io.containerd.runtime.v2.task/";
    write(tasks + "default/" + std::string(64, 'a') + "/config.json", R"({"annotations": {"nerdctl/name": "other"}})");
    write(tasks + "k8s.io/" + kContainer + "/config.json",
          R"({"annotations": {"io.kubernetes.cri.container-name": "nginx", "io.kubernetes.cri.sandbox-name": "web-0",
              "io.kubernetes.cri.sandbox-namespace": "shop"}})");
    EXPECT_EQ(names().container, "nginx");
    EXPECT_EQ(names().pod, "web-0");
    EXPECT_EQ(names().pod_namespace, "shop");
}

TEST_F(ContainerFiles, CrioStoresNamesInAnnotations)
{
    write("/run/containers/storage/overlay-containers/" + kContainer + "/userdata/config.json",
          R"({"annotations": {"io.kubernetes.container.name": "etcd", "io.kubernetes.pod.name": "etcd-1",
              "io.kubernetes.pod.namespace": "kube-system"}})");
    EXPECT_EQ(names().container, "etcd");
    EXPECT_EQ(names().pod_namespace, "kube-system");
}

TEST_F(ContainerFiles, PodmanStoresAllNamesInOneList)
{
    write("/var/lib/containers/storage/overlay-containers/containers.json",
          R"([{"id": "ff", "names": ["other"]}, {"id": ")" + kContainer + R"(", "names": ["db", "alias"]}])");
    EXPECT_EQ(names().container, "db");
}

TEST_F(ContainerFiles, AChangedListOfContainersIsReadAgain)
{
    const std::string list = "/var/lib/containers/storage/vfs-containers/containers.json";
    write(list, "[]");
    EXPECT_EQ(names().container, "");
    write(list, R"([{"id": ")" + kContainer + R"(", "names": ["late"]}])");
    EXPECT_EQ(names().container, "late");
}

TEST_F(ContainerFiles, KubeletLogsNameThePodsOfEveryRuntime)
{
    std::filesystem::create_directories(root_.path() + "/var/log/pods/shop_web-0_1-2");
    std::filesystem::create_directories(root_.path() + "/var/log/pods/shop_web-1_1-3");
    EXPECT_EQ(names("1-2").pod, "web-0");
    EXPECT_EQ(names("1-2").pod_namespace, "shop");
    EXPECT_EQ(names("2").pod, "");
}

TEST_F(ContainerFiles, MalformedStateFilesAreIgnored)
{
    const std::string docker = "/var/lib/docker/containers/" + kContainer + "/config.v2.json";
    for (const char* text :
         {"", "{", "[]", "7", R"({"Name": 7})", R"({"Config": 1})", R"({"Config": {"Labels": []}})"}) {
        write(docker, text);
        EXPECT_TRUE(names().empty()) << text;
    }
    const std::string list = "/var/lib/containers/storage/overlay-containers/containers.json";
    for (const char* text : {"{}", "[1]", R"([{"id": 3}])", R"([{"id": "x", "names": "y"}])"}) {
        write(list, text);
        EXPECT_TRUE(names().empty()) << text;
    }
}

TEST_F(ContainerFiles, ReadingOfDeeplyNestedAndLongFilesIsBounded)
{
    const std::string docker = "/var/lib/docker/containers/" + kContainer + "/config.v2.json";
    write(docker, std::string(1'000'000, '['));
    EXPECT_TRUE(names().empty());
    write(docker, R"({"Name": "/)" + std::string(5000, 'n') + R"("})");
    EXPECT_LE(names().container.size(), 253u);
}

TEST_F(ContainerFiles, APipeInPlaceOfAFileDoesNotBlock)
{
    const std::string folder = root_.path() + "/var/lib/docker/containers/" + kContainer;
    std::filesystem::create_directories(folder);
    ASSERT_EQ(mkfifo((folder + "/config.v2.json").c_str(), 0600), 0);
    EXPECT_TRUE(names().empty());
}

} // namespace
} // namespace dt
