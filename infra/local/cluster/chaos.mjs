// npm run cluster -- chaos: each fault in turn under load; afterwards everything is whole again, the ledger's audit is clean, and what was
// acknowledged is in the books exactly once.
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { sleep } from '../lifecycle.mjs';
import { Failure } from '../terminal.mjs';
import { audit, openBooks, openHolds } from './books.mjs';
import { counterTest } from './counter-test.mjs';
import { faults } from './faults.mjs';
import { openSessions, startLoad } from './load.mjs';
import { operate } from './product.mjs';
import { printReport, problemsOf } from './report.mjs';

/** The first thousand requests compile what they run. */
const WARM_UP_MS = 15_000;
const BEFORE_MS = 4_000;
/** Until everybody has noticed: before that, all still say that it is whole. */
const NOTICED_MS = 4_000;
const AFTER_MS = 3_000;
const JOBS_TIMEOUT_MS = 60_000;
/** Of the load, whose machine would be another one: on a processor that is busy its own waiting would be measured, too. */
const PRIORITY = -10;

/**
 * @param {{cluster: object, steps: object, onEnd: Function, rounds: number, rate: number, only?: string, counterTest?: boolean}} options
 *   onEnd: takes what is to be done when the run ends, also by Ctrl-C; only: faults whose name matches this expression
 * @returns {Promise<number>} exit code
 */
export async function runChaos({ cluster, steps, rounds, rate, only = '', ...options }) {
  if (cluster.network.isolated) goFirst();
  await grantQuota(cluster);
  const sessions = await openSessions(cluster);
  await steps.run('warm-up', async () => {
    const load = startLoad({ sessions, rate });
    await sleep(WARM_UP_MS);
    await load.end();
  });
  if (options.counterTest) return counterTest({ cluster, steps, sessions, rate });
  const chosen = faults.filter(({ name }) => new RegExp(only, 'i').test(name));
  const possible = chosen.filter((fault) => cluster.network.isolated || !fault.cut);
  if (!possible.length)
    throw new Failure(`no fault that can be tried matches ${only}`, { hints: faults.map(({ name }) => name) });
  const skipped = chosen.filter((fault) => !possible.includes(fault)).map(({ name }) => name);
  if (skipped.length) console.log(`Not tried, because nothing can be cut off here: ${skipped.join('; ')}\n`);
  const results = [];
  let passed;
  const report = () => (passed ??= printReport(results));
  options.onEnd(report);
  for (let round = 1; round <= rounds; round++) {
    console.log(`\nRound ${round} of ${rounds}, ${rate} translations a second\n`);
    for (const fault of possible)
      results.push({ fault, ...(await tryFault({ cluster, steps, sessions, rate, fault })) });
  }
  steps.end();
  return report() ? 0 : 1;
}

function goFirst() {
  try {
    os.setPriority(PRIORITY);
  } catch {
    console.log('The load may not go before what it measures here: gaps include its own waiting.\n');
  }
}

/** A fault under load. The step's line says what it came to and everything that is not as it should be. */
async function tryFault({ cluster, steps, sessions, rate, fault }) {
  let result;
  await steps.run(fault.name, async () => {
    const books = await openBooks(cluster.env);
    const load = startLoad({ sessions, rate });
    await sleep(BEFORE_MS);
    const letter = fault.jobs ? askForLetterIn(cluster, 100) : undefined;
    const [, jobs] = await Promise.all([fault.make(cluster), letter]);
    await sleep(NOTICED_MS);
    await cluster.untilWhole();
    await sleep(AFTER_MS);
    const ended = await load.end();
    const holds = await openHolds(cluster.env);
    const problem = await audit(cluster);
    result = { ...ended, ...(await books.compare(ended)), jobs, holds, problem };
    const { gap, acknowledged, answers } = result;
    const others = Object.entries(answers).filter(([name]) => name !== '200');
    const said = others.map(([name, n]) => `${n}×${name}`).join(' ');
    const letters = jobs === undefined ? '' : `, letter after ${jobs.toFixed(1)} s`;
    const problems = problemsOf({ fault, ...result }).map((text) => `\n      ✗ ${text}`);
    return `gap ${(gap.ms / 1000).toFixed(1)} s, ${acknowledged.length} acknowledged${letters} ${said}${problems.join('')}`;
  });
  return result;
}

/** Asks for a code by mail `ms` from now. @returns {Promise<number>} seconds until the letter arrived; Infinity: it did not */
async function askForLetterIn({ url, env }, ms) {
  await sleep(ms);
  const account = `${randomUUID().slice(0, 13)}@example.com`;
  const startedAt = Date.now();
  const answer = await fetch(`${url}/client-user/login/sendVCode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account }),
  }).catch(() => undefined);
  if (!answer?.ok) return Infinity;
  while (Date.now() - startedAt < JOBS_TIMEOUT_MS) {
    const mails = await fetch(`${env.SANDBOX_URL}/mail?to=${account}`, { headers: { accept: 'application/json' } });
    if ((await mails.json()).length > 0) return (Date.now() - startedAt) / 1000;
    await sleep(100);
  }
  return Infinity;
}

async function grantQuota(cluster) {
  for (const account of [cluster.demo.account, 'demo日韩', 'demo拉美']) {
    const args = ['account', 'adjust', account, '--chars', '10000000', '--reason', 'chaos'];
    const { code, output } = await operate(cluster, args);
    if (code !== 0) throw new Error(`the operator could not adjust ${account}: ${output}`);
  }
}
