import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The path of a file in `apps/api/data`. Searches upwards, because the same code runs from `src` (tests) and from `dist/src`, which are at
 * different depths. Throws when it is missing: the program was packed without its data.
 */
export const dataFile = (name: string): string => {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'data', name);
    if (existsSync(path)) return path;
  }
  throw new Error(`data/${name} is missing above ${import.meta.dirname}`);
};
