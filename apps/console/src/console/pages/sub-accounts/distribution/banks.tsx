import { useMember } from '../../../../shared/auth/user.js';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { grouped, signed } from '../../../../shared/ledger/amount-text.js';
import type { outcomeOf } from './shares.js';

/** The arch that carries the amount from one bank to the other. */
function Arch() {
  return (
    <svg viewBox="0 0 132 58" fill="none" stroke="currentColor" strokeWidth="1.25" aria-hidden="true">
      <path d="M2 57C14 14 118 14 130 57" />
      <path d="M0 22Q66 8 132 22" />
      <path
        d="M6 20.8v-6M16 19v-6M26 17.6v-6M36 16.4v-6M46 15.6v-6M56 15.2v-6M66 15v-6M76 15.2v-6M86 15.6v-6M96 16.4v-6M106 17.6v-6M116 19v-6M126 20.8v-6"
        opacity=".5"
      />
    </svg>
  );
}

function Bank({
  label,
  before,
  after,
  className,
}: {
  label: string;
  before: number;
  after: number;
  className: string;
}) {
  const t = useTexts('sub-accounts');
  return (
    <div className={className}>
      <small className="dyn">{label}</small>
      <span className={`be num ${before === after ? 'same' : ''}`}>{grouped(before)}</span>
      {after < 0 ? <b className="out">{t('notEnough')}</b> : <b>{grouped(after)}</b>}
    </div>
  );
}

type BanksProps = {
  account: string;
  main: number;
  child: number;
  outcome: ReturnType<typeof outcomeOf>;
};

/** Main account on the left bank, sub-account on the right, before and after on both (DESIGN §3). */
export function Banks({ account, main, child, outcome }: BanksProps) {
  const t = useTexts('sub-accounts');
  const { username } = useMember();
  const { change, mainAfter, childAfter } = outcome;
  return (
    <>
      <div className="ds-banks" aria-hidden="true">
        <Bank className="from" label={t('mainSide', { name: username })} before={main} after={mainAfter} />
        <div className={`ar ${change === 0 ? 'idle' : ''}`}>
          <span>{signed(change)}</span>
          <Arch />
        </div>
        <Bank className="to" label={t('childSide', { name: account })} before={child} after={childAfter} />
      </div>
      <p className="vh" role="status">
        {outcome.over
          ? t('notEnough')
          : t('live', {
              mainBefore: grouped(main),
              mainAfter: grouped(mainAfter),
              childBefore: grouped(child),
              childAfter: grouped(childAfter),
            })}
      </p>
    </>
  );
}
