/* Plays games between two engines over pipes, one line a move, as programs for chess tournaments do.
 *
 *   arbiter ENGINE GAMES STONES
 *
 * Both players run the program ENGINE, from the first game to the last. They take stones from a heap by turns (engine.c says
 * how they are asked); whoever takes the last one has won. They begin by turns, too. Prints how many moves there were,
 * how many seconds they took, and how many games were won by the player that began the first one. Ends with 1 if an engine
 * breaks a rule.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    pid_t pid;
    int questions;
    FILE *answers;
} Engine;

static void stop(const char *why) {
    fprintf(stderr, "arbiter: %s\n", why);
    exit(1);
}

static Engine start(const char *program) {
    int down[2], up[2];
    if (pipe(down) || pipe(up))
        stop(strerror(errno));
    for (int which = 0; which < 2; which++) { /* an engine that held ends of another's pipes would keep it from ending */
        fcntl(down[which], F_SETFD, FD_CLOEXEC);
        fcntl(up[which], F_SETFD, FD_CLOEXEC);
    }
    pid_t pid = fork();
    if (pid < 0)
        stop(strerror(errno));
    if (pid == 0) {
        dup2(down[0], STDIN_FILENO);
        dup2(up[1], STDOUT_FILENO);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    close(down[0]);
    close(up[1]);
    return (Engine){pid, down[1], fdopen(up[0], "r")};
}

static void end(Engine engine) {
    close(engine.questions);
    fclose(engine.answers);
    waitpid(engine.pid, NULL, 0);
}

static void say(Engine engine, const char *line) {
    size_t size = strlen(line);
    if (write(engine.questions, line, size) != (ssize_t)size)
        stop("an engine does not read");
}

static long move_of(Engine engine, long left) {
    char answer[64];
    long taken;
    if (!fgets(answer, sizeof answer, engine.answers))
        stop("an engine ended");
    if (sscanf(answer, "take %ld", &taken) != 1)
        stop("an answer cannot be read");
    if (taken < 1 || taken > 3 || taken > left)
        stop("an engine took stones that it may not take");
    return taken;
}

/* Plays a game, adds its moves to `moves`, and returns who took the last stone. */
static int play(const Engine engines[2], int turn, long stones, long *moves) {
    char position[4096];
    size_t used = (size_t)snprintf(position, sizeof position, "position %ld", stones);
    for (long left = stones;; turn = 1 - turn) {
        strcpy(position + used, "\n");
        say(engines[turn], position);
        long taken = move_of(engines[turn], left);
        left -= taken;
        ++*moves;
        if (left == 0)
            return turn;
        used += (size_t)snprintf(position + used, sizeof position - used, " %ld", taken);
    }
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int count, char **words) {
    if (count != 4 || atol(words[2]) < 1 || atol(words[3]) < 1 || atol(words[3]) > 1000) {
        fprintf(stderr, "arbiter ENGINE GAMES STONES (1 to 1000)\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    const Engine engines[2] = {start(words[1]), start(words[1])};
    long moves = 0, won = 0;
    double began = seconds();
    for (long games = atol(words[2]), first = 0; games > 0; games--) {
        won += play(engines, (int)first, atol(words[3]), &moves) == 0;
        first = 1 - first;
    }
    printf("%ld %.6f %ld\n", moves, seconds() - began, won);
    end(engines[0]);
    end(engines[1]);
    return 0;
}
