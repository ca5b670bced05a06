// What a program could do to the machine that it runs on. Each stops by itself.
#include <arpa/inet.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "", path = argc > 2 ? argv[2] : "";
    if (what == "processes") {
        int begun = 0;
        for (int i = 0; i < 20; ++i) {
            const pid_t child = fork();
            if (child == 0) _exit(0);
            if (child > 0) ++begun, waitpid(child, nullptr, 0);
        }
        printf("began %d\n", begun);
    }
    if (what == "shell") printf("shell %d\n", system(("touch " + path + "/by-shell").c_str()) == 0);
    if (what == "delete") printf("deleted %d\n", remove((path + "/precious").c_str()) == 0);
    if (what == "overwrite") {
        FILE* file = fopen((path + "/precious").c_str(), "w");
        printf("opened %d\n", file != nullptr);
    }
    if (what == "rights") printf("changed %d\n", chmod((path + "/precious").c_str(), 0) == 0);
    if (what == "network") {
        const int one = socket(AF_INET, SOCK_STREAM, 0);
        printf("socket %d\n", one >= 0);
    }
    if (what == "signal") printf("signalled %d\n", kill(getppid(), 0) == 0 || kill(1, 0) == 0);
    if (what == "memory") {
        size_t got = 0;
        for (int i = 0; i < 20; ++i)
            if (char* part = (char*)malloc(1 << 30)) memset(part, 1, 4096), ++got;
        printf("took %d GB\n", (int)got);
    }
    if (what == "output")
        for (int i = 0; i < 2000000; ++i) puts("one line of very many, 64 characters each, which nobody will read");
    if (what == "own-file") {
        FILE* file = fopen("results.csv", "w");
        printf("wrote %d\n", file != nullptr && fputs("1,2\n", file) >= 0 && fclose(file) == 0);
    }
    if (what == "abort") abort();
    if (what == "exit") exit(7);
    return 0;
}
