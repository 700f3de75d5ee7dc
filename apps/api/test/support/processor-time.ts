/**
 * Seconds of processor time that `act` needs, whatever else the machine does: the least of three runs, because the
 * garbage of all the suites that a process has run may be collected during one.
 */
export async function processorTime(act: () => unknown): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < 3; run++) {
    const begun = process.cpuUsage();
    await act();
    least = Math.min(least, process.cpuUsage(begun).user / 1_000_000);
  }
  return least;
}
