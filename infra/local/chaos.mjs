// npm run chaos: kill -9 of every part under load; nothing that was acknowledged may be lost, and the audit must be clean.
import path from 'node:path';
import { operatorProgram } from './apps.mjs';
import { startLoad } from './chaos/load.mjs';
import { installDependencies } from './install.mjs';
import { runTool, sleep } from './processes.mjs';
import { dataDirOf, pinnedNode, projectEnv, root } from './project.mjs';
import { runSession } from './session.mjs';
import { startStack } from './stack.mjs';

const dataDir = path.join(dataDirOf(), 'chaos');
const victims = ['api', 'worker', 'redis', 'postgres'];
const rounds = Number(process.argv[2] ?? 2);
const subAccounts = ['demo日韩', 'demo拉美'];

process.exitCode = await runSession({ title: 'npm run chaos', dataDir }, async ({ folder, steps, toolsDir, onEnd }) => {
  console.log('\nSetting up\n');
  await steps.run('dependencies', () => installDependencies(dataDir));
  const onStack = (made) => onEnd(() => made.stop());
  const stack = await startStack({ dataDir, folder, toolsDir, given: {}, fresh: true, steps, onStack });
  const { password } = stack.demo;
  const accounts = [stack.demo.account, ...subAccounts].map((account) => ({ account, password }));
  const load = await startLoad({ base: stack.urls.api, accounts });

  console.log('\nUnder load\n');
  await sleep(3_000);
  for (let round = 1; round <= rounds; round++) {
    for (const victim of victims) await strike({ stack, load, steps, victim });
  }
  await load.end();

  console.log('\nCounting\n');
  await steps.run('open requests', async () => `${await load.settleUnknown()} asked again under their keys`);
  const { acknowledged } = load.counts();
  const differences = await untilBooksAgree(load);
  const audit = await runTool(pinnedNode, [operatorProgram, 'ledger', 'audit'], {
    cwd: root,
    env: { ...projectEnv(), ...stack.env },
  });
  console.log(audit.output.trimEnd().replace(/^/gm, '    '));
  for (const difference of differences) console.log(`  ✗ ${difference}`);
  const good = differences.length === 0 && audit.code === 0;
  const end = good ? 'every one is in the books once, and the audit is clean' : 'THE BOOKS DO NOT AGREE';
  console.log(`\n${rounds * victims.length} kills, ${acknowledged.length} acknowledged translations: ${end}`);
  return good ? 0 : 1;
});

/** Kills one part, leaves it dead for a moment, starts it again and waits until members are served again. */
async function strike({ stack, load, steps, victim }) {
  await steps.run(`kill -9 ${victim}`, async () => {
    await stack.kill(victim);
    await sleep(1_000);
    await stack.restart(victim);
    const began = Date.now();
    const served = load.counts().acknowledged.length;
    while (load.counts().acknowledged.length < served + 20) {
      if (Date.now() - began > 60_000) throw new Error(`nobody is served a minute after ${victim} came back`);
      await sleep(50);
    }
    const { acknowledged, unknown } = load.counts();
    return `${acknowledged.length} acknowledged, ${unknown.length} without an answer so far`;
  });
}

/** A hold that a crash left releases itself within two minutes (decisions §4): until then the balance may lack it. */
async function untilBooksAgree(load) {
  const deadline = Date.now() + 150_000;
  for (;;) {
    const differences = await load.differences();
    if (!differences.length || Date.now() > deadline) return differences;
    await sleep(5_000);
  }
}
