"""Serves a peer over standard input, for bench/harness/peer.ts."""
import sys
import time

import numpy as np


def serve(prepare, seconds=0.1):
    """Reads words per line; prints one line: CPU seconds of one run, then its numbers.

    prepare(*words) returns the function that is timed; it runs until the seconds have passed.
    """
    for line in sys.stdin:
        run = prepare(*line.split())
        runs, begin = 0, time.process_time()
        while runs == 0 or time.process_time() - begin < seconds:
            result = run()
            runs += 1
        elapsed = (time.process_time() - begin) / runs
        print(elapsed, *(repr(float(value)) for value in np.ravel(result)), flush=True)
