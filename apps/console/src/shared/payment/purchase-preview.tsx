import type { Response } from '@yiqiao/contracts/endpoint';
import type { previewOrder } from '@yiqiao/contracts/orders';
import { grouped } from '../amounts.js';
import { useMessages } from '../i18n/messages.js';
import './purchase-preview.css';

type Preview = Response<typeof previewOrder>;
type Name = 'afterChars' | 'afterExpiry' | 'afterVoice' | 'afterImages' | 'afterChildren';

const numbers = (name: Name, before: number, after: number) => ({
  name,
  before: grouped(before),
  after: grouped(after),
  isLess: after < before,
  isSame: after === before,
});

/** Characters and expiry always; the other balances where they change. */
function rowsOf({ before, after }: Preview) {
  const [was, becomes] = [before.expireDateTime?.slice(0, 16) ?? '–', after.expireDateTime?.slice(0, 16) ?? '–'];
  const others = [
    numbers('afterVoice', before.usableVoiceNum, after.usableVoiceNum),
    numbers('afterImages', before.usableImageNum, after.usableImageNum),
    numbers('afterChildren', before.childCharNum, after.childCharNum),
  ];
  return [
    numbers('afterChars', before.usableCharNum, after.usableCharNum),
    { name: 'afterExpiry' as const, before: was, after: becomes, isLess: was !== '–' && becomes < was },
    ...others.filter(({ isSame }) => !isSame),
  ];
}

/** Every balance before and after a purchase that is paid now, computed by the server (decisions §4). */
export function PurchasePreview({ preview }: { preview: Preview }) {
  const t = useMessages('payment');
  const say = useMessages('shared');
  return (
    <dl className="purchase-preview">
      {rowsOf(preview).map(({ name, before, after, isLess }) => (
        <div key={name}>
          <dt>{t(name)}</dt>
          <dd className="numeric">
            <span className="visually-hidden">{say('before')} </span>
            <span>{before}</span>
            <span aria-hidden="true"> → </span>
            <span className="visually-hidden">{say('after')} </span>
            <b className={isLess ? 'less' : undefined}>{after}</b>
          </dd>
        </div>
      ))}
    </dl>
  );
}
