import { createContext, Fragment, type ReactNode, use, useState } from 'react';
import { copyText } from '../../../shared/clipboard.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { SiteDataContext } from '../../../shared/site/site-data.js';
import { Icon } from '../../../shared/ui/icon.js';
import { TextBlockView } from '../../shared/doc/text-block.js';
import { nonBreaking } from '../../shared/non-breaking.js';
import { CALLS, CODE_LANGUAGES, CODE_NAMES, type CallName, type CodeLanguage, exampleOf } from './calls.js';
import type { DevBlock } from './dev-doc.js';
import { TryIt } from './try-it.js';

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
  const [chosen, choose] = useState<CodeLanguage>('curl');
  return <ChoiceContext value={{ chosen, choose }}>{children}</ChoiceContext>;
}

/** A call in four languages. All are in the document: without scripts they stand below one another. */
function Call({ name }: { name: CallName }) {
  const t = useMessages('developers');
  const origin = useOrigin();
  const { chosen, choose } = use(ChoiceContext);
  const { method, path } = CALLS[name];
  return (
    <div className="dev-call">
      <div className="dev-call-head">
        <code>
          <b>{method}</b> {path}
        </code>
        <span className="dev-languages" role="group" aria-label={t('language')}>
          {CODE_LANGUAGES.map((each) => (
            <button key={each} type="button" aria-pressed={each === chosen} onClick={() => choose(each)}>
              {CODE_NAMES[each]}
            </button>
          ))}
        </span>
      </div>
      {CODE_LANGUAGES.map((each) => (
        <div key={each} className={each === chosen ? undefined : 'dev-off'}>
          <Code
            isNamed
            code={exampleOf(each, origin, CALLS[name])}
            name={t('example', { language: CODE_NAMES[each] })}
          />
        </div>
      ))}
    </div>
  );
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

type BlockProps = { block: DevBlock; title: string };

export function DevBlockView({ block, title }: BlockProps) {
  const origin = useOrigin();
  if (typeof block === 'object') {
    if ('heading' in block) return <h3 className="dev-heading">{block.heading}</h3>;
    if ('call' in block) return <Call name={block.call} />;
    if ('code' in block) return <Code code={block.code.replaceAll('{{origin}}', origin)} name={block.name} />;
    if ('rows' in block) return <DevTable table={block} title={title} />;
    if ('tryIt' in block) return <TryIt />;
  }
  return <TextBlockView block={block} say={rich} />;
}
