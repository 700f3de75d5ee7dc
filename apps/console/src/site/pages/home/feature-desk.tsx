/** Features around a conversation, as the stage shows them. */
import { useMessages } from '../../../shared/i18n/messages.js';
import { Pair } from '../../shared/divider.js';
import { ASKED_IN_JAPANESE, SPANISH } from './samples.js';

const REPLIES = [
  ['/fh', 'reply1', 'Enviado, le paso la guía en breve'],
  ['/yp', 'reply2', 'Las muestras salen en 3 días'],
  ['/fk', 'reply3', '30% de anticipo, saldo antes del envío'],
] as const;

export function QuickReplies() {
  const t = useMessages('home');
  return (
    <div className="fc">
      <b className="fc-t">{t('quickReply')}</b>
      <ul className="ql">
        {REPLIES.map(([short, reply, crossed]) => (
          <li key={short}>
            <kbd>{short}</kbd>
            <span>
              {t(reply)}
              <em lang="es">{crossed}</em>
            </span>
          </li>
        ))}
      </ul>
      <div className="mass">
        <span>{t('massTo')}</span>
        <i className="btn btn-p btn-sm">{t('massSend')}</i>
      </div>
    </div>
  );
}

const CUSTOMER = 'Mariana López';

export function CustomerCard() {
  const t = useMessages('home');
  const facts = [
    [
      'cardLanguage',
      <span key="es" lang={SPANISH.lang}>
        {SPANISH.name}
      </span>,
    ],
    ['cardChannel', 'DeepL'],
    ['cardOwner', t('cardOwnerValue')],
    ['cardNote', t('cardNoteValue')],
  ] as const;
  return (
    <div className="fc">
      <div className="fc-h">
        <b className="fc-t">{CUSTOMER}</b>
        <span className="faint">{t('cardPlace')}</span>
      </div>
      <div className="tgs">
        <span className="tag mov">{t('tag1')}</span>
        <span className="tag add">{t('tag2')}</span>
        <span className="tag">{t('tag3')}</span>
      </div>
      <dl className="ccl">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const ASKED = <span lang="ja">{ASKED_IN_JAPANESE}</span>;

export function DisplaySettings() {
  const t = useMessages('home');
  const ways = [
    ['displayBoth', <Pair key="both" source={{ text: ASKED }} crossed={{ text: t('delivery') }} />],
    ['displayTranslation', t('delivery')],
    ['displaySource', ASKED],
  ] as const;
  return (
    <div className="dsp">
      {ways.map(([name, message], index) => (
        <figure key={name} className={index === 0 ? 'on' : ''}>
          <div className="m wide">{message}</div>
          <figcaption>
            <span className="rad" />
            {t(name)}
          </figcaption>
        </figure>
      ))}
    </div>
  );
}
