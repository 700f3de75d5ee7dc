import { getSeal } from '@yiqiao/contracts/operator/closes';
import { Link } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Icon } from '../../../shared/ui/icon.js';
import { useCause } from './cause-details.js';
import { useReplay } from './use-replay.js';

/** The close that includes an entry; undefined until it is known. */
export const useSeal = (userId: number, seq: number | null) =>
  useEndpoint(getSeal, { userId: String(userId), seq: String(seq ?? 1) }, { enabled: seq !== null && seq > 0 }).data;

export const closeAddress = (date: string): string => `/ledger/audits?close=${date}`;

/** Four things that a forged entry would contradict. */
export function WhyTrust() {
  const t = useMessages('replay');
  const { state, now, proof } = useReplay();
  const cause = useCause(now?.entryId ?? null, !state.playing);
  if (!now || now.seq === 0 || !proof) return null;
  const isProven = now.seq >= proof.from && (proof.firstBreak === null || now.seq < proof.firstBreak.seq);
  if (!isProven) return null;
  const other = cause?.seq === now.seq ? cause.entries.find(({ userId }) => userId !== cause.userId) : undefined;
  const own = cause?.entries.find(({ userId }) => userId === cause.userId);
  const isOpposite =
    other &&
    own &&
    other.charChangeNum + own.charChangeNum === 0 &&
    other.imageChangeNum + own.imageChangeNum === 0 &&
    other.voiceChangeNum + own.voiceChangeNum === 0;
  return (
    <section className="card why-card">
      <div className="ct">
        <h2>{t('whyTrust')}</h2>
      </div>
      <ul>
        <li>
          <Icon name="link" />
          <div>
            {t('follows')}
            <small className="num">
              {now.seq === 1 ? t('followsFirst') : t('followsText', { n: grouped(now.seq - 1) })}
            </small>
          </div>
        </li>
        <li>
          <Icon name="check" />
          <div>
            {t('sameHash')}
            <small className="num">{t('sameHashText', { from: grouped(proof.from), to: grouped(now.seq) })}</small>
          </div>
        </li>
        {other && (
          <li className={isOpposite ? '' : 'wrong'}>
            <Icon name="swap" />
            <div>
              {t(isOpposite ? 'opposite' : 'notOpposite')}
              <small className="num">
                {t('oppositeText', {
                  name: other.name,
                  n: grouped(other.seq),
                  before: grouped(other.beforeCharNum),
                  last: grouped(other.lastCharNum),
                })}
              </small>
            </div>
          </li>
        )}
        {!state.playing && <Sealed />}
      </ul>
    </section>
  );
}

/** Whether a signed close holds the account as it is. */
function Sealed() {
  const t = useMessages('replay');
  const { account, now } = useReplay();
  const answer = useSeal(account.userId, now?.seq ?? null);
  if (!answer) return null;
  const { seal } = answer;
  if (!seal)
    return (
      <li className="waits">
        <Icon name="clock" />
        <div>
          {t('notSealed')}
          <small>{t('notSealedText')}</small>
        </div>
      </li>
    );
  return (
    <li className={seal.same ? '' : 'wrong'}>
      <Icon name="lock" />
      <div>
        <Link className="link" to={closeAddress(seal.date)}>
          {t(seal.same ? 'sealed' : 'sealDiffers', { date: seal.date })}
        </Link>
        <small className="num">
          {t('sealedText', { root: `${seal.root.slice(0, 8)}…${seal.root.slice(-6)}`, n: seal.anchored })}
        </small>
      </div>
    </li>
  );
}
