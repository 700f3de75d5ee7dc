import { codePoints, hasVisible } from '@yiqiao/domain/members';
import { TRY_TEXT_MAX } from '@yiqiao/domain/limits';
import { use, useEffect, useId, useRef, useState, type RefObject } from 'react';
import { grouped } from '../../../../shared/amounts.js';
import { rememberReturnPath } from '../../../../shared/auth/return-path.js';
import { useSignedIn } from '../../../../shared/auth/stored-user.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { SiteDataContext } from '../../../../shared/site/site-data.js';
import { keepTriedSentence } from '../../../../shared/tried-sentence.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { useInvited } from '../../../shared/invite.js';
import { useLoaded } from '../../../shared/use-loaded.js';
import { Answers, useAnnouncement } from './answers.js';
import {
  type Direction,
  EXAMPLES_IN,
  fitting,
  from,
  INITIAL,
  languageName,
  loadDirections,
  sourcesOf,
  targetsOf,
} from './direction.js';
import { useFieldText, useTry } from './use-try.js';
import './try.css';

const TEST = '/UserCenterChangeTranslateTest';
/** Above the address of the section that explains glossary and translation memory. */
const MEMORY = '/productDesc/xgmm';
const EXAMPLES = ['example1', 'example2', 'example3'] as const;

type LanguageSelectProps = { label: string; codes: readonly string[]; code: string; onChange: (code: string) => void };

function LanguageSelect({ label, codes, code, onChange }: LanguageSelectProps) {
  return (
    <select className="try-select" aria-label={label} value={code} onChange={({ target }) => onChange(target.value)}>
      {codes.map((each) => (
        <option key={each} value={each}>
          {languageName(each)}
        </option>
      ))}
    </select>
  );
}

/** Leads to all channels: the translation test, through registration for a visitor, with the sentence. */
function More({ text, direction }: { text: string; direction: Direction }) {
  const t = useMessages('try');
  const signedIn = useSignedIn();
  const invited = useInvited();
  const keep = (): void => {
    if (hasVisible(text)) keepTriedSentence({ ...direction, text });
    if (!signedIn) rememberReturnPath(TEST);
  };
  return (
    <a className="button button-default" href={signedIn ? TEST : invited('/login?type=2')} onClick={keep}>
      {t(signedIn ? 'test' : 'signUp')}
    </a>
  );
}

/** What is below the answers: the price's unit, the way on, and what members have besides. */
function Foot({ text, direction }: { text: string; direction: Direction }) {
  const t = useMessages('try');
  const invited = useInvited();
  const { trial } = use(SiteDataContext);
  return (
    <div className="try-foot">
      <div>
        <More text={text} direction={direction} />
        <p className="faint">{trial ? t('costNoteTrial', { n: grouped(trial.charNum) }) : t('costNote')}</p>
      </div>
      <p className="muted">
        <b>{t('memoryTitle')}</b>
        {t('memory')}{' '}
        <a className="link" href={invited(MEMORY)}>
          {t('memoryLink')}
        </a>
      </p>
    </div>
  );
}

/** Enter sends the sentence, unless it confirms an input method's choice; Shift and Enter begin a line. */
function useEnter(field: RefObject<HTMLTextAreaElement | null>, form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = field.current;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.current?.requestSubmit();
    };
    element?.addEventListener('keydown', onKey);
    return () => element?.removeEventListener('keydown', onKey);
  }, [field, form]);
}

/** Everything but the text field, which belongs to the page. */
export function TryPanel({ field }: { field: RefObject<HTMLTextAreaElement | null> }) {
  const t = useMessages('try');
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useFieldText(field);
  const { loaded } = useLoaded(loadDirections);
  const directions = loaded.state === 'ready' && loaded.value.length > 0 ? loaded.value : [INITIAL];
  const [chosen, setChosen] = useState<Direction | null>(null);
  const [isEmpty, setEmpty] = useState(false);
  const { outcome, ask } = useTry();
  useEnter(field, form);

  const preferred = chosen ?? INITIAL;
  const possible = from(directions, preferred.source, preferred.target) ?? directions[0] ?? INITIAL;
  const direction = fitting(possible, text, directions);
  const length = codePoints(text);
  const over = length - TRY_TEXT_MAX;
  const busy = outcome.state === 'busy';
  const isCurrent =
    outcome.state === 'done' &&
    outcome.text === text &&
    outcome.direction.source === direction.source &&
    outcome.direction.target === direction.target;
  const tried = isCurrent ? outcome.tried : null;
  const announcement = useAnnouncement(tried);

  useEffect(() => {
    field.current?.setAttribute('aria-describedby', `${id}-hint`);
    field.current?.setAttribute('aria-invalid', String(over > 0));
  }, [field, id, over]);

  const send = (sentence: string, way: Direction): void => {
    const hasText = hasVisible(sentence);
    setEmpty(!hasText);
    if (hasText && codePoints(sentence) <= TRY_TEXT_MAX) void ask(sentence, way);
    else field.current?.focus();
  };
  const sendExample = (sentence: string): void => {
    const way = from(directions, EXAMPLES_IN, direction.target) ?? direction;
    setText(sentence);
    setChosen(way);
    send(sentence, way);
  };
  const hint =
    over > 0
      ? t('tooLong', { n: grouped(over), max: TRY_TEXT_MAX })
      : isEmpty && !hasVisible(text)
        ? t('emptyText')
        : '';

  return (
    <>
      <form
        ref={form}
        className="try-controls"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send(text, direction);
        }}
      >
        <div className="try-languages">
          <LanguageSelect
            label={t('source')}
            codes={sourcesOf(directions)}
            code={direction.source}
            onChange={(source) => setChosen(from(directions, source, direction.target))}
          />
          <Icon name="forward" />
          <LanguageSelect
            label={t('target')}
            codes={targetsOf(directions, direction.source)}
            code={direction.target}
            onChange={(target) => setChosen({ source: direction.source, target })}
          />
        </div>
        <span className={over > 0 ? 'try-counter numeric over' : 'try-counter numeric'} aria-hidden="true">
          {t('counter', { n: grouped(length), max: TRY_TEXT_MAX })}
        </span>
        <button type="submit" className="button button-primary" aria-busy={busy} aria-disabled={busy}>
          {busy && <span className="spin" aria-hidden="true" />}
          {t(busy ? 'busy' : 'translate')}
        </button>
      </form>
      <p className="try-hint" id={`${id}-hint`} aria-live="polite">
        {hint}
      </p>
      <div className="try-examples" role="group" aria-label={t('examples')}>
        <span aria-hidden="true">{t('examples')}</span>
        {EXAMPLES.map((example) => (
          <button key={example} type="button" lang={EXAMPLES_IN} onClick={() => sendExample(t(example))}>
            {t(example)}
          </button>
        ))}
      </div>
      {outcome.state === 'refused' && (
        <p className="note warning try-refused" role="alert">
          <Icon name="alert" />
          {outcome.why}
        </p>
      )}
      <p className="visually-hidden" role="status">
        {busy ? t('busy') : announcement}
      </p>
      <Answers tried={tried} busy={busy} />
      <Foot text={text} direction={direction} />
    </>
  );
}

export type TryPanelType = typeof TryPanel;
