// npm run chaos: random load, vendors that misbehave, kill -9 of every process in turn; nothing that was acknowledged may be lost, no
// quota may stay reserved, and the audit must be clean.
// npm run chaos -- --minutes 10 --seed 7
import path from 'node:path';
import { parseArgs } from 'node:util';
import { operatorProgram } from './apps.mjs';
import { compareBooks, readBooks } from './chaos/books.mjs';
import { startBuyers } from './chaos/buyers.mjs';
import { createDice } from './chaos/dice.mjs';
import { untilNoHoldIsOpen } from './chaos/holds.mjs';
import { signIn } from './chaos/member.mjs';
import { startMischief } from './chaos/mischief.mjs';
import { startMovers } from './chaos/movers.mjs';
import { spentOf } from './chaos/spent.mjs';
import { startTranslators } from './chaos/translators.mjs';
import { startVendorUsers } from './chaos/vendor-users.mjs';
import { installDependencies } from './install.mjs';
import { httpAnswers } from './ports.mjs';
import { runTool, sleep } from './processes.mjs';
import { dataDirOf, pinnedNode, projectEnv, root } from './project.mjs';
import { runSession } from './session.mjs';
import { startStack } from './stack.mjs';

const dataDir = path.join(dataDirOf(), 'chaos');
const victims = ['api', 'worker', 'redis', 'postgres', 'sandbox'];
const subAccounts = ['demo日韩', 'demo拉美'];
const withSubAccounts = '3'; // a seeded plan
const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes ?? 10);
const seed = Number(values.seed ?? Date.now() % 1_000_000);

process.exitCode = await runSession({ title: 'npm run chaos', dataDir }, async ({ folder, steps, toolsDir, onEnd }) => {
  console.log('\nSetting up\n');
  await steps.run('dependencies', () => installDependencies(dataDir));
  const onStack = (made) => onEnd(() => made.stop());
  const env = { SANDBOX_VENDORS: '1' };
  const stack = await startStack({ dataDir, folder, toolsDir, given: {}, env, fresh: true, steps, onStack });
  const dice = createDice(seed);
  await enrich(stack);
  const members = await signInAll(stack);
  const before = await readBooks(members);
  const children = members.slice(1).map(({ account }) => before.get(account).userId);
  const translators = startTranslators(members);
  const vendorUsers = await startVendorUsers({ member: members[0], dice });
  const movers = startMovers({ call: members[0].call, children, dice });
  const buyers = startBuyers({ call: members[0].call, sandbox: stack.urls.sandbox, dice });
  const mischief = startMischief({ sandbox: stack.urls.sandbox, dice });

  console.log(`\nUnder load for ${minutes} min, seed ${seed}\n`);
  const end = Date.now() + minutes * 60_000;
  await sleep(3_000);
  let kills = 0;
  while (kills < victims.length || Date.now() < end) {
    await strike({ stack, translators, movers, buyers, steps, victim: victims[kills++ % victims.length] });
    await sleep(dice.between(500, 6_000));
  }
  await mischief.end();
  await Promise.all([translators.end(), vendorUsers.end(), movers.end(), buyers.end()]);

  console.log('\nCounting\n');
  const stayed = [];
  const holds = async () => {
    const { first, seconds, open } = await untilNoHoldIsOpen(stack.env.DATABASE_URL);
    if (open) stayed.push(`${open} holds are still open after ${seconds} s`);
    return `${first} were open, ${open} after ${seconds} s`;
  };
  await steps.run('holds', holds);
  await steps.run('open requests', async () => {
    const open = await Promise.all([translators, vendorUsers, movers, buyers].map((each) => each.settle()));
    return `${open.reduce((sum, n) => sum + n)} asked again under their keys`;
  });
  await steps.run('holds again', holds);
  const spent = spentOf([...translators.workers, ...vendorUsers.workers]);
  const differences = [
    ...stayed,
    ...(await translators.complaints()),
    ...(await vendorUsers.complaints()),
    ...movers.complaints(),
    ...(await buyers.complaints()),
    ...(await untilBooksAgree({ members, before, spent, movers, bought: await buyers.bought() })),
  ];
  const audit = await operator(stack, ['ledger', 'audit']);
  console.log(audit.output.trimEnd().replace(/^/gm, '    '));
  for (const difference of differences) console.log(`  ✗ ${difference}`);
  const good = differences.length === 0 && audit.code === 0;
  const verdict = good ? 'every one is in the books once, and the audit is clean' : 'THE BOOKS DO NOT AGREE';
  const { moves, gone } = movers.counts();
  const { placed, paid } = buyers.counts();
  const moved = `${moves} distributions, ${gone} sub-accounts come and gone, ${placed} orders placed and ${paid} paid`;
  const counted = `${translators.acknowledged()} translations, ${moved}`;
  const { served, failed, tookOver, partly } = vendorUsers.counts();
  console.log(
    `\n${mischief.made()} faults of vendors: ${served} translations through vendors (${tookOver} by another channel, ${partly} in part), ${failed} failed`,
  );
  console.log(`${kills} kills (seed ${seed}), ${counted}: ${verdict}`);
  return good ? 0 : 1;
});

