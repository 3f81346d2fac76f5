#include <stdio.h>
#include <string.h>

/* Each line has a path and a value, such as "view.seat 1". This bot keeps only what it needs. */
static long seed, number, legal;

/* The index of an action, from 0 to legal - 1. Your thinking goes here. */
static long choose(void) {
    long x = seed % 9973 + 7 * number;
    return x * x % 9973 % legal;
}

int main(void) {
    static char line[1 << 16], path[1 << 16], type[16];
    while (fgets(line, sizeof line, stdin)) {
        const char *value = strchr(line, ' ');
        sscanf(line, "%65535s", path);
        if (!strcmp(path, "type")) sscanf(value, "%15s", type);
        else if (!strcmp(path, "seed")) sscanf(value, "%ld", &seed);
        else if (!strcmp(path, "number")) sscanf(value, "%ld", &number);
        else if (!strcmp(path, "legal")) sscanf(value, "%ld", &legal);
        else if (!strcmp(path, "go")) {
            if (!strcmp(type, "start")) puts("ready");
            else printf("%ld\n", choose());
            fflush(stdout);
        }
    }
    return 0;
}
