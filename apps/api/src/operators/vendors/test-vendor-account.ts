import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { testVendorAccount } from '@yiqiao/contracts/operator/vendors';
import { Refusal } from '@yiqiao/domain/errors';
import { codePoints } from '@yiqiao/domain/members';
import { Clock } from '../../platform/clock.js';
import { externalCall } from '../../platform/admission.js';
import { VendorFailure } from '../../translation/channels/vendor-failure.js';
import { VendorAccounts } from '../../translation/channels/vendor-accounts.js';
import { clientOf } from '../../translation/channels/vendors.js';
import { ActionLog, type Actor } from '../action-log.js';

type Tested = Answer<typeof testVendorAccount>;

/** A sentence with a question, as a shop gets it. */
const TEXT = '你好，这个颜色还有现货吗？';
const PAIR = { source: 'zh-Hans', target: 'en' };
const MOST_MS = 15_000;

export class TestVendorAccount extends Command<Tested> {
  constructor(
    readonly id: number,
    readonly actor: Actor,
  ) {
    super();
  }
}

/** Asks the vendor once, outside the routing: breakers, queues and members do not notice. */
@CommandHandler(TestVendorAccount)
export class TestVendorAccountHandler implements ICommandHandler<TestVendorAccount> {
  constructor(
    private readonly em: EntityManager,
    private readonly accounts: VendorAccounts,
    private readonly actions: ActionLog,
    private readonly clock: Clock,
  ) {}

  async execute({ id, actor }: TestVendorAccount): Promise<Tested> {
    const account = await this.accounts.find(id);
    if (!account) throw new Refusal('NOT_FOUND');
    const client = clientOf(account);
    const begun = performance.now();
    const signal = AbortSignal.timeout(MOST_MS);
    const outcome = await externalCall(() => client.translate({ texts: [TEXT], ...PAIR, signal }))
      .then(({ texts }) => ({ answer: texts[0] ?? '', failure: null }))
      .catch((error: unknown) => ({ answer: null, failure: failureOf(error, signal) }));
    const ms = Math.round(performance.now() - begun);
    await client.close();
    await this.em.fork().transactional((em) =>
      this.actions.record(em, actor, {
        action: 'vendorAccount.test',
        target: { kind: 'vendorAccount', id: `${account.code}/${account.name}` },
        after: { ms, failure: outcome.failure?.kind ?? null },
      }),
    );
    return { at: this.clock.toWire(this.clock.now()), ms, chars: codePoints(TEXT), ...PAIR, text: TEXT, ...outcome };
  }
}

function failureOf(error: unknown, signal: AbortSignal): { kind: string; said: string } {
  if (error instanceof VendorFailure) return { kind: signal.aborted ? 'timeout' : error.kind, said: error.message };
  throw error;
}
