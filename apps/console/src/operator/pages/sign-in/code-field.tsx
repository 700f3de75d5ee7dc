import { useId } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';

const DIGITS = 6;

/** Less than all digits would only count as a failure. */
export const isWholeCode = (code: string): boolean => code.length === DIGITS;

type CodeFieldProps = {
  value: string;
  onChange: (value: string) => void;
  /** Called once all digits are there. */
  onFull: (code: string) => void;
  error: string | null;
  hint?: string;
  disabled?: boolean;
};

/** Six cells that are one field, so that phones and password managers can fill it. */
export function CodeField({ value, onChange, onFull, error, hint, disabled = false }: CodeFieldProps) {
  const t = useMessages('sign-in');
  const id = useId();
  const type = (typed: string): void => {
    const code = typed.replaceAll(/\D/g, '').slice(0, DIGITS);
    if (code === value) return;
    onChange(code);
    if (isWholeCode(code)) onFull(code);
  };
  return (
    <div className="code-field">
      <div className={error === null ? 'code-cells' : 'code-cells invalid'}>
        <input
          className="numeric"
          value={value}
          onChange={({ target }) => type(target.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          aria-label={t('code')}
          aria-describedby={id}
          aria-invalid={error !== null}
          readOnly={disabled}
        />
        {Array.from({ length: DIGITS }, (_, at) => (
          <span key={at} className={at === value.length ? 'current' : undefined} aria-hidden="true">
            {value[at]}
          </span>
        ))}
      </div>
      <p
        id={id}
        className={error === null ? 'field-hint' : 'field-hint error'}
        role={error === null ? undefined : 'alert'}
      >
        {error === null ? (
          hint
        ) : (
          <>
            <Icon name="alert" />
            {error}
          </>
        )}
      </p>
    </div>
  );
}
