import type { Response } from '@yiqiao/contracts/endpoint';
import type { verifyClose } from '@yiqiao/contracts/operator/closes';
import { useMessages } from '../../../shared/i18n/messages.js';
import type { Close } from './use-books.js';

export type Verification = Response<typeof verifyClose>;

export function Signature({ close: { signatureValid, keyKnown } }: { close: Close }) {
  const t = useMessages('audits');
  if (!signatureValid) return <span className="state bad">{t('signatureWrong')}</span>;
  if (keyKnown === false) return <span className="state bad">{t('keyUnknown')}</span>;
  return <span className="state ok">{t(keyKnown === null ? 'signatureOnly' : 'signatureRight')}</span>;
}

export function Witnesses({ close: { witnesses } }: { close: Close }) {
  const t = useMessages('audits');
  if (witnesses.length === 0) return <span className="faint">{t('noWitness')}</span>;
  const anchored = witnesses.filter(({ state }) => state === 'anchored').length;
  return (
    <span className={anchored === witnesses.length ? 'muted numeric' : 'state warning'}>
      {t('witnessesOf', { n: anchored, all: witnesses.length })}
    </span>
  );
}
