// npm run cluster -- chaos --counter-test: without synchronous mode the same fault must lose acknowledged translations, or the checks of
// the other faults prove nothing. The ledger's audit does not see it; a signed close, of which a witness has a copy, does.
import { sleep } from '../lifecycle.mjs';
import { Failure } from '../terminal.mjs';
import { audit, openBooks } from './books.mjs';
import { loseUnsent } from './faults.mjs';
import { startLoad } from './load.mjs';
import { operate } from './product.mjs';

const DAY_MS = 86_400_000;
const APART_MS = 6_000;

/** @returns {Promise<number>} exit code: 0 if the loss happened and was found */
export async function counterTest({ cluster, steps, sessions, rate }) {
  const { env, patroni, network } = cluster;
  if (!network.isolated) throw new Failure('the counter-test cuts machines off: run it as root');
  await steps.run('synchronous mode off', async () => {
    await patroni.configure({ synchronous_mode: false, synchronous_mode_strict: false });
    await sleep(3_000);
    await patroni.untilWhole({ synchronous: false });
  });
  const books = await openBooks(env);
  const load = startLoad({ sessions, rate });
  await sleep(3_000);
  let ended;
  await steps.run('loss', async () => {
    await loseUnsent(cluster, {
      ms: APART_MS,
      // The day ends: the close of it is signed and at the witness before its entries are lost with the primary.
      async beforeLoss() {
        ended = await load.end();
        const { code, output } = await operate(cluster, ['ledger', 'close'], { clock: DAY_MS });
        if (code !== 0) throw new Error(`the ledger could not be closed: ${output}`);
      },
    });
    await patroni.untilWhole({ synchronous: false });
  });
  const { lost } = await books.compare(ended);
  const problem = await audit(cluster);
  const closes = await operate(cluster, ['ledger', 'verify-closes']);
  const expected = [
    [
      lost > 0,
      `${lost} of ${ended.acknowledged.length} acknowledged translations are lost, and the witness outside noticed`,
    ],
    [problem === '', `the audit finds ${problem || 'nothing: it cannot miss what was never there'}`],
    [
      closes.code !== 0 && /DIFFERENCE|发现差异/.test(closes.output),
      `the signed close finds it:\n${closes.output.trim()}`,
    ],
  ];
  for (const [seen, text] of expected) console.log(`  ${seen ? '✓' : '✗'} ${text}`);
  return expected.every(([seen]) => seen) ? 0 : 1;
}
