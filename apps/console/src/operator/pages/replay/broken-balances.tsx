import { getAccountState, listEntries } from '@yiqiao/contracts/operator/accounts';
import { getMember } from '@yiqiao/contracts/operator/members';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { useCause, type Cause } from './cause-details.js';
import { useReplay, type AccountAt } from './use-replay.js';

/** By how much the characters should have changed, as another record has it; null if nothing else tells. */
function witnessed({ userId, cmdId, translation, entries }: Cause): number | null {
  if (translation?.cmdId === cmdId) return -translation.charged;
  const [other, more] = entries.filter((entry) => entry.userId !== userId);
  return other && !more ? -other.charChangeNum : null;
}

/** What the characters are now by the table of balances, by the records that can be trusted, and by the one that was changed. */
export function BrokenBalances({ trusted, brokenAt }: { trusted: AccountAt; brokenAt: number }) {
  const t = useMessages('replay');
  const { account } = useReplay();
  const userId = String(account.userId);
  const around = { userId, fromSeq: String(brokenAt), toSeq: String(brokenAt + 1), limit: '2' };
  const rows = useEndpoint(listEntries, around).data?.rows;
  const newest = useEndpoint(getAccountState, { userId }).data;
  const table = useEndpoint(getMember, { userId }).data?.balance.charNum;
  const broken = rows?.find(({ seq }) => seq === brokenAt);
  const after = rows?.find(({ seq }) => seq === brokenAt + 1);
  const cause = useCause(broken?.id ?? null, true);
  if (!broken || !newest || table === undefined) return null;
  const later = after ? newest.charNum - after.beforeCharNum : 0;
  const change = cause ? witnessed(cause) : null;
  const sums = [
    { name: t('byWitness'), n: change === null ? null : trusted.charNum + change + later },
    { name: t('byBroken'), n: trusted.charNum + broken.charChangeNum + later },
  ];
  return (
    <dl className="kv broken-balances">
      <div>
        <dt>{t('byTable')}</dt>
        <dd>{grouped(table)}</dd>
      </div>
      {sums.map(
        ({ name, n }) =>
          n !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd className={n === table ? 'good' : 'wrong'}>{grouped(n)}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
