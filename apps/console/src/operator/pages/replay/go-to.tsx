import { useId, useRef, useState, type FormEvent, type RefObject } from 'react';
import { ApiError } from '../../../shared/api/api-error.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';

export type Destination = { at: string } | { seq: number } | { cmdId: string };

const DIGITS = /^#?([\d,]{1,18})$/;
const TIME = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?)?$/;
const COMMAND = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What somebody typed to go to: a number, a time (a day begins at midnight), a command. */
export function destinationOf(text: string): Destination | null {
  const typed = text.trim();
  const [, digits] = DIGITS.exec(typed) ?? [];
  if (digits !== undefined) return { seq: Number(digits.replaceAll(',', '')) };
  const [, day, minute = '00:00', second = ':00'] = TIME.exec(typed) ?? [];
  if (day !== undefined) return { at: `${day} ${minute}${second}` };
  return COMMAND.test(typed) ? { cmdId: typed.toLowerCase() } : null;
}

type GoToProps = {
  field: RefObject<HTMLInputElement | null>;
  hint: string;
  /** Returns why it does not go there; null once it is there. */
  onGo: (to: Destination) => Promise<string | null>;
};

/** The field that `G` leads to. */
export function GoTo({ field, hint, onGo }: GoToProps) {
  const t = useMessages('replay');
  const [refusal, setRefusal] = useState<string | null>(null);
  const id = useId();
  const asked = useRef(0);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const input = field.current;
    const to = destinationOf(input?.value ?? '');
    setRefusal(to ? null : t('goToWrong'));
    if (!to) return;
    const turn = ++asked.current;
    try {
      const refused = await onGo(to);
      if (turn !== asked.current || !input) return;
      setRefusal(refused);
      if (refused !== null) return;
      input.value = '';
      input.blur();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefusal(error.code === 'NOT_FOUND' ? t('findNothing') : error.message);
    }
  };
  return (
    <form className="goto" onSubmit={(event) => void submit(event)}>
      <span className="inp sm">
        <Icon name="search" />
        <input
          ref={field}
          placeholder={hint}
          aria-label={t('goTo')}
          aria-describedby={refusal === null ? undefined : id}
          aria-invalid={refusal !== null}
          onChange={() => setRefusal(null)}
        />
        <kbd aria-hidden="true">{t('keyG')}</kbd>
      </span>
      {refusal !== null && (
        <p id={id} className="refusal" role="alert">
          {refusal}
        </p>
      )}
    </form>
  );
}
