// slow_files MS FOLDER COMMAND...: mounts a file system with one file, FOLDER/file, of 64 MiB of zeros. Each read request takes MS ms, and so does the look-up
// of a name that begins with "late", which fails. COMMAND runs while it is mounted, in a private mount namespace. Exits with 2 if the kernel has no FUSE.
#include "progs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

enum { kRequest = 1 << 17, kFile = 2, kSize = 64 << 20, kReadahead = 1 << 16, kMinor = 31 };

static int fuse;
static long delay_ms;

static void answer(const struct fuse_in_header *request, int error, const void *body, size_t bytes)
{
    static char whole[sizeof(struct fuse_out_header) + kRequest];
    struct fuse_out_header head = {.len = (unsigned)(sizeof head + bytes), .error = -error, .unique = request->unique};
    memcpy(whole, &head, sizeof head);
    if (bytes)
        memcpy(whole + sizeof head, body, bytes);
    if (write(fuse, whole, head.len) < 0 && errno != ENOENT)
        exit(1);
}

static struct fuse_attr attributes_of(unsigned long node)
{
    const int is_file = node == kFile;
    return (struct fuse_attr){.ino = node, .size = is_file ? kSize : 0, .blksize = 4096, .nlink = 1, .mode = is_file ? S_IFREG | 0444 : S_IFDIR | 0755};
}

static void serve(const struct fuse_in_header *request, const void *body)
{
    static const char zeros[kRequest];
    const struct timespec delay = {delay_ms / 1000, delay_ms % 1000 * 1000000};
    switch (request->opcode) {
    case FUSE_INIT: {
        struct fuse_init_out out = {.major = FUSE_KERNEL_VERSION, .minor = kMinor, .max_readahead = kReadahead, .max_write = 4096, .max_background = 16};
        return answer(request, 0, &out, sizeof out);
    }
    case FUSE_LOOKUP: {
        if (strncmp(body, "late", 4) == 0)
            nanosleep(&delay, NULL);
        struct fuse_entry_out out = {.nodeid = kFile, .entry_valid = 1000, .attr_valid = 1000, .attr = attributes_of(kFile)};
        return answer(request, strcmp(body, "file") ? ENOENT : 0, &out, strcmp(body, "file") ? 0 : sizeof out);
    }
    case FUSE_GETATTR: {
        struct fuse_attr_out out = {.attr_valid = 1000, .attr = attributes_of(request->nodeid)};
        return answer(request, 0, &out, sizeof out);
    }
    case FUSE_OPEN: {
        struct fuse_open_out out = {0};
        return answer(request, 0, &out, sizeof out);
    }
    case FUSE_READ: {
        const struct fuse_read_in *read = body;
        nanosleep(&delay, NULL);
        return answer(request, 0, zeros, read->size <= kRequest ? read->size : 0);
    }
    case FUSE_RELEASE:
    case FUSE_DESTROY:
        return answer(request, 0, NULL, 0);
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT:
        return; // skips requests for which no process waits for an answer
    default:
        return answer(request, ENOSYS, NULL, 0);
    }
}

int main(int argc, char **argv)
{
    static _Alignas(8) char request[kRequest];
    char options[96];
    int status = 1;
    ssize_t got;
    if (argc < 4)
        return usage("slow_files MS FOLDER COMMAND...");
    delay_ms = number(argv[1]);
    fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0", fuse);
    if (fuse < 0 || unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("slow_files", argv[2], "fuse", MS_NOSUID | MS_NODEV, options))
        return 2;
    const pid_t helper = fork();
    if (helper == 0) { // a child unmounts the file system when COMMAND has ended; this ends the loop
        close(fuse);
        const pid_t command = fork();
        if (command == 0) {
            execvp(argv[3], argv + 3);
            _exit(127);
        }
        waitpid(command, &status, 0);
        umount2(argv[2], MNT_DETACH);
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
    }
    while ((got = read(fuse, request, sizeof request)) >= (ssize_t)sizeof(struct fuse_in_header) || (got < 0 && (errno == EINTR || errno == ENOENT)))
        if (got > 0)
            serve((const struct fuse_in_header *)(const void *)request, request + sizeof(struct fuse_in_header));
    waitpid(helper, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
