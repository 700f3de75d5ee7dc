import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `dies`: passes the first bytes of a text on and is killed. `hangs`: reads nothing. `swallows`: reads all and writes nothing. */
export type StageFault = 'dies' | 'hangs' | 'swallows';

export type FaultyEngine = {
  readonly folder: string;
  /** For processes that start from now on. */
  breakStage: (fault: StageFault) => Promise<void>;
  mendStage: () => Promise<void>;
  remove: () => Promise<void>;
};

const MODES = 'usr/share/apertium/modes';
/** A program that modes may start and eng-spa does not. */
const STAGE = 'apertium-anaphora';

/**
 * The engine installed at `origin` ('/' or a folder), with one more stage in the middle of the mode eng-spa: it copies its input until a
 * test breaks it.
 */
export async function faultyEngine(origin: string): Promise<FaultyEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-'));
  const fault = join(folder, 'fault');
  const linked = async (inner: string, except: string): Promise<void> => {
    await mkdir(join(folder, inner), { recursive: true });
    const names = (await readdir(join('/', origin, inner))).filter((name) => name !== except);
    await Promise.all(names.map((name) => symlink(join('/', origin, inner, name), join(folder, inner, name))));
  };
  await linked('usr', 'share');
  await linked('usr/share/apertium', 'modes');
  await rm(join(folder, 'usr/bin'));
  await linked('usr/bin', STAGE);
  await linked(MODES, 'eng-spa.mode');
  const mode = await readFile(join('/', origin, MODES, 'eng-spa.mode'), 'utf8');
  await writeFile(join(folder, MODES, 'eng-spa.mode'), mode.replace('|', `| ${STAGE} |`));
  await writeFile(join(folder, 'usr/bin', STAGE), stage(fault));
  await chmod(join(folder, 'usr/bin', STAGE), 0o755);
  return {
    folder,
    breakStage: (kind) => writeFile(fault, kind),
    mendStage: () => rm(fault, { force: true }),
    remove: () => rm(folder, { recursive: true }),
  };
}

const stage = (fault: string): string => `#!/bin/sh
case "$(cat '${fault}' 2>/dev/null)" in
  dies) head -c 20; kill -KILL $$ ;;
  hangs) exec sleep 600 ;;
  swallows) cat >/dev/null ;;
esac
exec cat
`;
