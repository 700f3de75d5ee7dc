import { use } from 'react';
import { copyText } from '../../../shared/clipboard.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { SiteDataContext } from '../../../shared/site/site-data.js';
import { Icon } from '../../../shared/ui/icon.js';
import { nonBreaking } from '../non-breaking.js';
import { Contents, FoldedContents, partId } from './contents.js';
import { addressesOf, type Block, type Doc, type DocPart, type Screen, type ScreenRow, type Shot } from './doc.js';
import { TextBlockView } from './text-block.js';
import './doc.css';

/** Name, address and a copy button. */
function Addresses({ names }: { names: readonly [string, string] }) {
  const t = useMessages('doc');
  const { origin } = use(SiteDataContext);
  const addresses = addressesOf(origin ?? location.origin);
  return (
    <dl className="doc-addresses">
      {names.map((name, index) => {
        const address = addresses[index] ?? '';
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{address}</code>
            </dd>
            <dd>
              <button
                type="button"
                className="button button-text button-small"
                aria-label={t('copyNamed', { name })}
                onClick={(event) => void copyText(address, event.currentTarget)}
              >
                <Icon name="copy" />
                {t('copy')}
              </button>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

type SentencePairProps = Extract<Block, { source: string }>;

function SentencePair({ source, translation, languages }: SentencePairProps) {
  return (
    <span className="sentence-pair">
      <span className="source-text" lang={languages[0]}>
        {source}
      </span>
      <span className="translated-text" lang={languages[1]}>
        {translation}
      </span>
    </span>
  );
}

function Row({ row }: { row: ScreenRow }) {
  if ('button' in row) return <span className="button button-primary product-screen-button">{row.button}</span>;
  if ('fact' in row)
    return (
      <span className="product-screen-fact">
        <span>{row.fact}</span>
        <b>{row.value}</b>
      </span>
    );
  if ('source' in row) return <SentencePair {...row} />;
  if ('moved' in row)
    return (
      <span className="product-screen-change">
        <span>{row.moved}</span>
        <b>{row.by}</b>
        <span className="product-screen-amounts">
          {row.before} → <b>{row.after}</b>
        </span>
      </span>
    );
  return (
    <span className="field product-screen-field">
      <span className="field-label">{row.field}</span>
      <span className="field-input">{row.value}</span>
      <span className="field-hint">{row.hint}</span>
    </span>
  );
}

/** A window of the product rendered as HTML, cropped where the text continues (DESIGN §1: the product, not a picture of it). */
function ProductScreen({ screen: { alt, title, rows } }: { screen: Screen }) {
  return (
    <figure className="product-screen" role="img" aria-label={alt}>
      <span className="product-screen-window">
        <b className="product-screen-title">{title}</b>
        {rows.map((row, index) => (
          <Row key={index} row={row} />
        ))}
      </span>
    </figure>
  );
}

const SIZES = { wide: [1120, 680], phone: [390, 720] } as const;

/** Both themes: the style sheet shows one, and browsers do not load lazy pictures that are hidden. */
function Screenshot({ shot, alt }: { shot: Shot; alt: string }) {
  const from = (theme: string, size: string): string => `/shots/${shot}-${language}-${theme}-${size}.webp`;
  return (
    <figure className="doc-shot">
      {['light', 'dark'].map((theme) => (
        <picture key={theme} className={`doc-shot-${theme}`}>
          <source
            media="(max-width: 600px)"
            srcSet={from(theme, 'phone')}
            width={SIZES.phone[0]}
            height={SIZES.phone[1]}
          />
          <img src={from(theme, 'wide')} width={SIZES.wide[0]} height={SIZES.wide[1]} alt={alt} loading="lazy" />
        </picture>
      ))}
    </figure>
  );
}

function DocBlock({ block }: { block: Block }) {
  if (typeof block === 'object') {
    if ('shot' in block) return <Screenshot {...block} />;
    if ('screen' in block) return <ProductScreen screen={block.screen} />;
    if ('addresses' in block) return <Addresses names={block.addresses} />;
    if ('source' in block)
      return (
        <figure>
          <SentencePair {...block} />
        </figure>
      );
  }
  return <TextBlockView block={block} say={nonBreaking} />;
}

function DocBlocks({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, index) => <DocBlock key={index} block={block} />);
}

type DocPartsProps = {
  parts: readonly DocPart[];
  /** Prefix of the parts' ids: `sub-accounts` → `#sub-accounts-1`. */
  id: string;
  /** One level below the title above. */
  level: 'h2' | 'h3';
};

/** Numbered parts (DESIGN §3). */
export function DocParts({ parts, id, level: Title }: DocPartsProps) {
  return parts.map(({ title, blocks }, index) => (
    <section key={title} className="doc-part" id={partId(id, index)}>
      <Title className="doc-part-title">
        <span className="numeric">{index + 1}</span>
        {title}
      </Title>
      <div className="doc-indent">
        <DocBlocks blocks={blocks} />
      </div>
    </section>
  ));
}

const PARTS = 'part';

/** A page that is one document, titled as in the page table. */
export function DocPage({ title, doc: { lead, updated, parts } }: { title: string; doc: Doc }) {
  return (
    <div className="page-width doc-page">
      <Contents parts={parts} id={PARTS} />
      <article>
        <h1 className="doc-title">{title}</h1>
        <p className="doc-lead">{nonBreaking(lead)}</p>
        {updated && <p className="doc-date">{updated}</p>}
        <FoldedContents>
          {parts.map((part, index) => (
            <a key={part.title} href={`#${partId(PARTS, index)}`}>
              {part.title}
            </a>
          ))}
        </FoldedContents>
        <DocParts parts={parts} id={PARTS} level="h2" />
      </article>
    </div>
  );
}