function operator(stack, args) {
  return runTool(pinnedNode, [operatorProgram, ...args], { cwd: root, env: { ...projectEnv(), ...stack.env } });
}

/** Ten minutes of load must not end for want of quota, and sub-accounts come only with a plan that has them. */
async function enrich(stack) {
  const granted = await operator(stack, [
    'plan',
    'grant',
    stack.demo.account,
    withSubAccounts,
    '1',
    '--reason',
    'chaos',
  ]);
  if (granted.code !== 0) throw new Error(`the operator could not grant a plan: ${granted.output}`);
  for (const account of [stack.demo.account, ...subAccounts]) {
    const quota = ['--chars', '1000000', '--voice', '1000', '--images', '1000'];
    const { code, output } = await operator(stack, ['account', 'adjust', account, ...quota, '--reason', 'chaos']);
    if (code !== 0) throw new Error(`the operator could not adjust ${account}: ${output}`);
  }
}

async function signInAll(stack) {
  const { account: main, password } = stack.demo;
  const signedIn = async (account) => ({ account, call: await signIn(stack.urls.api, account, password) });
  return Promise.all([main, ...subAccounts].map(signedIn));
}

/** Kills one part, leaves it dead for a moment, starts it again and waits until members are served again. */
async function strike({ stack, translators, movers, buyers, steps, victim }) {
  await steps.run(`kill -9 ${victim}`, async () => {
    await stack.kill(victim);
    await sleep(1_000);
    await stack.restart(victim);
    const began = Date.now();
    const served = { translations: translators.acknowledged(), moves: movers.counts().moves };
    while (translators.acknowledged() < served.translations + 10 || movers.counts().moves <= served.moves) {
      if (Date.now() - began > 60_000) throw new Error(`nobody is served a minute after ${victim} came back`);
      await sleep(50);
    }
    // Members would not notice for a while.
    while (!(await httpAnswers(`http://127.0.0.1:${stack.env.WORKER_PORT}/health`))) {
      if (Date.now() - began > 60_000) throw new Error(`the worker is not well a minute after ${victim} came back`);
      await sleep(200);
    }
    const { placed } = buyers.counts();
    return `${translators.acknowledged()} translations, ${movers.counts().moves} distributions, ${placed} orders acknowledged`;
  });
}

/** A hold that a crash left releases itself within two minutes (decisions §4): until then the balance may lack it. */
async function untilBooksAgree(all) {
  const deadline = Date.now() + 150_000;
  for (;;) {
    const differences = await compareBooks(all);
    if (!differences.length || Date.now() > deadline) return differences;
    await sleep(5_000);
  }
}
