import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '@yiqiao/domain/errors';
import type { RequestCheck, RequestSummary } from '../requests/request-kind.js';
import { WhatIf } from '../what-if/what-if.entity.js';

type Subject = { kind: 'channel' | 'plan'; id: string; change: Record<string, unknown> };

/**
 * A what-if as the reason for another price (operators §8): what it says, beside the request. Throws NOT_FOUND, WHAT_IF_NOT_SOUND,
 * WHAT_IF_OF_ANOTHER_CHANGE.
 */
export async function reasonOf(
  em: EntityManager,
  id: number,
  subject: Subject,
): Promise<{ facts: RequestSummary['facts']; checks: RequestCheck[] }> {
  const run = await em.findOne(WhatIf, { id });
  if (!run) throw new Refusal('NOT_FOUND');
  const { result, baseline } = run;
  if (run.state !== 'done' || !result || !baseline) throw new Refusal('WHAT_IF_NOT_SOUND');
  if (!isAbout(run, subject)) throw new Refusal('WHAT_IF_OF_ANOTHER_CHANGE');
  const { amount, affected, dryCount } = result;
  return {
    facts: [
      { label: { zh: '试算', en: 'What-if' }, value: `#${id}` },
      {
        label: { zh: '同样的人、同样的单', en: 'Same people, same orders' },
        value: moneyOf(amount.wouldBe - amount.was),
      },
      { label: { zh: '受益的家庭', en: 'Families that gain' }, value: affected.gains },
      { label: { zh: '吃亏的家庭', en: 'Families that lose' }, value: affected.loses },
      { label: { zh: '会用尽的会员', en: 'Members who would run dry' }, value: dryCount },
    ],
    checks: [
      {
        state: 'met',
        text: {
          zh: `试算 #${id} 的基线与实际一致，差 ${baseline.difference}`,
          en: `What-if #${id} reproduces what was charged, difference ${baseline.difference}`,
        },
      },
    ],
  };
}

/** Whether the run has replayed this very change, maybe with others. */
function isAbout({ changes }: WhatIf, { kind, id, change }: Subject): boolean {
  const replayed: Record<string, unknown> =
    kind === 'channel' ? { price: changes.channels?.[id as never] } : { ...changes.plans?.[id] };
  return Object.entries(change).every(([name, value]) => value === undefined || replayed[name] === value);
}

const moneyOf = (fen: number): string => `${fen > 0 ? '+' : fen < 0 ? '−' : ''}¥${(Math.abs(fen) / 100).toFixed(2)}`;
