import {
  createContext,
  Fragment,
  memo,
  type ReactNode,
  startTransition,
  Suspense,
  use,
  useMemo,
  useState,
} from 'react';
import { copyText } from '../../../shared/clipboard.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { SiteDataContext } from '../../../shared/site/site-data.js';
import { Icon } from '../../../shared/ui/icon.js';
import { TextBlockView } from '../../shared/doc/text-block.js';
import { nonBreaking } from '../../shared/non-breaking.js';
import { CALLS, CODE_LANGUAGES, CODE_NAMES, type CallName, type CodeLanguage, exampleOf } from './calls.js';
import type { DevBlock } from './dev-doc.js';
import { TryIt } from './try-it.js';
import { webhookBlocks } from './webhooks/load.js';

/** The address of this site, the same on the server and in the browser. */
const useOrigin = (): string => {
  const { origin } = use(SiteDataContext);
  return origin ?? location.origin;
};

/** A text with `code` in it. */
const rich = (text: string): ReactNode =>
  text
    .split('`')
    .map((piece, index) => (
      <Fragment key={index}>{index % 2 === 1 ? <code>{piece}</code> : nonBreaking(piece)}</Fragment>
    ));

type CodeProps = {
  code: string;
  name: string;
  /** Whether something above it says what it is. */
  isNamed?: boolean;
};

/** Code that scrolls sideways by itself, with a button to copy it. */
function Code({ code, name, isNamed = false }: CodeProps) {
  const t = useMessages('developers');
  return (
    <figure className="dev-code">
      {!isNamed && <figcaption>{name}</figcaption>}
      <pre tabIndex={0} aria-label={name}>
        <code>{code}</code>
      </pre>
      <button
        type="button"
        className="button button-text button-small"
        aria-label={t('copyNamed', { name })}
        onClick={(event) => void copyText(code, event.currentTarget)}
      >
        <Icon name="copy" />
        {t('copy')}
      </button>
    </figure>
  );
}

type Choice = { chosen: CodeLanguage; choose: (language: CodeLanguage) => void };
const ChoiceContext = createContext<Choice>({ chosen: 'curl', choose: () => undefined });

/** All examples of the page are in one language, which each of them can change. */
export function CodeLanguageChoice({ children }: { children: ReactNode }) {
  const [chosen, setChosen] = useState<CodeLanguage>('curl');
  // A transition waits for parts that are not hydrated yet; anything else would render them from scratch.
  const choice = useMemo(
    () => ({ chosen, choose: (next: CodeLanguage) => startTransition(() => setChosen(next)) }),
    [chosen],
  );
  return <ChoiceContext value={choice}>{children}</ChoiceContext>;
}

type CodesProps = { title: ReactNode; codes: Readonly<Partial<Record<CodeLanguage, string>>> };

/** The same in several languages. All are in the document: without scripts they stand below one another. */
function Codes({ title, codes }: CodesProps) {
  const t = useMessages('developers');
  const { chosen, choose } = use(ChoiceContext);
  const languages = CODE_LANGUAGES.filter((each) => codes[each] !== undefined);
  const shown = languages.includes(chosen) ? chosen : languages[0];
  return (
    <div className="dev-call">
      <div className="dev-call-head">
        {title}
        <span className="dev-languages" role="group" aria-label={t('language')}>
          {languages.map((each) => (
            <button key={each} type="button" aria-pressed={each === shown} onClick={() => choose(each)}>
              {CODE_NAMES[each]}
            </button>
          ))}
        </span>
      </div>
      {languages.map((each) => (
        <div key={each} className={each === shown ? undefined : 'dev-off'}>
          <Code isNamed code={codes[each] ?? ''} name={t('example', { language: CODE_NAMES[each] })} />
        </div>
      ))}
    </div>
  );
}

function Call({ name }: { name: CallName }) {
  const origin = useOrigin();
  const call = CALLS[name];
  const title = (
    <code>
      <b>{call.method}</b> {call.path}
    </code>
  );
  const codes = Object.fromEntries(CODE_LANGUAGES.map((each) => [each, exampleOf(each, origin, call)]));
  return <Codes title={title} codes={codes} />;
}

type Table = Extract<DevBlock, { rows: unknown }>;

function DevTable({ table: { head, rows }, title }: { table: Table; title: string }) {
  const t = useMessages('developers');
  return (
    <div className="dev-scroll" role="region" aria-label={t('tableLabel', { title })} tabIndex={0}>
      <table className="dev-table">
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {rich(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join(' ')}>
              {row.map((cell, column) => (
                <td key={column}>{rich(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function WebhookBlocks({ title }: { title: string }) {
  const t = useMessages('developers');
  const coming = webhookBlocks();
  const blocks = coming instanceof Promise ? use(coming) : coming;
  if (!blocks) return <p role="alert">{t('webhooksFailed')}</p>;
  return blocks.map((block, at) => <DevBlockView key={at} block={block} title={title} />);
}

/** Memoized: a change from above would render it from scratch as long as it is not hydrated. */
const Webhooks = memo(function Webhooks({ title }: { title: string }) {
  const t = useMessages('developers');
  return (
    <Suspense fallback={<p role="status">{t('waitWebhooks')}</p>}>
      <WebhookBlocks title={title} />
    </Suspense>
  );
});

type BlockProps = { block: DevBlock; title: string };

export function DevBlockView({ block, title }: BlockProps) {
  const origin = useOrigin();
  if (typeof block === 'object') {
    if ('heading' in block) return <h3 className="dev-heading">{block.heading}</h3>;
    if ('call' in block) return <Call name={block.call} />;
    if ('code' in block) return <Code code={block.code.replaceAll('{{origin}}', origin)} name={block.name} />;
    if ('codes' in block) return <Codes title={<b>{block.title}</b>} codes={block.codes} />;
    if ('rows' in block) return <DevTable table={block} title={block.title ?? title} />;
    if ('webhooks' in block) return <Webhooks title={title} />;
    if ('tryIt' in block) return <TryIt />;
  }
  return <TextBlockView block={block} say={rich} />;
}
