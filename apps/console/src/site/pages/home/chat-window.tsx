import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { Pair } from '../../shared/divider.js';
import { Rail } from './rail.js';
import { SPANISH } from './samples.js';
import { ThreadHead } from './thread-head.js';
import { Wave } from './wave.js';

const APPS = [['WA'], ['WA', '3'], ['TG'], ['LN', '7'], ['FB'], ['IG', '2'], ['ZA']] as const;
const CONTACTS = [
  { name: 'Mariana López', at: '14:32', text: 'contact1', code: 'ES', lang: 'es' },
  { name: '佐藤 健太', at: '14:18', text: 'contact2', code: 'JA', lang: 'ja' },
  { name: 'Ahmed Al-Sayed', at: '13:50', text: 'contact3', code: 'AR', lang: 'en' },
  { name: 'Camila Souza', at: '11:26', text: 'contact4', code: 'PT', lang: 'pt' },
  { name: 'Lukas Weber', at: null, text: 'contact5', code: 'DE', lang: 'de' },
  { name: 'Nguyễn Thu Hà', at: null, text: 'contact6', code: 'VI', lang: 'vi' },
] as const;
// A seven-second voice message.
const WAVE = [
  3, 5, 10, 15, 14, 4, 3, 9, 10, 11, 15, 5, 3, 9, 15, 10, 11, 3, 4, 13, 16, 8, 9, 3, 5, 8, 18, 11, 7, 3, 10, 17, 13,
];

function Contacts() {
  const t = useMessages('home');
  return (
    <div className="conv">
      <div className="sr">
        <Icon name="search" />
        {t('search')}
      </div>
      <ul>
        {CONTACTS.map(({ name, at, text, code, lang }, index) => (
          <li key={name} className={index === 0 ? 'on' : ''}>
            <b lang={lang}>{name}</b>
            <small>{at ?? t('yesterday')}</small>
            <p>{t(text)}</p>
            <span className="lc">{code}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Messages() {
  const t = useMessages('home');
  const wave = (
    <span className="wave">
      <Wave bars={WAVE} height={22} />
      <span>0:07</span>
    </span>
  );
  return (
    <div className="msgs">
      <span className="day">{t('today')}</span>
      <div className="m">
        <Pair
          source={{ text: '¿Pueden enviar 300 unidades antes del 12 de mayo?', lang: 'es' }}
          crossed={{ text: t('message1') }}
        />
      </div>
      <div className="m me">
        <Pair
          source={{ text: t('message2') }}
          crossed={{ text: 'Sí, cargamos el jueves y nos ocupamos de los documentos de aduana.', lang: 'es' }}
        />
      </div>
      <div className="m">
        <Pair source={{ text: wave }} crossed={{ text: t('message3') }} />
      </div>
    </div>
  );
}

function Composer() {
  const t = useMessages('home');
  const draft = (
    <>
      {t('draft')}
      <span className="caret" />
    </>
  );
  return (
    <div className="comp">
      <Pair
        source={{ text: draft }}
        crossed={{ text: 'Le envío la proforma en diez minutos, DDP con impuestos hasta su puerta', lang: 'es' }}
      />
      <div className="tools">
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
        <i className="btn btn-p">{t('send')}</i>
      </div>
    </div>
  );
}

/** A conversation in two languages, drawn in HTML. */
export function ChatWindow() {
  const t = useMessages('home');
  return (
    <div className="win" aria-hidden="true">
      <Rail apps={APPS} open={0} />
      <Contacts />
      <div className="thr">
        <ThreadHead name="Mariana López" place={t('place')} theirs={SPANISH} channel="DeepL" />
        <Messages />
        <Composer />
      </div>
    </div>
  );
}
