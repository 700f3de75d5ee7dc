// npm run check: format, lint, types, boundaries, dead code. A rule that is not checked here is not a rule.
import fs from 'node:fs';
import path from 'node:path';
import { onShutdownSignal, runTool, stopTools } from './lifecycle.mjs';
import { bin, dataDirOf, installDependencies, onPath, pinnedNode, projectEnv, root } from './project.mjs';
import { createSteps, Failure, printFailure } from './terminal.mjs';

const typed = ['packages/domain', 'packages/contracts', 'apps/api', 'apps/console', 'apps/sandbox'];
const tool = (name, ...args) => ({ command: pinnedNode, args: [fs.realpathSync(path.join(bin, name)), ...args] });
const jobs = () => [
  // Two processes: the types of everything at once do not fit into one heap.
  { name: 'lint api', ...tool('eslint', 'apps/api', '--max-warnings=0') },
  { name: 'lint rest', ...tool('eslint', '.', '--ignore-pattern', 'apps/api/', '--max-warnings=0') },
  { name: 'format', ...tool('prettier', '--check', '--log-level=warn', '.') },
  ...typed.map((workspace) => ({
    name: `types ${path.basename(workspace)}`,
    ...tool('tsc', '-p', workspace, '--noEmit'),
  })),
  { name: 'boundaries', ...tool('depcruise', '--config', 'infra/boundaries.cjs', 'packages', 'apps') },
  { name: 'dead code', ...tool('knip') },
  ...compose(),
];

/** Only Docker's own client knows every key of the format; the format job parses the YAML. */
function compose() {
  const docker = onPath('docker');
  if (!docker || !runsCompose()) return [];
  const secrets = [
    'POSTGRES_PASSWORD',
    'APP_DB_PASSWORD',
    'OPERATOR_DB_PASSWORD',
    'REDIS_PASSWORD',
    'APP_SECRET',
    'CLOSE_SIGNING_KEY',
    'PUBLIC_URL',
    'SMTP_URL',
    'MAIL_FROM',
    'BACKUP_KEY',
    'BACKUP_DB_PASSWORD',
  ];
  const env = Object.fromEntries(secrets.map((name) => [name, 'x']));
  const files = ['docker-compose.yml', 'docker-compose.backup.yml'];
  return files.map((file, at) => ({
    name: `compose ${file}`,
    command: docker,
    args: [
      'compose',
      ...files.slice(0, at + 1).flatMap((each) => ['-f', each]),
      '--profile',
      'restore',
      'config',
      '-q',
    ],
    env,
  }));
}

function runsCompose() {
  const places = [
    '/usr/libexec/docker/cli-plugins',
    '/usr/lib/docker/cli-plugins',
    '/usr/local/lib/docker/cli-plugins',
  ];
  return [...places, path.join(process.env.HOME ?? '', '.docker/cli-plugins')].some((dir) =>
    fs.existsSync(path.join(dir, 'docker-compose')),
  );
}

const steps = createSteps();
const failures = [];
onShutdownSignal(() => {
  stopTools();
  process.exit(130);
});

try {
  console.log('\nChecking\n');
  await steps.run('dependencies', () => installDependencies(dataDirOf()));
  const queue = jobs();
  const work = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) await check(job);
  };
  await Promise.all([work(), work()]);
  steps.end();
  for (const failure of failures) printFailure(failure, 'npm run check');
  console.log(failures.length ? `\n${failures.length} of the checks failed` : '\nAll checks passed');
  process.exitCode = failures.length ? 1 : 0;
} catch (error) {
  steps.end();
  printFailure(error, 'npm run check');
  process.exitCode = 1;
}

async function check({ name, command, args, env }) {
  const run = async () => {
    const { code, output } = await runTool(command, args, { cwd: root, env: { ...projectEnv(), ...env } });
    if (code === 0) return;
    const failure = new Failure(`${name} (ended with ${code})`, { detail: output });
    failures.push(failure);
    throw failure;
  };
  await steps.run(name, run).catch((error) => {
    if (!failures.includes(error)) throw error;
  });
}
