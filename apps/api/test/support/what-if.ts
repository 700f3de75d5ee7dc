/** What-ifs over a small ledger of the real service, for the suites about them (operators §8). */
import { expect } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getWhatIf } from '@yiqiao/contracts/operator/what-if';
import { changeChannel } from '@yiqiao/contracts/plans';
import { CHANNEL_CODES } from '@yiqiao/domain/channels';
import { textCost } from '@yiqiao/domain/quotes';
import { Ledger } from '../../src/ledger/ledger.js';
import { commandIdOf } from '../../src/platform/command-id.js';
import { uuid7 } from '../../src/platform/uuid7.js';
import { Plans } from '../../src/plans/plans.js';
import { startApi, type TestApi } from './api.js';
import { usage } from './ledger-fixture.js';
import { listManagers } from './operator.js';
import { type OperatorBrowser, TestOperators } from './operators.js';
import { openOrder, paymentFor, settle } from './orders.js';
import type { TestMember } from './test-members.js';
import { waitUntil } from './wait-until.js';
import { startWorker } from './worker.js';

export type WhatIfRun = Answer<typeof getWhatIf>;

/** Everything there is. */
export const ALWAYS = { from: '2020-01-01 00:00:00', to: '2090-01-01 00:00:00' };

export class WhatIfFixture {
  #worker: { app: INestApplicationContext; stop: () => Promise<void> } | undefined;

  private constructor(
    readonly api: TestApi,
    readonly operators: TestOperators,
    readonly viewer: OperatorBrowser,
  ) {}

  static async open(): Promise<WhatIfFixture> {
    const api = await startApi({ LIMIT_CHANNEL_CHANGES_PER_HOUR: '100000', LIMIT_DISTRIBUTION_PER_SECOND: '100000' });
    const operators = await TestOperators.start(api);
    await listManagers(api.db);
    const viewer = await operators.signIn(await operators.enrol('viewer-1', 'viewer'));
    for (const code of CHANNEL_CODES)
      api.app.get(Plans).announce(code, () => Promise.resolve({ available: true, reason: null }));
    const fixture = new WhatIfFixture(api, operators, viewer);
    await fixture.startWorker();
    return fixture;
  }

  async close(): Promise<void> {
    await this.stopWorker();
    await this.operators.stop();
    await this.api.stop();
  }

  async startWorker(): Promise<void> {
    this.#worker = await startWorker(this.api.env);
  }

  async stopWorker(): Promise<void> {
    await this.#worker?.stop();
    this.#worker = undefined;
  }

  async start(changes: object = {}, span: object = ALWAYS): Promise<number> {
    const { status, body } = await this.viewer.post('/what-if', { ...span, changes });
    expect([status, body.msg]).toEqual([200, expect.anything()]);
    return (body.data as { id: number }).id;
  }

  async read(id: number): Promise<WhatIfRun> {
    return (await this.viewer.get(`/what-if/${id}`)).body.data;
  }

  running(id: number): Promise<WhatIfRun> {
    return waitUntil(
      () => this.read(id),
      ({ state }) => state === 'running',
    );
  }

  ended(id: number): Promise<WhatIfRun> {
    return waitUntil(
      () => this.read(id),
      ({ state }) => state !== 'waiting' && state !== 'running',
    );
  }

  async run(changes: object = {}): Promise<WhatIfRun> {
    return this.ended(await this.start(changes));
  }

  async result(changes: object): Promise<NonNullable<WhatIfRun['result']>> {
    const { state, result, baseline } = await this.run(changes);
    expect([state, baseline?.differences]).toEqual(['done', []]);
    if (!result) throw new Error('no result');
    return result;
  }

  setPrice(id: number, price: number): Promise<unknown> {
    return this.api.db.query('UPDATE tran_channel SET price = $2 WHERE id = $1', [id, price]);
  }

  change(main: TestMember, targetChannelId: number): Promise<unknown> {
    return main.client.call(changeChannel, { targetChannelId });
  }

  /** Orders a plan, pays it and has it credited. */
  async pay(main: TestMember, memberGroupId: number, salesNum = 1): Promise<void> {
    const id = await openOrder(this.api, main, { memberGroupId, salesNum });
    expect(await settle(this.api, await paymentFor(this.api, id))).toBe('credit');
  }

  /** One request of these texts, charged as the product charges it. */
  async translate(
    who: TestMember,
    texts: readonly number[],
    { own, through = own, main = who }: { own: number; through?: number; main?: TestMember },
  ): Promise<void> {
    const prices = { asked: await this.#price(through), own: await this.#price(own) };
    const codePoints = texts.reduce((sum, text) => sum + text, 0);
    const charNum = texts.reduce((sum, text) => sum + textCost(text, prices), 0);
    await this.charge(who, { codePoints, charNum }, { own, through, main });
  }

  /** A text at this price, whatever the price list says. */
  async charge(
    who: TestMember,
    ask: { codePoints: number; charNum: number },
    { own, through = own, main = who }: { own: number; through?: number; main?: TestMember },
  ): Promise<void> {
    const to = { id: uuid7(), userId: who.session.userId, familyId: main.session.userId };
    await this.#ledger.hold({ ...to, ask: { kind: 'text', ...ask }, ownChannelId: own });
    await this.#ledger.settle({ ...to, usage: { ...usage, tranChannelId: through } });
  }

  async media(who: TestMember, ask: { kind: 'image' } | { kind: 'voice'; minutes: number }): Promise<void> {
    const to = { id: uuid7(), userId: who.session.userId, familyId: who.session.userId };
    await this.#ledger.hold({ ...to, ask });
    await this.#ledger.settle({ ...to, usage });
  }

  /** A line that failed, and one that was free. */
  async fail(who: TestMember): Promise<void> {
    const of = { userId: who.session.userId, familyId: who.session.userId };
    const id = uuid7();
    await this.#ledger.hold({ ...of, id, ask: { kind: 'text', codePoints: 9 } });
    await this.#ledger.release({ ...of, id, usage });
    await this.#ledger.note({ ...of, id: commandIdOf(`free:${id}`), codePoints: 4, usage, free: 'memory' });
  }

  get #ledger(): Ledger {
    return this.api.app.get(Ledger, { strict: false });
  }

  async #price(id: number): Promise<number> {
    const { rows } = await this.api.db.query<{ price: number }>('SELECT price FROM tran_channel WHERE id = $1', [id]);
    return rows[0]?.price ?? 0;
  }
}
