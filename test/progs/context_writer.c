// Publishes an OpenTelemetry thread context (OTEP 4947): a thread-local pointer to a record of the trace for which the
// thread works. Compiled into programs and libraries with every access model for thread-local variables.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct context {
    uint8_t trace[16], span[8];
    uint8_t valid, flags;
    uint16_t attributes_size;
    uint8_t attributes[612];
};

__attribute__((visibility("default"))) __thread struct context *otel_thread_ctx_v1;
#ifdef LARGE
__thread char large[1 << 16]; // too large for the initial block of thread-local storage, so it is allocated separately
#endif

static __thread struct context mine;

static void add_attribute(struct context *to, int name, const char *value)
{
    uint8_t *at = to->attributes + to->attributes_size;
    at[0] = (uint8_t)name;
    at[1] = (uint8_t)strlen(value);
    memcpy(at + 2, value, at[1]);
    to->attributes_size = (uint16_t)(to->attributes_size + 2 + at[1]);
}

// The process context (OTEP 4719), a message in a named memory mapping. It has the names of the attributes in the
// records.
static const char *const kNames[] = {"http.route", "user", "empty"};

static unsigned char *put(unsigned char *to, int field, const void *bytes, size_t size)
{
    *to++ = (unsigned char)(field << 3 | 2); // wire type 2 of protocol buffers: a length and that many bytes follow
    *to++ = (unsigned char)size;
    memcpy(to, bytes, size);
    return to + size;
}

__attribute__((visibility("default"))) int context_publish_names(void)
{
    static const char key[] = "threadlocal.attribute_key_map";
    unsigned char names[128], list[128], attribute[128], text[64];
    unsigned char *end = names, *more = attribute;
    struct {
        char signature[8];
        uint32_t version, size;
        uint64_t published;
        const unsigned char *message;
    } head = {"", 2, 0, 1, NULL};
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const int file = memfd_create("OTEL_CTX", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)page) != 0)
        return 1;
    unsigned char *const shown = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shown == MAP_FAILED)
        return 1;
    for (size_t i = 0; i < sizeof kNames / sizeof kNames[0]; i++) // ArrayValue of AnyValue
        end = put(end, 1, text, (size_t)(put(text, 1, kNames[i], strlen(kNames[i])) - text));
    end = list + (put(list, 5, names, (size_t)(end - names)) - list); // AnyValue
    more = put(more, 1, key, sizeof key - 1);                         // KeyValue
    more = put(more, 2, list, (size_t)(end - list));
    head.message = shown + sizeof head;
    head.size = (uint32_t)(put(shown + sizeof head, 2, attribute, (size_t)(more - attribute)) - head.message);
    memcpy(head.signature, "OTEL_CTX", sizeof head.signature);
    memcpy(shown, &head, sizeof head);
    return 0;
}

/// Writes a record of a trace whose id consists of the byte `number`, to memory to which no thread-local variable
/// points yet.
__attribute__((visibility("default"))) void context_fill(void *memory, int number)
{
    struct context *context = memory;
    memset(context->trace, number, sizeof context->trace);
    memset(context->span, number, sizeof context->span);
    context->attributes_size = 0;
    context->valid = 1;
}

/// Publishes the record as that of the current thread.
__attribute__((visibility("default"))) void context_point(void *memory)
{
    otel_thread_ctx_v1 = memory;
}

/// From now on, the thread works for trace 001122…eeNN and span ab00…NN.
__attribute__((visibility("default"))) void context_begin(int number)
{
    struct context *context = &mine;
    char route[32];
    context->valid = 0;
    // a reader runs as an interrupt of this thread, so a compiler barrier suffices
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    for (int i = 0; i < 16; i++)
        context->trace[i] = (uint8_t)(i == 15 ? number : i * 17);
    memset(context->span, 0, sizeof context->span);
    context->span[0] = 0xab;
    context->span[7] = (uint8_t)number;
    context->attributes_size = 0;
    add_attribute(context, 2, "");
    snprintf(route, sizeof route, "/shop/%d", number);
    add_attribute(context, 1, "somebody");
    add_attribute(context, 0, route);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    context->valid = 1;
    otel_thread_ctx_v1 = context;
#ifdef LARGE
    large[0] = 1;
#endif
}

/// Marks the record as invalid but does not free it. The next context will be written to it.
__attribute__((visibility("default"))) void context_pause(void)
{
    mine.valid = 0;
}

__attribute__((visibility("default"))) void context_end(void)
{
    otel_thread_ctx_v1 = NULL;
}
