import { Icon } from '../ui/icon.js';
import { Addresses } from './addresses.js';
import type { Block } from './doc.js';
import { ScreenDrawing } from './screen-drawing.js';
import { unbroken } from './unbroken.js';

function DocBlock({ block }: { block: Block }) {
  if (typeof block === 'string') return <p>{unbroken(block)}</p>;
  if ('list' in block)
    return (
      <ul className="points">
        {block.list.map((point) => (
          <li key={point}>{unbroken(point)}</li>
        ))}
      </ul>
    );
  if ('screen' in block) return <ScreenDrawing screen={block.screen} />;
  if ('addresses' in block) return <Addresses names={block.addresses} />;
  if ('to' in block)
    return (
      <p>
        <a className="on" href={block.to}>
          {block.text}
          <Icon name="forward" />
        </a>
      </p>
    );
  if ('source' in block)
    return (
      <figure className="pair">
        <span className="src" lang={block.languages[0]}>
          {block.source}
        </span>
        <span className="dst" lang={block.languages[1]}>
          {block.translation}
        </span>
      </figure>
    );
  const [kind, text] = 'note' in block ? (['info', block.note] as const) : (['alert', block.warning] as const);
  return (
    <p className={kind === 'alert' ? 'note w' : 'note'}>
      <Icon name={kind} />
      <span>{unbroken(text)}</span>
    </p>
  );
}

/** One after another; what they say never changes while they are shown. */
export function DocBlocks({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, index) => <DocBlock key={index} block={block} />);
}
