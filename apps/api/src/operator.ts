/** Entry point: the operator's command line. `operator.js prepare|migrate|seed|plan …|channel …|account …|invites …|payments …|invoices …|config …|manager …|backup …|restore|drill|family …|ledger …` */
import 'reflect-metadata';
import type { OperatorTask } from './operator/operator-app.js';
import type { Terminal } from './operator/terminal-task.js';
import { operatorCommand } from './platform/cli-messages.js';
import { loadConfig, type Config } from './platform/config.js';
import { exitWithError } from './platform/process.js';

type Run = (config: Config, args: string[]) => Promise<number>;

/** A command that runs inside the application; loaded on demand. */
const inside =
  (load: () => Promise<(args: string[]) => OperatorTask>): Run =>
  async (config, args) => {
    const { asOperator } = await import('./operator/operator-app.js');
    const command = await load();
    return asOperator(config, () => command(args));
  };

/** A command that runs without the application: the database may be away, or another one. */
const alone =
  (load: () => Promise<(args: string[]) => (terminal: Terminal) => Promise<void>>): Run =>
  async (config, args) => {
    const { onTerminal } = await import('./operator/terminal-task.js');
    const command = await load();
    return onTerminal(config, () => command(args));
  };

const seedOptions = (args: readonly string[]) => ({
  demo: args.includes('--demo'),
  history: args.includes('--history'),
});

