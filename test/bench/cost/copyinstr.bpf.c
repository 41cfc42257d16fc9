#include "hand.h"

/* 64 bytes are enough for the loop's text of 33 characters; D guarantees 256 bytes. */
#ifdef PROMISED
#define TEXT_LENGTH 256
#else
#define TEXT_LENGTH 64
#endif

struct text {
    char text[TEXT_LENGTH];
};

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
    __uint(max_entries, 10240);
    __type(key, struct text);
    __type(value, __u64);
} result SEC(".maps");

SEC("tp_btf/sys_enter")
int copyinstr(struct enter* context)
{
    struct text key = {};

    if (!is_traced(context->registers, context->number))
        return 0;
#ifdef PROMISED
    if (bpf_probe_read_user_str(key.text, sizeof(key.text), (const void*)context->registers->rsi) < 0) {
        tell_of_fault(context, (const void*)context->registers->rsi);
        return 0;
    }
#else
    bpf_probe_read_user_str(key.text, sizeof(key.text), (const void*)context->registers->rsi);
#endif
    add(&result, &key, 1);
    return 0;
}
