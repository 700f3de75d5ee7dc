import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/** Peaks of resident memory in MB, as reported by the kernel: of a process, and of its largest descendant. */
export type Peaks = { own: number; largest: number };

/** Samples until stopped; 0 where the kernel reports nothing. */
export function watchMemory(pid: number): { stop: () => Peaks } {
  const peaks: Peaks = { own: 0, largest: 0 };
  const look = async (): Promise<void> => {
    // A process that has just ended reports NaN.
    peaks.own = Math.max(peaks.own, (await peakOf(pid)) || 0);
    for (const child of await descendants(pid)) peaks.largest = Math.max(peaks.largest, (await peakOf(child)) || 0);
  };
  const timer = setInterval(() => void look(), 100);
  return {
    stop: () => {
      clearInterval(timer);
      return peaks;
    },
  };
}

/** Current resident memory of a process in bytes; NaN where the kernel reports nothing. */
export function residentMemory(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}

async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024) / 1_000_000;
}

async function descendants(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  const own = lists.flatMap((list) => list.split(/\s+/).filter(Boolean).map(Number));
  return [...own, ...(await Promise.all(own.map(descendants))).flat()];
}
