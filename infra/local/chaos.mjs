// npm run chaos: random load, vendors that misbehave, kill -9 of every process in turn. No acknowledged request may be lost, no
// quota may stay reserved, and the audit must be clean.
// npm run chaos -- --minutes 10 --seed 7
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startDistributions, startPurchases } from './chaos/account-load.mjs';
import { createRandom, signIn } from './chaos/client.mjs';
import { compareBalances, readBalances, waitForHolds } from './chaos/ledger-checks.mjs';
import { spentOf, startFixedTexts, startVendorTexts } from './chaos/translation-load.mjs';
import { sleep } from './lifecycle.mjs';
import { httpAnswers } from './ports.mjs';
import { dataDirOf, installDependencies } from './project.mjs';
import { withRunFolder } from './run-folder.mjs';
import { runOperator, startStack } from './stack.mjs';

const dataDir = path.join(dataDirOf(), 'chaos');
const targets = ['api', 'worker', 'redis', 'postgres', 'sandbox'];
const subAccounts = ['demo日韩', 'demo拉美'];
const planWithSubAccounts = '3'; // seeded
const vendors = ['google', 'microsoft', 'tencent', 'youdao', 'deepl', 'chatgpt', 'libretranslate'];
const accounts = vendors.flatMap((vendor) => [1, 2].map((n) => `sandbox-${vendor}-${n}`));
const kinds = [
  'delay',
  'hang',
  'drop',
  'cut',
  'rate',
  'quota',
  'auth',
  'error',
  'empty',
  'malformed',
  'count',
  'echo',
  'script',
  'lose',
  'lines',
  'block',
];
const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes ?? 10);
const seed = Number(values.seed ?? Date.now() % 1_000_000);

process.exitCode = await withRunFolder({ title: 'npm run chaos', dataDir }, async (run) => {
  const { folder, steps, toolsDir, onEnd } = run;
  console.log('\nSetting up\n');
  await steps.run('dependencies', () => installDependencies(dataDir));
  const onStack = (made) => onEnd(() => made.stop());
  const env = { SANDBOX_VENDORS: '1' };
  const stack = await startStack({ dataDir, folder, toolsDir, userEnv: {}, env, fresh: true, steps, onStack });
  const random = createRandom(seed);
  await grantQuota(stack);
  const members = await signInAll(stack);
  const before = await readBalances(members);
  const children = members.slice(1).map(({ account }) => before.get(account).userId);
  const fixedTexts = startFixedTexts(members);
  const vendorTexts = await startVendorTexts({ member: members[0], random });
  const distributions = startDistributions({ call: members[0].call, children, random });
  const purchases = startPurchases({ call: members[0].call, sandbox: stack.urls.sandbox, random });
  const faults = startVendorFaults({ sandbox: stack.urls.sandbox, random });

  console.log(`\nUnder load for ${minutes} min, seed ${seed}\n`);
  const end = Date.now() + minutes * 60_000;
  await sleep(3_000);
  let kills = 0;
  while (kills < targets.length || Date.now() < end) {
    const target = targets[kills++ % targets.length];
    await killAndRestart({ stack, fixedTexts, distributions, purchases, steps, target });
    await sleep(random.between(500, 6_000));
  }
  await faults.end();
  await Promise.all([fixedTexts.end(), vendorTexts.end(), distributions.end(), purchases.end()]);

  console.log('\nCounting\n');
  const stayed = [];
  const holds = async () => {
    const { first, seconds, open } = await waitForHolds(stack.env.DATABASE_URL);
    if (open) stayed.push(`${open} holds are still open after ${seconds} s`);
    return `${first} were open, ${open} after ${seconds} s`;
  };
  await steps.run('holds', holds);
  await steps.run('open requests', async () => {
    const open = await Promise.all([fixedTexts, vendorTexts, distributions, purchases].map((each) => each.settle()));
    return `${open.reduce((sum, n) => sum + n)} asked again under their keys`;
  });
  await steps.run('holds again', holds);
  const spent = spentOf([...fixedTexts.workers, ...vendorTexts.workers]);
  const differences = [
    ...stayed,
    ...(await fixedTexts.problems()),
    ...(await vendorTexts.problems()),
    ...distributions.problems(),
    ...(await purchases.problems()),
    ...(await untilBalancesAgree({ members, before, spent, distributions, bought: await purchases.bought() })),
  ];
  const audit = await runOperator(stack.env, ['ledger', 'audit']);
  console.log(audit.output.trimEnd().replace(/^/gm, '    '));
  for (const difference of differences) console.log(`  ✗ ${difference}`);
  const passed = differences.length === 0 && audit.code === 0;
  const verdict = passed ? 'every one is in the books once, and the audit is clean' : 'THE BOOKS DO NOT AGREE';
  const { moves, deleted } = distributions.counts();
  const { placed, paid } = purchases.counts();
  const moved = `${moves} distributions, ${deleted} sub-accounts come and gone, ${placed} orders placed and ${paid} paid`;
  const counted = `${fixedTexts.acknowledged()} translations, ${moved}`;
  const { served, failed, tookOver, partly } = vendorTexts.counts();
  console.log(
    `\n${faults.made()} faults of vendors: ${served} translations through vendors (${tookOver} by another channel, ${partly} in part), ${failed} failed`,
  );
  console.log(`${kills} kills (seed ${seed}), ${counted}: ${verdict}`);
  return passed ? 0 : 1;
});

