import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { Rail } from './rail.js';

const INSTANCES = [
  ['WhatsApp', 'store1', 3],
  ['WhatsApp', 'store2', 12],
  ['Telegram', 'store3', 0],
  ['LINE', 'store4', 7],
  ['Messenger', 'store5', 2],
  ['Instagram', 'store6', 0],
  ['Zalo', 'store7', 1],
  ['Viber', 'store8', null],
  ['KakaoTalk', 'store9', 4],
] as const;

/** Many applications at once, several accounts of each (specification §1); a number is what is unread, null is signed out. */
export function AppsWindow() {
  const t = useMessages('home');
  const rail = (['grid', 'chat', 'users'] as const).map((name) => [<Icon key={name} name={name} />] as const);
  return (
    <div className="win w2" aria-hidden="true">
      <Rail apps={rail} open={0} />
      <div className="ins">
        <header>
          <b>{t('instances')}</b>
          <span className="faint">{t('instancesOnline')}</span>
        </header>
        <ul>
          {INSTANCES.map(([name, store, unread]) => (
            <li key={store}>
              <div>
                <b>{name}</b>
                <small>{t(store)}</small>
              </div>
              <em className={unread ? '' : 'z'}>{unread ?? 0}</em>
              <p>
                <i className={unread === null ? '' : 'on'} />
                {t(unread === null ? 'signedOut' : 'online')}
              </p>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
