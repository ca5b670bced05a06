"""What mutate.py draws: the same for a seed, small faults in code alone."""
import mutate

TEXT = """// a < b is no code
#include <a>
bool f(int a, int b) {
    if (a < b && g("a < b")) return true;
    say(a, b);  // a + 1
    return a + 1 == 2;
}
"""


def main():
    all_of = list(mutate.faults_in("f.cpp", TEXT))
    lines = TEXT.split("\n")
    for kind, file, number, line, changed in all_of:
        assert file == "f.cpp" and number in (4, 5, 6) and line == lines[number - 1] != changed, (kind, number, changed)
        assert number != 4 or 'g("a < b")' in changed or changed.strip() == ";", changed
    now = {(kind, changed.strip().split("  //")[0]) for kind, _, _, _, changed in all_of}
    for fault in (("comparison", 'if (a <= b && g("a < b")) return true;'), ("and, or", 'if (a < b || g("a < b")) return true;'),
                  ("negation", 'if (!(a < b && g("a < b"))) return true;'), ("constant", 'if (a < b && g("a < b")) return false;'),
                  ("dropped", ";"), ("swapped", "say(b, a);"), ("off by one", "return a == 2;"), ("operator", "return a - 1 == 2;")):
        assert fault in now, (fault, now)
    texts = {"f.cpp": TEXT, "g.cpp": TEXT}
    assert mutate.draw(texts, 7, 9) == mutate.draw(texts, 7, 9) != mutate.draw(texts, 8, 9)
    drawn = mutate.draw(texts, 7, 1000)
    assert len(drawn) == len(set(drawn)) == 2 * len(all_of), "each place once"


if __name__ == "__main__":
    main()
