import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { saveChildUser } from '@yiqiao/contracts/sub-accounts';
import { Refusal } from '@yiqiao/domain/errors';
import { uniqueKey } from '@yiqiao/domain/members';
import { Passwords } from '../platform/passwords.js';
import { Plans } from '../plans/plans.js';
import { type SubAccountRow, SubAccountQueries } from './sub-account-queries.js';
import { Identity } from './identity.entity.js';
import { lockMain } from './lock-main.js';
import { Member } from './member.entity.js';
import { SubAccounts } from './sub-accounts.js';

type Form = Input<typeof saveChildUser>;
type NewChild = Exclude<Form, { userId: number }>;

export class SaveChildUser extends Command<SubAccountRow> {
  constructor(
    readonly mainId: number,
    readonly form: Form,
  ) {
    super();
  }
}

/** Adds or edits a sub-account. Adding requires a plan that includes sub-accounts; existing ones keep working without (decisions §3). */
@CommandHandler(SaveChildUser)
export class SaveChildUserHandler implements ICommandHandler<SaveChildUser> {
  constructor(
    private readonly em: EntityManager,
    private readonly subAccounts: SubAccounts,
    private readonly plans: Plans,
    private readonly passwords: Passwords,
    private readonly subAccountQueries: SubAccountQueries,
  ) {}

  async execute({ mainId, form }: SaveChildUser): Promise<SubAccountRow> {
    const userId = 'userId' in form ? await this.#edit(mainId, form) : await this.#add(mainId, form);
    return this.subAccountQueries.one(mainId, userId);
  }

  async #edit(mainId: number, { userId, ...change }: Extract<Form, { userId: number }>): Promise<number> {
    await this.em.fork().transactional((em) => this.subAccounts.edit(em, { mainId, userId }, change));
    return userId;
  }

  async #add(mainId: number, form: NewChild): Promise<number> {
    const { account: username, nickname = username, password, enabled, caps } = form;
    // Before the password is hashed, to keep refusals cheap.
    await this.#requirePossible(mainId, username);
    const passwordHash = await this.passwords.hash(password);
    return this.em.fork().transactional(async (em) => {
      const main = await lockMain(em, mainId);
      await this.#requirePlan(em, main);
      const account = { username, nickname, passwordHash, enabled, caps };
      return this.subAccounts.create(em, main, account).catch((reason: unknown) => {
        throw reason instanceof Refusal && reason.code === 'USERNAME_TAKEN' ? nameTaken() : reason;
      });
    });
  }

  async #requirePossible(mainId: number, username: string): Promise<void> {
    const em = this.em.fork();
    const main = await em.findOne(Member, { id: mainId, closedAt: null });
    if (!main) throw new Refusal('SESSION_CLOSED');
    await this.#requirePlan(em, main);
    if ((await em.count(Identity, { kind: 'username', uniqueKey: uniqueKey(username) })) > 0) throw nameTaken();
  }

  async #requirePlan(em: EntityManager, main: Member): Promise<void> {
    const group = await this.plans.group(em, main.memberGroupId);
    if (!group.createChildUser) throw new Refusal('SUB_ACCOUNTS_NOT_INCLUDED');
  }
}

/** The form field of a sub-account's name is `account`. */
const nameTaken = (): Refusal =>
  new Refusal('USERNAME_TAKEN', { errors: [{ path: 'account', code: 'USERNAME_TAKEN' }] });
