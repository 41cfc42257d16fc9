// Functions that the trigger programs share. Each trigger program performs a known number of known actions, so that a
// test knows the right result of a trace.
#pragma once

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int usage(const char *text)
{
    fprintf(stderr, "usage: %s\n", text);
    return 2;
}

/// Reads a decimal number from an argument. Ends the program if it is no number: otherwise a typing error in a test
/// would count as 0.
static inline long number(const char *text)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0') {
        fprintf(stderr, "not a number: %s\n", text);
        exit(2);
    }
    return value;
}

/// Makes the system call getppid(2) by an instruction in the calling function, so that no library function is in its
/// stack.
__attribute__((always_inline)) static inline long getppid_here(void)
{
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"((long)SYS_getppid) : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long number __asm__("x8") = SYS_getppid;
    register long result __asm__("x0");
    __asm__ volatile("svc 0" : "=r"(result) : "r"(number) : "memory");
    return result;
#endif
}
