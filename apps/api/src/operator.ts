/** Entry point: the operator's command line. `operator.js prepare|migrate|seed|ledger audit …` */
import 'reflect-metadata';
import { loadConfig, type Config } from './platform/config.js';
import { dieWith } from './platform/process.js';

type Run = (config: Config, args: string[]) => Promise<number>;

/** Each command loads only what it needs: `migrate` must work before there is a schema. */
const commands: Record<string, { usage: string; run: Run }> = {
  migrate: {
    usage: 'migrate                  bring the database up to date',
    run: async (config) => (await import('./operator/prepare.js')).migrateOnly(config),
  },
  seed: {
    usage: 'seed [--demo]            plans and channels; --demo adds the demo accounts (development only)',
    run: async (config, args) => (await import('./operator/prepare.js')).seed(config, args.includes('--demo')),
  },
  prepare: {
    usage: 'prepare [--demo]         migrate, then seed',
    run: async (config, args) => (await import('./operator/prepare.js')).prepare(config, args.includes('--demo')),
  },
  ledger: {
    usage: 'ledger audit | replay | explain | verify-export …   prove, replay, explain balances',
    run: async (config, args) => (await import('./ledger/operator/ledger-command.js')).ledgerCommand(args, config),
  },
};

const help = (): number => {
  process.stdout.write(
    `npm run operator -- <command>\n\n${Object.values(commands)
      .map((c) => `  ${c.usage}\n`)
      .join('')}`,
  );
  return 2;
};

try {
  const [name = '', ...args] = process.argv.slice(2);
  const command = commands[name];
  process.exitCode = command ? await command.run(loadConfig(process.env), args) : help();
} catch (error) {
  dieWith(error);
}