/** Each command loads only what it needs: `migrate` must work without a schema. A name has one word or two. */
const commands: Record<string, { usage: string; run: Run }> = {
  migrate: {
    usage: '                                    bring the database up to date',
    run: async (config) => (await import('./operator/prepare.js')).migrateOnly(config),
  },
  seed: {
    usage:
      '[--demo [--history]]                plans and channels; --demo adds the demo accounts, --history two months of theirs (development only)',
    run: async (config, args) => (await import('./operator/prepare.js')).seed(config, seedOptions(args)),
  },
  prepare: {
    usage: '[--demo [--history]]                migrate, then seed',
    run: async (config, args) => (await import('./operator/prepare.js')).prepare(config, seedOptions(args)),
  },
  'plan list': {
    usage: '                                    every plan, on sale or not',
    run: inside(async () => (await import('./operator/plans.js')).planList),
  },
  'plan set': {
    usage:
      '<id> key=value … --reason "…"       name enName tier billingMode num salePrice minutePrice voiceNum … onSale',
    run: inside(async () => (await import('./operator/plans.js')).planSet),
  },
  'plan grant': {
    usage: '<user> <plan> <quantity> --reason "…"   give a plan; [--by name] [--key k]',
    run: inside(async () => (await import('./operator/plan-grant.js')).planGrant),
  },
  'channel list': {
    usage: '                                    every channel, its price, and whether it works',
    run: inside(async () => (await import('./operator/channels.js')).channelList),
  },
  'channel set': {
    usage: '<id|code> key=value … --reason "…"  price enabled name enName',
    run: inside(async () => (await import('./operator/channels.js')).channelSet),
  },
  'account add': {
    usage: '<name> --role r                     an operator of the console; r: viewer support finance owner',
    run: inside(async () => (await import('./operator/operator-accounts.js')).accountAdd),
  },
  'account renew': {
    usage: '<name>                              a new link for an operator who lost password or app',
    run: inside(async () => (await import('./operator/operator-accounts.js')).accountRenew),
  },
  'account adjust': {
    usage: '<user> --chars n --voice n --images n --days n --reason "…"   give or take; [--by name] [--key k]',
    run: inside(async () => (await import('./operator/account-adjust.js')).accountAdjust),
  },
  'account two-step-off': {
    usage: '<user> --reason "…"       turn it off for a member who lost the app and the recovery codes; [--by name]',
    run: inside(async () => (await import('./operator/two-step.js')).twoStepOff),
  },
  'invites list': {
    usage: '                                    invite rewards held back because their inviter had many in a day',
    run: inside(async () => (await import('./operator/invites.js')).invitesList),
  },
  'invites release': {
    usage: '<id> … --reason "…"               give these new members their reward; [--by name]',
    run: inside(async () => (await import('./operator/invites.js')).invitesRelease),
  },
  'invites refuse': {
    usage: '<id> … --reason "…"                never give it; [--by name]',
    run: inside(async () => (await import('./operator/invites.js')).invitesRefuse),
  },
  'payments exceptions': {
    usage: '                                    payments and notifications that need attention',
    run: inside(async () => (await import('./operator/payments-exceptions.js')).paymentsExceptions),
  },
  'payments show': {
    usage: '<orderNo>                           everything known about an order',
    run: inside(async () => (await import('./operator/payments-show.js')).paymentsShow),
  },
  'payments refund': {
    usage: '<orderNo> --reason "…"              refund the unused part of a payment; [--by name] [--trade number]',
    run: inside(async () => (await import('./operator/payments-refund.js')).paymentsRefund),
  },
  'payments record-refund': {
    usage:
      '<orderNo> --reason "…"       record a refund made in the gateway’s console; [--amount yuan] [--no number] [--by name]',
    run: inside(async () => (await import('./operator/payments-refund.js')).paymentsRecordRefund),
  },
  'payments reconcile': {
    usage:
      '[--from t] [--to t] [--settle]      compare orders with the gateways and the ledger; --settle credits paid orders; [--statement file…] compares with statements',
    run: inside(async () => (await import('./operator/payments-reconcile.js')).paymentsReconcile),
  },
  'invoices list': {
    usage: '[--state s]                         pending invoice requests; s: requested issued rejected',
    run: inside(async () => (await import('./operator/invoices.js')).invoicesList),
  },
  'invoices issue': {
    usage: '<id> [--number n]                   the invoice was issued and sent; [--by name]',
    run: inside(async () => (await import('./operator/invoices.js')).invoicesIssue),
  },
  'invoices reject': {
    usage: '<id> --reason "…"                   decline it; the member sees the reason; [--by name]',
    run: inside(async () => (await import('./operator/invoices.js')).invoicesReject),
  },
  'config list': {
    usage: '                                    list what is configured: brand, contacts, links, payment pages',
    run: inside(async () => (await import('./operator/configs.js')).configList),
  },
  'config get': {
    usage: '<id>                                one document',
    run: inside(async () => (await import('./operator/configs.js')).configGet),
  },
  'config set': {
    usage: '<id> <json|@file> [--private]       set a document; it is public unless --private is given; [--by name]',
    run: inside(async () => (await import('./operator/configs.js')).configSet),
  },
  'notice list': {
    usage: '                                    current, past and planned notices',
    run: inside(async () => (await import('./operator/notices.js')).noticeList),
  },
  'notice publish': {
    usage: '@file.json [--from t] [--to t]      publish a notice in both languages; [--by name]',
    run: inside(async () => (await import('./operator/notices.js')).noticePublish),
  },
  'notice change': {
    usage: '<id> @file.json [--from t] [--to t]  replace a notice; [--by name]',
    run: inside(async () => (await import('./operator/notices.js')).noticeChange),
  },
  'notice withdraw': {
    usage: '<id>                                withdraw a notice; [--by name]',
    run: inside(async () => (await import('./operator/notices.js')).noticeWithdraw),
  },
  'manager list': {
    usage: '                                    people that commands accept as --by',
    run: inside(async () => (await import('./operator/managers.js')).managerList),
  },
  'manager add': {
    usage: '<name> [--by name]                  add a manager; the first one adds itself',
    run: inside(async () => (await import('./operator/managers.js')).managerAdd),
  },
  'manager remove': {
    usage: '<name> [--by name]                  remove a manager; their actions stay recorded',
    run: inside(async () => (await import('./operator/managers.js')).managerRemove),
  },
  token: {
    usage: '[--by name]                         a token, valid for an hour, to write over HTTP (POST /dataCus/save)',
    run: inside(async () => (await import('./operator/managers.js')).tokenIssue),
  },
  backup: {
    usage: '                                    take a full copy of the database and its settings now',
    run: alone(async () => (await import('./operator/backups.js')).backup),
  },
  'backup stream': {
    usage: '                                 archive what is written, and take full copies when due, until stopped',
    run: alone(async () => (await import('./operator/backups.js')).backupStream),
  },
  'backup list': {
    usage: '                                    the full copies, and to which moment the log reaches',
    run: alone(async () => (await import('./operator/backups.js')).backupList),
  },
  'backup files': {
    usage: '--into folder                       extract the settings and files kept with the newest copy',
    run: alone(async () => (await import('./operator/backups.js')).backupFiles),
  },
  restore: {
    usage: '--into folder [--to t]              make a data folder with the newest state, or that of a second',
    run: alone(async () => (await import('./operator/restores.js')).restore),
  },
  'restore finish': {
    usage: '                                 then: empty Redis, ask the gateways about the gap, audit',
    run: alone(async () => (await import('./operator/finish-restore.js')).restoreFinish),
  },
  drill: {
    usage:
      '                                    restore the newest state beside the running system, audit it, throw it away',
    run: alone(async () => (await import('./operator/drills.js')).drillCommand),
  },
  'backup record': {
    usage: '<file>                              note a backup made by other means, for the console',
    run: inside(async () => (await import('./operator/backups.js')).backupRecord),
  },
  'family export': {
    usage: '<id> --to file                      make a family read-only and write all of it into a sealed file',
    run: alone(async () => (await import('./operator/family.js')).familyExport),
  },
  'family import': {
    usage: '<file>                              take a family in from another installation, audit it and open it',
    run: alone(async () => (await import('./operator/family.js')).familyImport),
  },
  'family moved': {
    usage: '<id> --receipt code                 confirm that it was imported elsewhere',
    run: alone(async () => (await import('./operator/family.js')).familyMoved),
  },
  'family keep': {
    usage: '<id> --reason "…"                  give up an export that was not imported anywhere',
    run: alone(async () => (await import('./operator/family.js')).familyKeep),
  },
  'family cell': {
    usage: '<n>                                 give this installation ids of its own: those after n × 10^13',
    run: alone(async () => (await import('./operator/family.js')).familyCell),
  },
  'ledger close': {
    usage: '                                    close every day that is over, as the worker does each night',
    run: inside(async () => (await import('./operator/closes.js')).ledgerClose),
  },
  'ledger verify-closes': {
    usage: '                          check every close against the ledger and its witnesses',
    run: inside(async () => (await import('./operator/closes.js')).ledgerVerifyCloses),
  },
  ledger: {
    usage: 'audit | replay | explain | verify-export …   check, replay and explain balances',
    run: async (config, args) =>
      (await import('./ledger/operator/ledger-command.js')).ledgerCommand(args, config, {
        coldStorage: async () => (await import('./backup/backup.js')).openBackupStorage(config),
        requireStopped: async (pid) => (await import('./operator/require-stopped.js')).requireStopped(config, pid),
      }),
  },
};

