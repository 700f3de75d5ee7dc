import { useTexts } from '../../shared/i18n/texts.js';
import { Icon } from '../../shared/ui/icon.js';

// The same sentence as each channel would put it: sample sentences, as the mock-up has them.
const CHANNELS = [
  ['Google', 'The quality of this batch is beyond question, but the delivery time is tight.'],
  ['Microsoft', 'The quality of this shipment is impeccable, but the delivery is tight.'],
  ['DeepL', 'This batch is flawless; the lead time is the only tight spot.'],
  ['ChatGPT', 'Can’t fault the quality of this lot, it’s just the lead time that’s tight.'],
  ['tencent', 'The quality of these goods is excellent, but the delivery date is tight.'],
  ['youdao', 'This batch is of unquestionable quality; only the delivery time is tight.'],
] as const;

const ENTRIES = [
  { type: 'ledgerTranslate', change: '−18', before: '15,000', after: '14,982', look: 'd' },
  { type: 'ledgerInvite', change: '+10,000', before: '5,000', after: '15,000', look: 'u' },
  { type: 'ledgerTrial', change: '+5,000', before: '0', after: '5,000', look: 'u' },
] as const;

const CONTACTS = [
  ['Mariana López', 'DeepL', 'es', 'Español'],
  ['佐藤 健太', 'ChatGPT', 'ja', '日本語'],
  ['Ahmed Al-Sayed', 'Google', 'ar', 'العربية'],
  ['Lukas Weber', 'DeepL', 'de', 'Deutsch'],
] as const;

function Channels() {
  const t = useTexts('home');
  return (
    <article className="p p7">
      <h3>{t('sixChannels')}</h3>
      <p>{t('sourceSentence')}</p>
      <div className="fig">
        <table className="chan">
          <tbody>
            {CHANNELS.map(([name, text]) => (
              <tr key={name} className={name === 'DeepL' ? 'on' : ''}>
                <td>{name === 'tencent' || name === 'youdao' ? t(name) : name}</td>
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

function Ledger() {
  const t = useTexts('home');
  return (
    <article className="p p12 wide">
      <div>
        <h3>{t('ledgerTitle')}</h3>
        <p>{t('ledgerLead')}</p>
      </div>
      <div className="fig">
        <ul className="led num">
          {ENTRIES.map(({ type, change, before, after, look }) => (
            <li key={type}>
              <span>{t(type)}</span>
              <b className={look}>{change}</b>
              <span className="ba">
                {before}
                <Icon name="forward" />
                <b>{after}</b>
              </span>
            </li>
          ))}
        </ul>
      </div>
    </article>
  );
}

function Contacts() {
  const t = useTexts('home');
  return (
    <article className="p p5">
      <h3>{t('contactsTitle')}</h3>
      <p>{t('contactsLead')}</p>
      <div className="fig">
        <ul className="cl">
          {CONTACTS.map(([name, channel, lang, language]) => (
            <li key={name}>
              <b>{name}</b>
              <span>{channel}</span>
              <em lang={lang}>{language}</em>
            </li>
          ))}
        </ul>
      </div>
    </article>
  );
}

export function Panels() {
  const t = useTexts('home');
  return (
    <section className="sec">
      <div className="wrap">
        <div className="sh">
          <h2>{t('channelsTitle')}</h2>
          <p>{t('channelsLead')}</p>
        </div>
        <div className="pn">
          <Channels />
          <Contacts />
          <Ledger />
        </div>
      </div>
    </section>
  );
}