/** Enough quota for ten minutes of load, and a plan that allows sub-accounts. */
async function grantQuota(stack) {
  const operate = async (purpose, ...args) => {
    const { code, output } = await runOperator(stack.env, [...args, '--reason', 'chaos']);
    if (code !== 0) throw new Error(`the operator could not ${purpose}: ${output}`);
  };
  const main = stack.demo.account;
  await operate('grant a plan', 'plan', 'grant', main, planWithSubAccounts, '1');
  const quota = ['--chars', '1000000', '--voice', '1000', '--images', '1000'];
  for (const account of [main, ...subAccounts])
    await operate(`adjust ${account}`, 'account', 'adjust', account, ...quota);
}

async function signInAll(stack) {
  const { account: main, password } = stack.demo;
  const signedIn = async (account) => ({ account, call: await signIn(stack.urls.api, account, password) });
  return Promise.all([main, ...subAccounts].map(signedIn));
}

/** Kills one service, restarts it after a second and waits until members are served again. */
async function killAndRestart({ stack, fixedTexts, distributions, purchases, steps, target }) {
  await steps.run(`kill -9 ${target}`, async () => {
    await stack.kill(target);
    await sleep(1_000);
    await stack.restart(target);
    const startedAt = Date.now();
    const before = { translations: fixedTexts.acknowledged(), moves: distributions.counts().moves };
    while (fixedTexts.acknowledged() < before.translations + 10 || distributions.counts().moves <= before.moves) {
      if (Date.now() - startedAt > 60_000) throw new Error(`nobody is served a minute after ${target} came back`);
      await sleep(50);
    }
    // Members would not notice a dead worker for a while.
    while (!(await httpAnswers(`http://127.0.0.1:${stack.env.WORKER_PORT}/health`))) {
      if (Date.now() - startedAt > 60_000) throw new Error(`the worker is not well a minute after ${target} came back`);
      await sleep(200);
    }
    const { placed } = purchases.counts();
    return `${fixedTexts.acknowledged()} translations, ${distributions.counts().moves} distributions, ${placed} orders acknowledged`;
  });
}

/** A hold that a crash left is released within two minutes (decisions §4); until then the balance may lack it. */
async function untilBalancesAgree(all) {
  const deadline = Date.now() + 150_000;
  for (;;) {
    const differences = await compareBalances(all);
    if (!differences.length || Date.now() > deadline) return differences;
    await sleep(5_000);
  }
}

/**
 * Injects faults into the sandbox's vendors at random: one account and one fault at a time, for a few requests or until it
 * is switched off.
 */
function startVendorFaults({ sandbox, random }) {
  let running = true;
  let made = 0;
  const url = `${sandbox}/vendors/switches`;
  const send = (to, init) => fetch(to, { ...init, signal: AbortSignal.timeout(5_000) });
  // A sandbox that was just killed has lost its switches, too.
  const trySend = (to, init) =>
    send(to, init).then(
      (answer) => answer.ok,
      () => false,
    );
  const work = (async () => {
    while (running) {
      const account = random.pick(accounts);
      const kind = random.pick(kinds);
      const fault = {
        kind,
        ...(random.between(1, 4) > 1 && { times: random.between(1, 8) }),
        ...(kind === 'delay' && { ms: random.between(50, 6_000) }),
      };
      const body = JSON.stringify({ account, fault });
      if (await trySend(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })) made++;
      await sleep(random.between(200, 800));
      if (random.between(1, 2) === 1) await trySend(`${url}?account=${random.pick(accounts)}`, { method: 'DELETE' });
    }
  })();
  return {
    made: () => made,
    /** Removes all faults. */
    async end() {
      running = false;
      await work;
      const answer = await send(url, { method: 'DELETE' });
      if (!answer.ok) throw new Error(`the vendors' switches cannot be reset: ${answer.status}`);
    },
  };
}
