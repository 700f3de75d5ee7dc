import { readFile } from 'node:fs/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { EntityManager } from '@mikro-orm/postgresql';
import { CommandBus } from '@nestjs/cqrs';
import { operatorName } from '@yiqiao/contracts/operator/session';
import { operatorRoles, type OperatorRole } from '@yiqiao/domain/operators';
import { InviteOperator } from '../operators/enrol.js';
import { OperatorAccount } from '../operators/operator.entity.js';
import { addManager, findManager } from '../platform/manager-actions.js';
import { UsageError } from '../platform/cli-messages.js';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { Passwords } from '../platform/passwords.js';
import { Vault } from '../platform/vault.js';
import { type ParsedArguments, readArguments, requireWords } from './command-line.js';
import { systemUser } from './managers.js';
import type { OperatorTask } from './operator-app.js';

/** `account add <name> --role <role>`: an operator of the console, who sets password and app through the printed link (operators §2). */
export function accountAdd(args: string[]): OperatorTask {
  const parsed = readArguments(args, { options: ['role'] });
  return invite({ name: nameIn(parsed), role: roleIn(parsed.options.get('role')), renew: false });
}

/** `account renew <name>`: a new link for an operator who lost password or app; its sessions end. */
export const accountRenew = (args: string[]): OperatorTask =>
  invite({ name: requireWords(readArguments(args, {}), ['name'])[0] ?? '', role: 'viewer', renew: true });

/** As the console takes it: the action log tells operators from the command line and the product by their names. */
function nameIn(parsed: ParsedArguments): string {
  const { data, success } = operatorName.safeParse(requireWords(parsed, ['name'])[0]);
  if (success) return data;
  throw new UsageError({
    zh: '操作员名为 1–64 个字母、数字、空格、点、下划线或连字符，不能是 system',
    en: 'A name has 1–64 letters, digits, spaces, dots, underscores or hyphens, and is not system.',
  });
}

const invite =
  (operator: InviteOperator['operator']): OperatorTask =>
  async ({ app, language, print }) => {
    const { token, expiresAt } = await app
      .get(CommandBus)
      .execute(new InviteOperator(operator, { actor: `cli:${systemUser()}` }));
    const until = app.get(Clock).toWire(expiresAt);
    const note = {
      zh: `${operator.name} 用这个链接设置密码和动态码，${until} 前有效，只能用一次：`,
      en: `${operator.name} sets password and code with this link, once, before ${until}:`,
    };
    process.stderr.write(`${note[language]}\n`);
    print(`${app.get(Config).operatorUrl}/enrol#${token}`);
  };

function roleIn(given: string | undefined): OperatorRole {
  const role = operatorRoles.find((name) => name === given);
  if (role) return role;
  const all = operatorRoles.join(', ');
  throw new UsageError({ zh: `缺少 --role：${all}`, en: `--role is one of ${all}.` });
}

/** Creates the demo operators of DEMO_OPERATORS with passwords and secrets that the sandbox knows. Never in production (operators §1). */
export async function seedDemoOperators(app: INestApplicationContext, file: string | undefined): Promise<void> {
  if (file === undefined || file === '' || app.get(Config).production) return;
  const demo = JSON.parse(await readFile(file, 'utf8')) as Demo[];
  const [vault, passwords] = [app.get(Vault), app.get(Passwords, { strict: false })];
  await app
    .get(EntityManager)
    .fork()
    .transactional(async (em) => {
      for (const { name, role, password, secret } of demo) {
        if (await em.findOne(OperatorAccount, { name })) continue;
        const managerId = (await addManager(em, name)) ?? (await findManager(em, name));
        if (managerId === null) continue;
        await em.insert(OperatorAccount, { name, role, managerId });
        const enrolled = { passwordHash: await passwords.hash(password), sealedSecret: vault.seal(secret) };
        await em.nativeUpdate(OperatorAccount, { name }, { ...enrolled, enrolledAt: app.get(Clock).now() });
      }
    });
}

type Demo = { name: string; role: OperatorRole; password: string; secret: string };
