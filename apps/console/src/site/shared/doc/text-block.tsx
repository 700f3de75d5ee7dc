import type { ReactNode } from 'react';
import { Icon } from '../../../shared/ui/icon.js';
import type { TextBlock } from './doc.js';

/** `say`: how a text is shown. */
type Props = { readonly block: TextBlock; readonly say: (text: string) => ReactNode };

export function TextBlockView({ block, say }: Props) {
  if (typeof block === 'string') return <p>{say(block)}</p>;
  if ('to' in block)
    return (
      <p>
        <a className="doc-more" href={block.to}>
          {block.text}
          <Icon name="forward" />
        </a>
      </p>
    );
  if ('list' in block || 'steps' in block) {
    const [List, points] = 'list' in block ? (['ul', block.list] as const) : (['ol', block.steps] as const);
    return (
      <List className={List === 'ol' ? 'doc-list doc-steps' : 'doc-list'}>
        {points.map((point) => (
          <li key={point}>{say(point)}</li>
        ))}
      </List>
    );
  }
  const [kind, text] = 'note' in block ? (['info', block.note] as const) : (['alert', block.warning] as const);
  return (
    <p className={kind === 'alert' ? 'note warning' : 'note'}>
      <Icon name={kind} />
      <span>{say(text)}</span>
    </p>
  );
}
