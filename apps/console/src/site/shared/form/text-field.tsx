import { useState, type ReactNode } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { useHydrated } from '../use-hydrated.js';
import type { FieldProps } from './use-form.js';

type TextFieldProps = FieldProps & {
  label: ReactNode;
  type?: 'text' | 'email' | 'password';
  placeholder?: string;
  autoComplete: string;
  inputMode?: 'numeric' | 'email';
  maxLength?: number;
  autoFocus?: boolean;
  /** Beside the field, e.g. the button that sends a code. */
  beside?: ReactNode;
  /** What the message line says while nothing else does. */
  hint?: ReactNode;
};

function Eye({ shown, onToggle }: { shown: boolean; onToggle: () => void }) {
  const t = useMessages('shared');
  return (
    <button
      type="button"
      className="close-button password-toggle"
      aria-label={t(shown ? 'hidePassword' : 'showPassword')}
      // The field keeps its focus: leaving it would judge it, and the sign that appears would move the eye away.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onToggle}
    >
      <Icon name={shown ? 'eyeOff' : 'eye'} />
    </button>
  );
}

/** A field that has to be filled in: label, field, and a message line that is always there, so that nothing jumps (DESIGN §4). */
export function TextField(props: TextFieldProps) {
  const { id, name, label, type = 'text', value, verdict, onValue, onBlur, beside, hint, ...input } = props;
  const [shown, setShown] = useState(false);
  const alive = useHydrated();
  const bad = verdict?.kind === 'error';
  // A tick on a password would read as "correct", though only its length was checked.
  const good = verdict?.kind === 'ok' && type !== 'password';
  const control = (
    <span className={`field-input ${bad ? 'invalid' : ''} ${good ? 'valid' : ''}`}>
      <input
        {...input}
        id={id}
        name={name}
        type={type === 'password' && shown ? 'text' : type}
        value={value}
        // What is written before the browser has taken the page over would be lost.
        readOnly={!alive}
        spellCheck={false}
        autoCapitalize="none"
        required
        aria-invalid={bad}
        aria-describedby={`${id}-line`}
        onChange={(event) => onValue(event.target.value)}
        onBlur={onBlur}
      />
      {type === 'password' && <Eye shown={shown} onToggle={() => setShown(!shown)} />}
      {(bad || good) && <Icon name={bad ? 'alert' : 'check'} />}
    </span>
  );
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {beside ? (
        <div className="two-columns">
          {control}
          {beside}
        </div>
      ) : (
        control
      )}
      <p className={`field-hint ${bad ? 'error' : verdict ? 'success' : ''}`} id={`${id}-line`} aria-live="polite">
        {verdict?.text || hint}
      </p>
    </div>
  );
}
