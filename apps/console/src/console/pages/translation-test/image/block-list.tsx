import { Button } from 'antd';
import { copyText } from '../../../../shared/clipboard.js';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { AUTO, type Direction } from '../abilities.js';
import type { Block } from './translate-picture.js';

type BlockListProps = {
  blocks: readonly Block[];
  /** The whole of what has crossed. */
  all: string;
  direction: Direction;
  chosen: number | null;
  onChoose: (index: number | null) => void;
  /** The id of each line begins with it. */
  idPrefix: string;
};

/** What was read and what became of it, block by block; each shows its place in both pictures. */
export function BlockList({ blocks, all, direction, chosen, onChoose, idPrefix }: BlockListProps) {
  const t = useTexts('image');
  const { source, target } = direction;
  return (
    <section className="im-blocks" aria-label={t('blocks')}>
      <header>
        <b>{t('blocks')}</b>
        <small>{t('blocksNote')}</small>
        <Button size="small" onClick={({ currentTarget }) => void copyText(all, currentTarget)}>
          <Icon name="copy" />
          {t('copyAll')}
        </Button>
      </header>
      <ol>
        {blocks.map(({ text, translated }, index) => (
          <li
            key={index}
            id={`${idPrefix}${index}`}
            data-chosen={index === chosen}
            onPointerEnter={() => onChoose(index)}
            onPointerLeave={() => onChoose(null)}
            onClick={() => onChoose(index)}
            onFocus={() => onChoose(index)}
            onBlur={() => onChoose(null)}
          >
            <span className="num faint">{index + 1}</span>
            <span lang={source === AUTO ? undefined : source} dir="auto">
              {text}
            </span>
            <em lang={target} dir="auto">
              {translated}
            </em>
            <button
              type="button"
              className="x"
              aria-label={t('copyBlock', { n: index + 1 })}
              title={t('copyBlock', { n: index + 1 })}
              onClick={({ currentTarget }) => void copyText(translated, currentTarget)}
            >
              <Icon name="copy" />
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
