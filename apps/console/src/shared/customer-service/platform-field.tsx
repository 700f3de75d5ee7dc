import { useLoaded } from '../api/use-loaded.js';
import type { FieldProps } from '../form/use-form.js';
import { useMessages } from '../i18n/messages.js';
import { Icon } from '../ui/icon.js';
import { platformName } from './platform-name.js';
import { listPlatforms } from './service.js';

/** What the line below says: a wrong answer, or why there is nothing to choose from and what can be done about it. */
function Line({ text, onReload }: { text: string | null; onReload: (() => void) | null }) {
  const t = useMessages('customer-service');
  const reload = useMessages('shared')('reload');
  if (!onReload) return text;
  return (
    <>
      {t('platformsFailed')}
      <button type="button" className="link" onClick={onReload}>
        {reload}
      </button>
    </>
  );
}

/** Where the account is from. The choice stands even while the platforms are on their way, and says so. */
export function PlatformField({ id, value, verdict, onValue, onBlur }: FieldProps) {
  const t = useMessages('customer-service');
  const wait = useMessages('shared')('loading');
  const { loaded, reload } = useLoaded(listPlatforms);
  const failed = loaded.state === 'failed';
  const bad = verdict?.kind === 'error';
  return (
    <div className="fld">
      <label className="lb" htmlFor={id}>
        {t('platform')}
      </label>
      <span className={`inp cs-sel ${bad || failed ? 'err' : ''}`}>
        <select
          id={id}
          data-first
          value={value}
          required
          aria-invalid={bad}
          aria-describedby={`${id}-line`}
          onChange={(event) => onValue(event.target.value)}
          onBlur={onBlur}
        >
          <option value="">{loaded.state === 'loading' ? wait : t('choosePlatform')}</option>
          {loaded.state === 'ready' &&
            loaded.value.map((platform) => (
              <option key={platform} value={platform}>
                {platformName(platform)}
              </option>
            ))}
        </select>
        <Icon name="down" />
      </span>
      <p className={bad || failed ? 'hint e' : 'hint'} id={`${id}-line`} aria-live="polite">
        <Line text={bad ? verdict.text : null} onReload={failed ? reload : null} />
      </p>
    </div>
  );
}
