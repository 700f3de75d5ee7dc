import { Link } from 'react-router';
import { BILLING_MODES } from '@yiqiao/domain/plans';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { Icon } from '../../../shared/ui/icon.js';
import { type Account, type Proven, useProofProgress } from './proofs.js';
import type { Scope } from './replay-store.js';

type HeadProps = {
  account: Account;
  scope: Scope;
  /** The address of a member's page like this one, and of the other scope. */
  to: (userId: number) => string;
  onScope: (scope: Scope) => void;
  /** Those of the accounts in scope; undefined until all are there. */
  proofs?: readonly Proven[] | undefined;
};

/** Whose ledger is open: the account, its family, and whether its chain holds. */
export function AccountHead({ account, scope, to, onScope, proofs }: HeadProps) {
  const t = useMessages('replay');
  const { name, userId, role, memberGroup, translationBillingMode: mode, channel, family, familySize } = account;
  const facts = [memberGroup, BILLING_MODES[mode][language], channel].filter((fact) => fact !== null);
  return (
    <section className="card tm-head">
      <div className="who-bar">
        <span className="av" aria-hidden="true">
          {[...name][0]}
        </span>
        <div>
          <span className="nm">{name}</span> <span className="faint num">#{userId}</span>{' '}
          <span className="tag mov">{t(role === 'main' ? 'main' : 'sub')}</span>
          {account.closed && <span className="tag">{t('closed')}</span>}
          <div className="muted small">{facts.join(' · ')}</div>
        </div>
        <Link className="lk" to={`/members/${userId}`}>
          {t('memberPage')}
          <Icon name="next" />
        </Link>
        <span className="sp">
          {familySize > 1 && (
            <span className="seg" role="group" aria-label={t('scope')}>
              {(['account', 'family'] as const).map((each) => (
                <button
                  key={each}
                  type="button"
                  className={scope === each ? 'on' : ''}
                  aria-pressed={scope === each}
                  onClick={() => onScope(each)}
                >
                  {each === 'account' ? t('thisAccount') : t('wholeFamily', { n: familySize })}
                </button>
              ))}
            </span>
          )}
          <ChainState account={account} proofs={proofs} scope={scope} />
        </span>
      </div>
      {familySize > 1 && (
        <nav className="fam" aria-label={t('family')}>
          {family.map((member) => {
            const here = member.userId === userId && scope === 'account';
            return (
              <Link
                key={member.userId}
                to={to(member.userId)}
                className={here ? 'on' : ''}
                aria-current={here ? 'page' : undefined}
              >
                {member.name}
                <small className="num">{grouped(member.entries)}</small>
              </Link>
            );
          })}
          {familySize > family.length && (
            <span className="faint">{t('others', { n: familySize - family.length })}</span>
          )}
        </nav>
      )}
    </section>
  );
}

/** How far the chain has been recomputed. */
function Checking({ account, scope }: Pick<HeadProps, 'account' | 'scope'>) {
  const t = useMessages('replay');
  const done = useProofProgress(scope === 'family' ? account.family : [account]);
  const total = scope === 'family' ? account.familyEntries : account.entries;
  return (
    <span className="st">
      {t('chainChecking')}
      <b className="num">
        {grouped(done)} / {grouped(total)}
      </b>
      <progress value={done} max={total} aria-label={t('chainChecking')} />
    </span>
  );
}

function ChainState({ account, proofs, scope }: Pick<HeadProps, 'account' | 'proofs' | 'scope'>) {
  const t = useMessages('replay');
  if (account.entries === 0) return null;
  if (!proofs) return <Checking account={account} scope={scope} />;
  const broken = proofs.find(({ firstBreak }) => firstBreak !== null);
  if (broken?.firstBreak)
    return (
      <span className="st bad" role="status">
        <i />
        {broken.userId !== account.userId && `${broken.name} · `}
        {t('chainBroken', { n: grouped(broken.firstBreak.seq) })}
      </span>
    );
  const proven = proofs.reduce((sum, { entries }) => sum + entries, 0);
  const total = scope === 'family' ? account.familyEntries : account.entries;
  return (
    <span className="st ok" role="status">
      <i />
      {proven < total
        ? t('chainRecent', { n: grouped(proven) })
        : scope === 'family'
          ? t('chainsWhole', { n: proofs.length })
          : t('chainWhole')}{' '}
      <b className="num">
        {grouped(proven)} / {grouped(total)}
      </b>
    </span>
  );
}
