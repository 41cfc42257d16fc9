#include "hand.h"

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} result SEC(".maps");

/* Bytes of "/usr/share/zoneinfo/Europe/Berlin" with its NUL, which is_wanted() compares as words. */
#define LENGTH 34

static __always_inline int is_wanted(const __u64* text)
{
    return text[0] == 0x6168732f7273752fULL && text[1] == 0x69656e6f7a2f6572ULL && text[2] == 0x6f7275452f6f666eULL &&
           text[3] == 0x696c7265422f6570ULL && *(const __u16*)&text[4] == 'n';
}

/* Reads a fixed number of bytes, because a string equal to the wanted one has exactly this length. */
SEC("tp_btf/sys_enter")
int string_predicate(struct enter* context)
{
    __u64 text[5];

    if (!is_traced(context->registers, context->number))
        return 0;
    if (bpf_probe_read_user(text, LENGTH, (const void*)context->registers->rsi) == 0) {
        if (is_wanted(text))
            add_to_first(&result);
    }
#ifdef PROMISED
    else {
        /* Either the string ends before LENGTH bytes, or its memory cannot be read. D reports a fault in the second
           case. */
        if (bpf_probe_read_user_str(text, sizeof(text), (const void*)context->registers->rsi) < 0)
            tell_of_fault(context, (const void*)context->registers->rsi);
    }
#endif
    return 0;
}
