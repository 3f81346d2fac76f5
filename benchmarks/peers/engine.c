/* The smallest engine: it knows a heap game, reads a line, writes a line.
 *
 *   position STONES TAKEN...   the heap at the beginning, and every move so far
 *   take N                     the answer: one, two or three stones, and no more than there are
 *
 * Every other line is ignored. It ends with its input.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "position ", 9) != 0)
            continue;
        char *rest = line + 9, *after;
        long left = strtol(rest, &after, 10), moves = 0;
        for (rest = after; left -= strtol(rest, &after, 10), after != rest; rest = after)
            moves++;
        long most = left < 3 ? left : 3;
        printf("take %ld\n", 1 + (2 * left + moves) % most);
        fflush(stdout);
    }
    return 0;
}
