import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';

type ThreadHeadProps = { name: string; place: string; theirs: { lang: string; name: string }; channel: string };

/** Whom one talks to, in which languages, through which channel. */
export function ThreadHead({ name, place, theirs, channel }: ThreadHeadProps) {
  const t = useMessages('home');
  return (
    <header>
      <div>
        <b>{name}</b>
        <small>{place}</small>
      </div>
      <div className="lp">
        <span>
          {t('own')} <Icon name="swap" /> <span lang={theirs.lang}>{theirs.name}</span>
        </span>
        <span>{channel}</span>
      </div>
    </header>
  );
}
