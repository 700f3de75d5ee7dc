import { useMessages } from '../../../shared/i18n/messages.js';
import { Pair } from '../../shared/divider.js';
import { Wave } from './illustrations.js';

// The same sentence through each channel: samples from the mock-up.
const CHANNELS = [
  ['Google', 'The quality of this batch is beyond question, but the delivery time is tight.'],
  ['Microsoft', 'The quality of this shipment is impeccable, but the delivery is tight.'],
  ['DeepL', 'This batch is flawless; the lead time is the only tight spot.'],
  ['ChatGPT', 'Can’t fault the quality of this lot, it’s just the lead time that’s tight.'],
  ['tencent', 'The quality of these goods is excellent, but the delivery date is tight.'],
  ['youdao', 'This batch is of unquestionable quality; only the delivery time is tight.'],
] as const;

const CONTACTS = [
  ['Mariana López', 'DeepL', 'es', 'Español'],
  ['佐藤 健太', 'ChatGPT', 'ja', '日本語'],
  ['Ahmed Al-Sayed', 'Google', 'ar', 'العربية'],
  ['Lukas Weber', 'DeepL', 'de', 'Deutsch'],
] as const;

function Channels() {
  const t = useMessages('home');
  return (
    <article className="home-panel home-panel-wide">
      <h3>{t('sixChannels')}</h3>
      <p>
        {t('sourceIs')}
        <span lang="zh">{t('sourceSentence')}</span>
      </p>
      <div className="home-panel-figure">
        <table className="home-channels">
          <tbody>
            {CHANNELS.map(([name, text]) => (
              <tr key={name} className={name === 'DeepL' ? 'active' : ''}>
                <th scope="row">{name === 'tencent' || name === 'youdao' ? t(name) : name}</th>
                <td lang="en">{text}</td>
                <td>{name === 'DeepL' && t('inUse')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </article>
  );
}

// Two-letter names of applications; the first ones are open more than once.
const MANY = ['WA', 'WA', 'WA', 'TG', 'TG', 'LN'];
const ONCE = ['FB', 'IG', 'ZA', 'VB', 'SK', 'TT', 'DC', 'KT', 'X', 'WX', 'TM', '+'];

function Apps() {
  const t = useMessages('home');
  return (
    <article className="home-panel home-panel-medium">
      <h3>{t('appsTitle')}</h3>
      <p>{t('appsLead')}</p>
      <div className="home-panel-figure">
        <div className="home-apps" aria-hidden="true">
          {[...MANY, ...ONCE].map((app, index) => (
            <span key={index} className={index < MANY.length ? 'frequent' : ''}>
              {app}
            </span>
          ))}
        </div>
      </div>
    </article>
  );
}

const WAVE = [
  30, 22, 6, 13, 27, 38, 16, 15, 3, 16, 33, 20, 23, 9, 3, 19, 17, 22, 17, 9, 10, 16, 34, 19, 19, 3, 7, 31, 22, 19, 18,
  3, 13, 35, 29, 25, 7, 8, 23, 38, 36, 16, 4, 7,
];

function Voice() {
  const t = useMessages('home');
  return (
    <article className="home-panel home-panel-narrow">
      <h3>{t('voiceTitle')}</h3>
      <p>{t('voiceLead')}</p>
      <div className="home-panel-figure">
        <div className="home-voice">
          <Pair source={{ text: <Wave bars={WAVE} height={44} width={3} /> }} translation={{ text: t('voiceSaid') }} />
        </div>
      </div>
    </article>
  );
}

function Contacts() {
  const t = useMessages('home');
  return (
    <article className="home-panel home-panel-narrow">
      <h3>{t('contactsTitle')}</h3>
      <p>{t('contactsLead')}</p>
      <div className="home-panel-figure">
        <ul className="home-contact-list">
          {CONTACTS.map(([name, channel, lang, language]) => (
            <li key={name}>
              <b lang={lang === 'ar' ? 'en' : lang}>{name}</b>
              <span>{channel}</span>
              <em lang={lang}>{language}</em>
            </li>
          ))}
        </ul>
      </div>
    </article>
  );
}

// Characters of each team member, and their share in per cent.
const SHARES = [
  ['team1', '360,000', 72],
  ['team2', '240,000', 48],
  ['team3', '150,000', 30],
  ['teamNone', '90,000', 18],
] as const;

function Team() {
  const t = useMessages('home');
  return (
    <article className="home-panel home-panel-narrow">
      <h3>{t('teamTitle')}</h3>
      <p>{t('teamLead')}</p>
      <div className="home-panel-figure">
        <ul className="home-shares numeric">
          {SHARES.map(([name, characters, share]) => (
            <li key={name}>
              <span>{t(name)}</span>
              <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                <path d={`M0 3h${share}`} stroke="currentColor" strokeWidth="6" />
              </svg>
              <b>{characters}</b>
            </li>
          ))}
        </ul>
      </div>
    </article>
  );
}

export function Panels() {
  const t = useMessages('home');
  return (
    <section className="home-section tight">
      <div className="page-width">
        <div className="home-section-head">
          <h2>{t('channelsTitle')}</h2>
          <p>{t('channelsLead')}</p>
        </div>
        <div className="home-panels">
          <Channels />
          <Apps />
          <Voice />
          <Contacts />
          <Team />
        </div>
      </div>
    </section>
  );
}
