import { getClose } from '@yiqiao/contracts/operator/closes';
import { ENTRY_LINES, OTHER_LINES } from '@yiqiao/domain/trial-balance';
import { Button, Drawer } from 'antd';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Icon } from '../../../shared/ui/icon.js';
import { Loaded } from '../../shared/states.js';
import { Signature, type Verification, Witnesses } from './close-words.js';
import { LineCells, LineHeads } from './line-cells.js';
import type { Balance, Close } from './use-books.js';

type DrawerProps = {
  date: string;
  verification: Verification | undefined;
  busy: boolean;
  /** Undefined for those who may not. */
  onVerify: (() => void) | undefined;
  onClose: () => void;
};

/** One close: what was signed, who holds a copy, and whether the ledger still says the same. */
export function CloseDrawer({ date, verification, busy, onVerify, onClose }: DrawerProps) {
  const t = useMessages('audits');
  const query = useEndpoint(getClose, { date });
  return (
    <Drawer
      open
      onClose={onClose}
      width="min(760px, 100vw)"
      title={t('closeOf', { date })}
      extra={
        <Button type="primary" icon={<Icon name="shield" />} disabled={!onVerify} loading={busy} onClick={onVerify}>
          {t('verify')}
        </Button>
      }
    >
      <div role="status">
        {busy && <p className="remark">{t('verifying')}</p>}
        {!busy && verification && <Result verification={verification} />}
      </div>
      <Loaded query={query} rows={8}>
        {(close) => (
          <>
            <Facts close={close} />
            <Witnessed close={close} />
            <Books lines={close.lines} date={date} />
          </>
        )}
      </Loaded>
    </Drawer>
  );
}

function Result({ verification }: { verification: Verification }) {
  const t = useMessages('audits');
  const { whole, accounts, witnesses, unanswered, differences } = verification;
  return (
    <>
      {whole ? (
        <p className="remark ok">
          <Icon name="check" />
          {t('verifiedWhole', { accounts: grouped(accounts), witnesses })}
        </p>
      ) : (
        <div className="remark bad books-differences">
          <b>{t('verifiedDiffers', { n: differences.length })}</b>
          <ul>
            {differences.map(({ account, seq, what, expected, found }, i) => (
              <li key={i}>
                {account === null ? null : (
                  <Link to={`/ledger/replay/${account}${seq === null ? '' : `?seq=${seq}`}`}>
                    {seq === null ? t('whereAccount', { account }) : t('whereEntry', { account, seq: grouped(seq) })}
                  </Link>
                )}{' '}
                <span className="mono">{what}</span>
                <br />
                {t('expected')} <span className="mono">{expected}</span>
                <br />
                {t('found')} <span className="mono">{found}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {unanswered.length > 0 && <p className="remark warning">{t('unanswered', { names: unanswered.join(' · ') })}</p>}
    </>
  );
}

function Facts({ close }: { close: Close }) {
  const t = useMessages('audits');
  const whole = (value: string): ReactNode => <code className="books-hash">{value}</code>;
  const facts: [string, ReactNode][] = [
    [t('closeNumber'), close.number],
    [t('madeAt'), close.madeAt],
    [t('dayEntries'), grouped(close.newEntries)],
    [t('allEntries'), grouped(close.entries)],
    [t('accountCount'), t('accountsChanged', { n: grouped(close.accounts), changed: grouped(close.changedAccounts) })],
    [t('root'), whole(close.root)],
    [t('booksDigest'), whole(close.books)],
    [t('previousClose'), whole(close.previous)],
    [t('closeHash'), whole(close.hash)],
    [t('publicKey'), whole(close.publicKey)],
    [
      t('signature'),
      <>
        <Signature close={close} />
        <br />
        {whole(close.signature)}
      </>,
    ],
  ];
  return (
    <dl className="facts books-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Who holds a copy outside of the house. */
function Witnessed({ close }: { close: Close }) {
  const t = useMessages('audits');
  return (
    <section className="books-part">
      <h3>
        {t('witnesses')} <Witnesses close={close} />
      </h3>
      {close.witnesses.length > 0 && (
        <dl className="facts books-facts">
          {close.witnesses.map(({ witness, state, at, attempts, problem }) => (
            <div key={witness}>
              <dt className="mono">{witness}</dt>
              <dd>
                {state === 'anchored' ? (
                  <span className="state ok">{t('anchoredAt', { at: at ?? '' })}</span>
                ) : (
                  <>
                    <span className="state warning">{t('anchorWaits', { n: attempts })}</span>
                    {problem !== null && <small className="muted"> {problem}</small>}
                  </>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** The trial balance that was signed with the close, and the way to the same moment of the ledger as it is now. */
function Books({ lines, date }: Pick<Balance, 'lines'> & { date: string }) {
  const t = useMessages('audits');
  const names = { ...ENTRY_LINES, ...OTHER_LINES };
  return (
    <section className="books-part">
      <h3>{t('signedBalance')}</h3>
      <p className="muted">
        {t('signedBalanceNote')}{' '}
        <Link className="link" to={`/ledger/audits?${String(new URLSearchParams({ at: `${date} 23:59:59` }))}`}>
          {t('balanceNow')}
        </Link>
      </p>
      <div className="table-scroll rows-scroll" role="region" aria-label={t('signedBalance')} tabIndex={0}>
        <table className="rows-table numeric">
          <LineHeads texts={[t('line')]} />
          <tbody>
            {lines.map((line) => (
              <tr key={line.key}>
                <th scope="row">{names[line.key][language]}</th>
                <LineCells of={line} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
