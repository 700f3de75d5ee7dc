import { getCause, listEntries } from '@yiqiao/contracts/operator/accounts';
import { getSeal } from '@yiqiao/contracts/operator/closes';
import type { Response } from '@yiqiao/contracts/endpoint';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { grouped, signed } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import type { Difference, Run } from './run-words.js';

type Entry = Response<typeof listEntries>['rows'][number];

/** What else is known about the entry of a difference: its witness, its command, the close that sealed it, and the other accounts. */
export function DifferenceFacts({ difference, run }: { difference: Difference; run: Run }) {
  const t = useMessages('audits');
  const { account, seq } = difference;
  const at = { userId: String(account), fromSeq: String(seq ?? 1), toSeq: String(seq ?? 1), limit: '1' };
  const { data } = useEndpoint(listEntries, at, { enabled: seq !== null });
  const entry = data?.rows[0];
  return (
    <>
      {entry && <Witness entry={entry} />}
      <dl className="facts audit-difference-facts">
        {entry && (
          <>
            <Fact name={t('happenedAt')}>
              {entry.moment}
              <br />
              <span className="dynamic-text">{entry.words}</span>
            </Fact>
            <Fact name={t('command')}>
              <code>{entry.cmdId}</code>
            </Fact>
          </>
        )}
        {seq !== null && <Sealed userId={account} seq={seq} />}
        <Others run={run} />
      </dl>
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Outside of the ledger, the translation log says what a translation was charged. */
function Witness({ entry }: { entry: Entry }) {
  const t = useMessages('audits');
  const { translation } = useEndpoint(getCause, { id: String(entry.id) }).data ?? {};
  if (!translation || translation.cmdId !== entry.cmdId) return null;
  const { charged, kind } = translation;
  const written = -{ text: entry.charChangeNum, voice: entry.voiceChangeNum, image: entry.imageChangeNum }[kind];
  if (written === charged) return null;
  const unit = t(`unit_${kind}`);
  return (
    <dl className="audit-difference-sides witnesses">
      <div>
        <dt>{t('witnessOfLog')}</dt>
        <dd>
          {grouped(charged)} <small>{unit}</small>
        </dd>
      </div>
      <div>
        <dt>{t('entrySays')}</dt>
        <dd className="audit-bad">
          {grouped(written)} <small>{t('offBy', { unit, n: signed(written - charged) })}</small>
        </dd>
      </div>
    </dl>
  );
}

/** A close that still holds the head of the account tells a changed entry from a chain that was computed anew. */
function Sealed({ userId, seq }: { userId: number; seq: number }) {
  const t = useMessages('audits');
  const answer = useEndpoint(getSeal, { userId: String(userId), seq: String(seq) }).data;
  if (!answer) return null;
  const { seal } = answer;
  return (
    <Fact name={t('chain')}>
      {seal ? (
        <Link className={seal.same ? 'audit-ok' : 'audit-bad'} to={`/ledger/audits?close=${seal.date}`}>
          {t(seal.same ? 'sealSame' : 'sealOther', { date: seal.date, n: grouped(seal.seq) })}
        </Link>
      ) : (
        <span className="muted">{t('sealNone')}</span>
      )}
    </Fact>
  );
}

/** What the same run has read without a difference. */
function Others({ run }: { run: Run }) {
  const t = useMessages('audits');
  const { differences, accounts, state } = run;
  const named = new Set(
    differences.flatMap(({ account, consequences }) => [account, ...consequences.map((each) => each.account)]),
  );
  named.delete(0);
  const others = accounts - named.size;
  if (state !== 'different' || others < 1) return null;
  return (
    <Fact name={t('others')}>
      <span className="audit-ok">{t('othersWhole', { n: grouped(others) })}</span>
    </Fact>
  );
}
