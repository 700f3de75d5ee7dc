/**
 * A form of text fields: rules on blur and on submit (specification §5), questions to the server for fields that have
 * them, the server's answers put at their fields, one submission at a time.
 */
import { accountFieldMessages, type AccountFieldCode } from '@yiqiao/contracts/account-field-messages';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { ApiError, messageOf } from '../../../shared/api/api-error.js';
import type { Rule } from '../../../shared/form/rules.js';
import { language } from '../../../shared/i18n/language.js';
import { afterPress } from '../../../shared/ui/after-press.js';

export type FieldSpec = {
  rule: Rule<AccountFieldCode>;
  /** Asked once the rule holds; answers what is wrong, or null. Failures of the question itself are left to the submission. */
  ask?: (value: string) => Promise<AccountFieldCode | null>;
  /** What the message line says when all is well. */
  ok?: string;
  /** A field that is judged again with this one, once it has been judged: the repeated password. */
  also?: string;
};

export type Verdict = { kind: 'error' | 'ok'; text: string };
type Known = { value: string; code: AccountFieldCode | null };

const sentenceOf = (code: AccountFieldCode): string => accountFieldMessages[code][language];

/** Questions follow typing after a pause, so that the button which needs the answer wakes up in time. */
const PAUSE_MS = 400;

export function useForm<N extends string>(specs: Record<N, FieldSpec>, initial: Partial<Record<N, string>> = {}) {
  const names = Object.keys(specs) as N[];
  const id = useId();
  const [values, setValues] = useState(
    () => Object.fromEntries(names.map((name) => [name, initial[name] ?? ''])) as Record<N, string>,
  );
  const [verdicts, setVerdicts] = useState<Partial<Record<N, Verdict>>>({});
  const [message, setMessage] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submitting = useRef(false);
  const latest = useRef(values);
  const asked = useRef(new Map<N, Known>());
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);

  const judge = (name: N, verdict: Verdict | undefined): void =>
    setVerdicts((before) => ({ ...before, [name]: verdict }));
  const wrong = (name: N, text: string): void => judge(name, { kind: 'error', text });

  /** Whether the field is right; says why not below it. */
  async function check(name: N): Promise<boolean> {
    const value = latest.current[name];
    const { rule, ask, ok } = specs[name];
    let code = rule(value, latest.current);
    if (code === null && ask) {
      let known = asked.current.get(name);
      if (known?.value !== value) {
        try {
          known = { value, code: await ask(value) };
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          return true;
        }
        if (latest.current[name] !== value) return false; // typed on meanwhile: this answer is about something else
        asked.current.set(name, known);
      }
      code = known.code;
    }
    judge(name, code === null ? { kind: 'ok', text: ok ?? '' } : { kind: 'error', text: sentenceOf(code) });
    return code === null;
  }

  function change(name: N, value: string): void {
    latest.current = { ...latest.current, [name]: value };
    setValues(latest.current);
    judge(name, undefined);
    setMessage(null);
    clearTimeout(pause.current);
    if (specs[name].ask && specs[name].rule(value, latest.current) === null)
      pause.current = setTimeout(() => void check(name), PAUSE_MS);
  }

  const focus = (name: N): void => document.getElementById(`${id}-${name}`)?.focus();

  /** Puts a refusal where it belongs: at the fields it names, else above the button. */
  function fail(error: unknown, fieldOf: Partial<Record<string, N>> = {}): void {
    const text = messageOf(error);
    if (text === null || !(error instanceof ApiError)) return;
    const at = error.errors.filter((e): e is typeof e & { path: N } => names.some((name) => name === e.path));
    const byCode = fieldOf[error.code];
    for (const { path, msg } of at) wrong(path, msg);
    if (at.length === 0 && byCode !== undefined) wrong(byCode, text);
    const first = names.find((name) => at.some(({ path }) => path === name)) ?? (at.length === 0 ? byCode : undefined);
    if (first !== undefined) focus(first);
    else setMessage(text);
  }

  /** Checks everything, goes to the first field that is wrong, or hands the values over; never twice at a time. */
  const onSubmit = (send: (values: Record<N, string>) => Promise<void>) => async (event: FormEvent) => {
    event.preventDefault();
    if (submitting.current) return;
    submitting.current = true;
    setBusy(true);
    setMessage(null);
    try {
      const right = await Promise.all(names.map(check));
      const firstWrong = names[right.indexOf(false)];
      if (firstWrong === undefined) await send(latest.current);
      else focus(firstWrong);
    } finally {
      submitting.current = false;
      setBusy(false);
    }
  };

  function leave(name: N): void {
    clearTimeout(pause.current);
    void check(name);
    const also = names.find((other) => other === specs[name].also);
    if (also !== undefined && verdicts[also]) void check(also);
  }

  const field = (name: N) => ({
    id: `${id}-${name}`,
    name,
    value: values[name],
    verdict: verdicts[name],
    onValue: (value: string) => change(name, value),
    onBlur: () => afterPress(() => leave(name)),
  });

  return {
    values,
    message,
    busy,
    field,
    check,
    fail,
    focus,
    /** Says something good below a field. */
    praise: (name: N, text: string) => judge(name, { kind: 'ok', text }),
    onSubmit,
    isOk: (name: N) => verdicts[name]?.kind === 'ok',
  };
}

export type FieldProps = ReturnType<ReturnType<typeof useForm>['field']>;
