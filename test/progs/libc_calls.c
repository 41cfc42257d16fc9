// libc_calls N: calls common functions of the C library in N rounds, and prints a number computed from their results.
// The results depend only on N, not on time or addresses. So a probe that corrupts the state of such a function changes
// the number.
#include "progs.h"

#include <ctype.h>
#include <pthread.h>
#include <regex.h>
#include <search.h>
#include <setjmp.h>
#include <stdint.h>
#include <time.h>
#include <wchar.h>

static uint64_t sum = 1;

static void mix(uint64_t value)
{
    sum = (sum ^ value) * 0x100000001b3u;
    sum ^= sum >> 29;
}

static void mix_text(const char *text)
{
    for (; *text != '\0'; text++)
        mix((unsigned char)*text);
}

static void texts(long round)
{
    char buffer[256], copy[256], *state;

    snprintf(buffer, sizeof buffer, "%ld,%08lx;%-9s|%+.17g|%a %c", round, round * 7919, "words", (double)round / 3.0, (double)round * 1e10, 'x');
    mix_text(buffer);
    strcpy(copy, buffer);
    strcat(copy, " and more");
    mix(strlen(copy) + strspn(copy, "0123456789") + strcspn(copy, "|"));
    mix((uint64_t)(strchr(copy, ';') - copy) + (uint64_t)(strrchr(copy, '|') - copy) + (uint64_t)(strstr(copy, "words") - copy));
    mix((uint64_t)(strcmp(copy, buffer) > 0) + (uint64_t)(strncasecmp(copy, buffer, 9) == 0) + (uint64_t)(memcmp(copy, buffer, 8) == 0));
    for (char *word = strtok_r(copy, ",;|", &state); word; word = strtok_r(NULL, ",;|", &state))
        mix(strtoull(word, NULL, 0) + (uint64_t)(strtod(word, NULL) * 1024.0) + (uint64_t)toupper(word[0]));
    memset(copy, (int)round, 100);
    memmove(copy + 3, buffer, 90);
    mix_text(copy + 3);
    int a = 0;
    char text[32] = "";
    mix((uint64_t)sscanf("17 apples 3", "%d %31s", &a, text) + (uint64_t)a);
    mix_text(text);
}

static int by_value(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void orders(long round)
{
    int values[200], *found;
    unsigned seed = (unsigned)round;

    for (int i = 0; i < 200; i++)
        values[i] = rand_r(&seed) % 1000;
    qsort(values, 200, sizeof *values, by_value);
    for (int i = 0; i < 200; i++)
        mix((uint64_t)values[i]);
    found = bsearch(&values[77], values, 200, sizeof *values, by_value);
    mix((uint64_t)*found);
    void *tree = NULL;
    for (int i = 0; i < 20; i++)
        tsearch(&values[i * 10], &tree, by_value);
    mix(tfind(&values[30], &tree, by_value) != NULL);
    while (tree)
        tdelete(*(void **)tree, &tree, by_value);
}

static void memory(long round)
{
    char *pieces[32] = {0};

    for (int turn = 0; turn < 4; turn++)
        for (int i = 0; i < 32; i++) {
            pieces[i] = realloc(pieces[i], (size_t)((i * 37 + round + turn * 500) % 5000 + 8));
            memset(pieces[i], i, 8);
        }
    for (int i = 0; i < 32; i++) {
        mix((uint64_t)pieces[i][7]);
        free(pieces[i]);
    }
    char *zeros = calloc(100, 30);
    mix((uint64_t)zeros[2999]);
    free(zeros);
}

static void files(long round)
{
    char *text = NULL, line[64];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    for (int i = 0; i < 10; i++)
        fprintf(out, "line %d of %ld\n", i, round);
    fputs("end\n", out);
    fclose(out);
    FILE *in = fmemopen(text, size, "r");
    while (fgets(line, sizeof line, in))
        mix_text(line);
    mix((uint64_t)ftell(in));
    fclose(in);
    free(text);
}

static void others(long round)
{
    jmp_buf back;
    regex_t pattern;
    struct tm broken;
    time_t when = round * 86413;
    char text[64];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    volatile int again = 0;

    gmtime_r(&when, &broken);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %j %a", &broken);
    mix_text(text);
    mix((uint64_t)timegm(&broken));
    if (setjmp(back) == 0) {
        again = 1;
        longjmp(back, 1);
    }
    mix((uint64_t)again);
    mix((uint64_t)regcomp(&pattern, "^([a-z]+)[0-9]{2,}(x|yz)$", REG_EXTENDED));
    mix((uint64_t)regexec(&pattern, "words123yz", 0, NULL, 0));
    regfree(&pattern);
    pthread_mutex_lock(&lock);
    mix(getenv("no such variable") == NULL);
    pthread_mutex_unlock(&lock);
    wchar_t wide[16];
    mix((uint64_t)mbstowcs(wide, "plain", 16) + (uint64_t)wcslen(wide));
    div_t parts = div((int)round, 7);
    mix((uint64_t)parts.quot * 8 + (uint64_t)parts.rem);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return usage("libc_calls N");
    for (long i = number(argv[1]); i > 0; --i) {
        texts(i);
        orders(i);
        memory(i);
        files(i);
        others(i);
    }
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}
