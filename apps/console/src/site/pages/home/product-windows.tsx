import type { ReactNode } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import '../../../shared/ui/more-icons.js';
import { Pair } from '../../shared/divider.js';
import { LabelPair, Wave } from './illustrations.js';
import { CHINESE_LABEL, PORTUGUESE_LABEL, SPANISH } from './samples.js';

type ThreadHeadProps = {
  name: string;
  place: string;
  own: string;
  theirs: { lang: string; name: string };
  channel: string;
};

/** The contact, the pair of languages and the channel. */
function ThreadHead({ name, place, own, theirs, channel }: ThreadHeadProps) {
  return (
    <header>
      <div>
        <b>{name}</b>
        <small>{place}</small>
      </div>
      <div className="home-language-pair">
        <span>
          {own} <Icon name="swap" /> <span lang={theirs.lang}>{theirs.name}</span>
        </span>
        <span>{channel}</span>
      </div>
    </header>
  );
}

type AppRailProps = {
  /** The icon of each application and its unread count. */
  apps: readonly (readonly [icon: ReactNode, unread?: string])[];
  /** Index of the open application. */
  open: number;
};

/** The navigation rail at the left of the desktop client: one icon for each application. */
function AppRail({ apps, open }: AppRailProps) {
  return (
    <div className="home-app-rail">
      {apps.map(([icon, unread], index) => (
        <span key={index} className={index === open ? 'home-app active' : 'home-app'}>
          {icon}
          {unread && <em>{unread}</em>}
        </span>
      ))}
      <span className="home-app home-app-add">
        <Icon name="add" />
      </span>
    </div>
  );
}

const CHAT_APPS = [['WA'], ['WA', '3'], ['TG'], ['LN', '7'], ['FB'], ['IG', '2'], ['ZA']] as const;
const CONTACTS = [
  { name: 'Mariana López', at: '14:32', text: 'contact1', code: 'ES', lang: 'es' },
  { name: '佐藤 健太', at: '14:18', text: 'contact2', code: 'JA', lang: 'ja' },
  { name: 'Ahmed Al-Sayed', at: '13:50', text: 'contact3', code: 'AR', lang: 'en' },
  { name: 'Camila Souza', at: '11:26', text: 'contact4', code: 'PT', lang: 'pt' },
  { name: 'Lukas Weber', at: null, text: 'contact5', code: 'DE', lang: 'de' },
  { name: 'Nguyễn Thu Hà', at: null, text: 'contact6', code: 'VI', lang: 'vi' },
] as const;
// A seven-second voice message.
const CHAT_WAVE = [
  3, 5, 10, 15, 14, 4, 3, 9, 10, 11, 15, 5, 3, 9, 15, 10, 11, 3, 4, 13, 16, 8, 9, 3, 5, 8, 18, 11, 7, 3, 10, 17, 13,
];