/** Reads the settings by itself: what is wrong with them is a part of what it finds. */
const DOCTOR = 'doctor';
const DOCTOR_USAGE =
  '                                    examine settings, stores, mail, gateways, vendors, disk, backups and proxy';

const help = (): number => {
  const usages = [...Object.entries(commands).map(([name, { usage }]) => [name, usage]), [DOCTOR, DOCTOR_USAGE]];
  const lines = usages.map(([name, usage]) => `  ${name} ${usage}\n`);
  process.stdout.write(
    `${operatorCommand('<command>')}        <user>: an id, a username or an e-mail address\n\n${lines.join('')}\n--by: a manager on the list; left out, whoever is signed in to this machine\n`,
  );
  return 2;
};

try {
  const [first = '', second = '', ...rest] = process.argv.slice(2);
  const pair = commands[`${first} ${second}`];
  const single = commands[first];
  const config = (): Config => loadConfig(process.env);
  // An application that did not open leaves connections behind, which would keep the process.
  if (first === DOCTOR)
    process.exit(await (await import('./operator/doctor/doctor.js')).doctor(process.env, process.argv.slice(3)));
  else if (pair) process.exitCode = await pair.run(config(), rest);
  else if (single) process.exitCode = await single.run(config(), process.argv.slice(3));
  else process.exitCode = help();
} catch (error) {
  exitWithError(error);
}
