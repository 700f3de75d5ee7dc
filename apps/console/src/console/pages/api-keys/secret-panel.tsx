import { useId } from 'react';
import { copyText } from '../../../shared/clipboard.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { type ApiKey, commandFor, immersiveAddress } from './key.js';

type CopyableProps = { label: string; copyLabel: string; text: string };

function Copyable({ label, copyLabel, text }: CopyableProps) {
  const t = useMessages('api-keys');
  const id = useId();
  return (
    <div className="ak-copyable">
      <b id={id}>{label}</b>
      <div>
        <pre role="group" aria-labelledby={id}>
          <code>{text}</code>
        </pre>
        <button
          type="button"
          className="button button-default button-small"
          aria-label={copyLabel}
          onClick={(event) => void copyText(text, event.currentTarget)}
        >
          <Icon name="copy" />
          {t('copy')}
        </button>
      </div>
    </div>
  );
}

/** A new secret, shown this once, and a command that uses it. */
export function SecretPanel({ apiKey, secret }: { apiKey: ApiKey; secret: string }) {
  const t = useMessages('api-keys');
  const { origin } = location;
  const isUrl = apiKey.kind === 'url';
  return (
    <div className="ak-secret">
      <p className="note warning" role="status">
        <Icon name="alert" />
        <span>{t(isUrl ? 'secretOnceUrl' : 'secretOnce')}</span>
      </p>
      {isUrl ? (
        <Copyable label={t('addressField')} copyLabel={t('copyAddress')} text={immersiveAddress(origin, secret)} />
      ) : (
        <Copyable label={t('secretField')} copyLabel={t('copySecret')} text={secret} />
      )}
      <Copyable
        label={t('tryNow')}
        copyLabel={t('copyCommand')}
        text={commandFor(apiKey, secret, origin, t('sample'))}
      />
      <p className="faint">
        {t('tryNowWhy')}{' '}
        <a className="link" href="/developers" target="_blank" rel="noopener">
          {t('moreDocs')}
        </a>
      </p>
    </div>
  );
}
