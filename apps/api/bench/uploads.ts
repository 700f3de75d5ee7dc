/** What texts feel of large uploads: their p95 alone and beside eight of them at once, and the memory that those take. */
import { startServer } from './child.js';
import { prepareGround } from './ground.js';
import { watchMemory, type Peaks } from './memory-of.js';
import { apiEnv, signIn } from './signed-in.js';
import { largePicture, textP95, uploading } from './uploads-load.js';
import { median, overRounds, ratios, targetLine, type Findings, type Setting } from './verdicts.js';

const AT_ONCE = 8;
const SECONDS = 6;

type UploadsRound = { alone: number; beside: number; uploads: number };

export async function benchUploads({ server, rounds, say }: Setting): Promise<Findings> {
  const ground = await prepareGround(server);
  try {
    const [reader, ...members] = await signIn(ground.owner, [1, 2, 3, 4, 5]);
    if (!reader) throw new Error('nobody was signed in');
    // Pictures that nobody can pay for are only looked at.
    await ground.owner.query('UPDATE member_account SET usable_image_num = 100000 WHERE user_id <= 5');
    const { MEDIA_DIR = '/', APERTIUM_DIR = '' } = process.env;
    const api = await startServer('http-server', apiEnv(ground.url, { MEDIA_DIR, APERTIUM_DIR }), ['vendors']);
    const memory = watchMemory(api.process.pid ?? 0);
    const figures: UploadsRound[] = [];
    try {
      const file = await largePicture();
      await textP95(api.url, reader, 2);
      for (let round = 1; round <= rounds; round++) {
        const alone = await textP95(api.url, reader, SECONDS);
        const load = uploading(api.url, { members, file, width: AT_ONCE });
        // Until the first are at work.
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        const beside = await textP95(api.url, reader, SECONDS);
        figures.push({ alone, beside, uploads: await load.stop() });
        say(`round ${round}: p95 alone ${alone.toFixed(1)} ms · beside ${AT_ONCE} uploads ${beside.toFixed(1)} ms`);
      }
    } finally {
      await api.stop();
    }
    return reportUploads(figures, memory.stop());
  } finally {
    await ground.close();
  }
}

function reportUploads(rounds: UploadsRound[], { own, largest }: Peaks): Findings {
  const ratio = overRounds(
    ratios(
      rounds,
      (r) => r.beside,
      (r) => r.alone,
    ),
    { name: `text p95 beside ${AT_ONCE} large uploads ÷ alone`, kind: 'at most', gate: 1.5, unit: '×' },
  );
  const decoder = {
    name: 'peak memory of a decoder',
    kind: 'at most',
    gate: 768,
    unit: ' MB',
    found: largest,
  } as const;
  const text = [
    '',
    `text translation beside ${AT_ONCE} uploads of the largest kind at once`,
    `  p95 alone, ms            ${median(rounds.map((r) => r.alone)).toFixed(1)}`,
    `  p95 beside, ms           ${median(rounds.map((r) => r.beside)).toFixed(1)}`,
    `  uploads answered         ${rounds.reduce((sum, r) => sum + r.uploads, 0)}`,
    `  peak memory, MB          api ${Math.round(own)}, the largest decoder ${Math.round(largest)}`,
    '',
    targetLine(ratio),
    targetLine(decoder),
  ].join('\n');
  return { text, json: { rounds, memory: { own, largest } }, targets: [ratio, decoder] };
}