function Contacts() {
  const t = useMessages('home');
  return (
    <div className="home-contacts">
      <div className="home-search">
        <Icon name="search" />
        {t('search')}
      </div>
      <ul>
        {CONTACTS.map(({ name, at, text, code, lang }, index) => (
          <li key={name} className={index === 0 ? 'active' : ''}>
            <b lang={lang}>{name}</b>
            <small>{at ?? t('yesterday')}</small>
            <p>{t(text)}</p>
            <span className="home-language-code">{code}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Conversation() {
  const t = useMessages('home');
  const wave = (
    <span className="home-wave">
      <Wave bars={CHAT_WAVE} height={22} />
      <span>0:07</span>
    </span>
  );
  return (
    <div className="home-messages">
      <span className="home-day">{t('today')}</span>
      <div className="home-message">
        <Pair
          source={{ text: '¿Pueden enviar 300 unidades antes del 12 de mayo?', lang: 'es' }}
          translation={{ text: t('message1') }}
        />
      </div>
      <div className="home-message outgoing">
        <Pair
          source={{ text: t('message2') }}
          translation={{ text: 'Sí, cargamos el jueves y nos ocupamos de los documentos de aduana.', lang: 'es' }}
        />
      </div>
      <div className="home-message">
        <Pair source={{ text: wave }} translation={{ text: t('message3') }} />
      </div>
    </div>
  );
}

function Composer() {
  const t = useMessages('home');
  const draft = (
    <>
      {t('draft')}
      <span className="home-caret" />
    </>
  );
  return (
    <div className="home-composer">
      <Pair
        source={{ text: draft }}
        translation={{ text: 'Le envío la proforma en diez minutos, DDP con impuestos hasta su puerta', lang: 'es' }}
      />
      <div className="home-tools">
        <span>
          <Icon name="bolt" />
          {t('quickReply')}
        </span>
        <span>
          <Icon name="sparkle" />
          {t('aiReply')}
        </span>
        <span>
          <Icon name="image" />
          {t('image')}
        </span>
        <span>
          <Icon name="mic" />
          {t('voice')}
        </span>
        <i className="button button-primary">{t('send')}</i>
      </div>
    </div>
  );
}

/** A conversation in two languages. */
export function ChatWindow() {
  const t = useMessages('home');
  return (
    <div className="home-window" aria-hidden="true">
      <AppRail apps={CHAT_APPS} open={0} />
      <Contacts />
      <div className="home-thread">
        <ThreadHead name="Mariana López" place={t('place')} own={t('own')} theirs={SPANISH} channel="DeepL" />
        <Conversation />
        <Composer />
      </div>
    </div>
  );
}

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

/** Several accounts of many applications side by side (specification §1); a number is the unread count, null means signed out. */
export function AppsWindow() {
  const t = useMessages('home');
  const rail = (['grid', 'chat', 'users'] as const).map((name) => [<Icon key={name} name={name} />] as const);
  return (
    <div className="home-window home-window-wide" aria-hidden="true">
      <AppRail apps={rail} open={0} />
      <div className="home-instances">
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
              <em className={unread ? '' : 'none'}>{unread ?? 0}</em>
              <p>
                <i className={unread === null ? '' : 'active'} />
                {t(unread === null ? 'signedOut' : 'online')}
              </p>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

const MEDIA_APPS = [['WA'], ['TG'], ['LN']] as const;
// A twelve-second voice message.
const MEDIA_WAVE = [
  10, 13, 20, 8, 4, 5, 9, 18, 11, 10, 3, 6, 15, 23, 11, 6, 3, 15, 18, 17, 19, 3, 5, 11, 13, 12, 10, 3, 5, 16, 20, 15, 9,
  3, 6, 13,
];

/** A voice message as text, and a picture translated in place. */
export function MediaWindow() {
  const t = useMessages('home');
  const wave = (
    <span className="home-wave">
      <Wave bars={MEDIA_WAVE} height={24} />
      <span>0:12</span>
    </span>
  );
  return (
    <div className="home-window home-window-wide" aria-hidden="true">
      <AppRail apps={MEDIA_APPS} open={1} />
      <div className="home-thread">
        <ThreadHead
          name="Camila Souza"
          place={t('place2')}
          own={t('chinese')}
          theirs={{ lang: 'pt', name: 'Português' }}
          channel="Google"
        />
        <div className="home-messages">
          <span className="home-day">{t('today2')}</span>
          <div className="home-message voice">
            <Pair source={{ text: wave }} translation={{ text: t('voiceText') }} />
          </div>
          <div className="home-message outgoing picture">
            <LabelPair source={CHINESE_LABEL} translation={PORTUGUESE_LABEL} />
          </div>
        </div>
        <div className="home-composer">
          <div className="home-tools">
            <span>
              <Icon name="image" />
              {t('blocks')}
            </span>
            <i className="button button-primary">{t('sendImage')}</i>
          </div>
        </div>
      </div>
    </div>
  );
}
