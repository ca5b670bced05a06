// tournament: a reduction with few processors. Threads are venues: each plays one match of a round at a time.
// Source: PMPP 4e, Fig. 10.4, the last eight of the World Cup of 2010; + is "beats", which keeps the winner.
// Removes: the need for as many processors as pairs.
// Remains: the operator's work, N - 1 matches; with fewer venues a round takes more steps.
// Ladder: after ideal_tree.cuh, which is the same tree with a venue for every match.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// team      (teams,) in the order of the bracket; a winner goes on in the place of its match's first team
/// champion  (1,) receives the team that is left
/// blockDim  venues: as many matches are played at once
template <class T>
__global__ void tournament(Global<T> team, Global<T> champion, unsigned teams) {
    for (unsigned apart = 1; apart < teams; apart *= 2) {
        step<T>(apart);
        for (unsigned i = 2 * apart * threadIdx.x; i + apart < teams; i += 2 * apart * blockDim.x) {
            team[i] += team[i + apart];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        *champion = team[0];
    }
}

template <class T>
void host_tournament(Host<T>& host) {
    host.takes_n({.most = 65536, .why = "one block does it all", .most_plain = 65536});
    auto teams = host.input(host.n()), champion = host.output();
    host.launch("tournament", tournament<T>, {1, host.turns(host.n() / 2)}, teams, champion, host.n());
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
