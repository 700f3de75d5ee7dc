import { ReadUsage } from '../../api-keys/api-keys.js';
import type { DoorAnswer, DoorCall } from '../door.js';

/** What DeepL says of accounts without a limit. */
const UNLIMITED = 1_000_000_000_000;

/**
 * A key with a monthly cap answers for itself: what it used this month, of its cap and never more than the account still has. A key without one
 * answers for its account: all that it ever used, of that and what is left.
 */
export async function usage({ caller, services }: DoorCall): Promise<DoorAnswer> {
  const [{ key }, balance] = await Promise.all([
    services.queries.execute(new ReadUsage(caller)),
    services.ledger.balanceOf(caller.userId),
  ]);
  const count = key.monthCap > 0 ? key.usedThisMonth : balance.usedCharTotal;
  const most = key.monthCap > 0 ? key.monthCap : UNLIMITED;
  const left = balance.billingMode === 'time' ? most : Math.max(0, balance.usableCharNum);
  return { body: { character_count: count, character_limit: Math.max(count, Math.min(most, count + left)) } };
}
