import { hasVisible } from '@yiqiao/domain/members';
import { CLIENT_TIMEOUT_MS } from '@yiqiao/domain/limits';
import { type FormEvent, useId, useRef, useState } from 'react';
import { grouped } from '../../../../shared/amounts.js';
import { language } from '../../../../shared/i18n/language.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { FormMessage, SubmitButton } from '../../../shared/form/submit-button.js';

/** Languages that sellers ask for most; the page is no place for all of them. */
const TARGETS = ['en', 'zh-Hans', 'es', 'pt', 'ru', 'ja', 'ko', 'ar', 'fr', 'de', 'th', 'vi'] as const;
const names = new Intl.DisplayNames([language], { type: 'language' });

/** What came back, as it was written. */
type Answer = { status: number; ms: number; body: string };

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch (cause) {
    if (cause instanceof SyntaxError) return text; // a proxy's page
    throw cause;
  }
};

/** Without the session: the key alone decides. */
async function sendTo(path: string, key: string, body: object): Promise<Answer> {
  const begun = performance.now();
  const response = await fetch(path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Accept-Language': language,
    },
    body: JSON.stringify(body),
    credentials: 'omit',
    cache: 'no-store',
    signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
  });
  const text = await response.text();
  return { status: response.status, ms: Math.round(performance.now() - begun), body: pretty(text) };
}

type Wrong = { key?: 'keyRequired' | 'keyUrl'; text?: 'textRequired' };

const judge = (key: string, text: string): Wrong => ({
  ...(key === '' ? { key: 'keyRequired' } : key.startsWith('yqu_') ? { key: 'keyUrl' } : {}),
  ...(hasVisible(text) ? {} : { text: 'textRequired' }),
});

/** Sends a real request with the member's own key, which is kept nowhere but in this component. */
export function TryForm() {
  const t = useMessages('try-api');
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [key, setKey] = useState('');
  const [text, setText] = useState<string>(t('sample'));
  const [target, setTarget] = useState<string>(language === 'zh' ? 'en' : 'zh-Hans');
  const [wrong, setWrong] = useState<Wrong>({});
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [failed, setFailed] = useState(false);

  const send = async (): Promise<void> => {
    setBusy(true);
    setFailed(false);
    try {
      setAnswer(await sendTo('/v1/translate', key.trim(), { text, target }));
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error; // fetch has no others
      setAnswer(null);
      setFailed(true);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    const found = judge(key.trim(), text);
    setWrong(found);
    const first = found.key ? 'key' : found.text ? 'text' : null;
    if (first === null) void send();
    else form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
  };
  const fieldOf = (name: 'key' | 'text') => ({
    name,
    id: `${id}-${name}`,
    'aria-invalid': wrong[name] !== undefined,
    'aria-describedby': `${id}-${name}-hint`,
  });

  return (
    <form ref={form} className="dev-try" noValidate autoComplete="off" onSubmit={submit}>
      <div className="field">
        <label className="field-label" htmlFor={`${id}-key`}>
          {t('key')}
        </label>
        <div className={wrong.key ? 'field-input invalid' : 'field-input'}>
          <input
            {...fieldOf('key')}
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder={t('keyExample')}
            value={key}
            onChange={({ target: { value } }) => setKey(value)}
          />
        </div>
        <p className={wrong.key ? 'field-hint error' : 'field-hint'} id={`${id}-key-hint`}>
          {wrong.key ? (
            t(wrong.key)
          ) : (
            <span>
              {t('keyHint')}{' '}
              <a className="link" href="/UserCenterApiKeys">
                {t('keyLink')}
              </a>
            </span>
          )}
        </p>
      </div>
      <div className="field">
        <label className="field-label" htmlFor={`${id}-text`}>
          {t('text')}
        </label>
        <textarea
          {...fieldOf('text')}
          rows={3}
          className={wrong.text ? 'dev-text invalid' : 'dev-text'}
          value={text}
          onChange={({ target: { value } }) => setText(value)}
        />
        <p className="field-hint error" id={`${id}-text-hint`}>
          {wrong.text && t(wrong.text)}
        </p>
      </div>
      <div className="dev-try-send">
        <label htmlFor={`${id}-target`}>{t('target')}</label>
        <select id={`${id}-target`} value={target} onChange={({ target: { value } }) => setTarget(value)}>
          {TARGETS.map((code) => (
            <option key={code} value={code}>
              {names.of(code)}
            </option>
          ))}
        </select>
        <SubmitButton busy={busy}>{t(busy ? 'sending' : 'send')}</SubmitButton>
      </div>
      <p className="dev-cost faint">{t('costNote')}</p>
      <FormMessage text={failed ? t('notReached') : null} />
      <div role="status">
        {answer && (
          <>
            <p className="numeric">{t('status', { status: answer.status, ms: grouped(answer.ms) })}</p>
            <pre className="dev-answer" tabIndex={0} aria-label={t('answer')}>
              <code>{answer.body}</code>
            </pre>
          </>
        )}
      </div>
    </form>
  );
}
