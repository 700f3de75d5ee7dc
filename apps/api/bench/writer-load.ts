import type { LedgerWriter } from '../src/ledger/writer/writer.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { pick } from './ground.js';
import type { Load } from './pgbench.js';

const usage = { tranChannelId: 1, ip: '192.0.2.7', clientType: 'web', source: 'zh', target: 'en' } as const;

/** `callers` in parallel, each translating again and again: hold, wait, settle, wait. Answers translations per second. */
export async function translations(
  writer: LedgerWriter,
  load: Load,
  { callers, seconds }: { callers: number; seconds: number },
): Promise<number> {
  const started = performance.now();
  const end = started + seconds * 1000;
  let done = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      const userId = pick(load);
      const to = { id: uuid7(), userId, familyId: userId };
      await writer.hold({ ...to, ask: { kind: 'text', codePoints: 10 + Math.floor(Math.random() * 490) } });
      await writer.settle({ ...to, usage });
      done++;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (done * 1000) / (performance.now() - started);
}
