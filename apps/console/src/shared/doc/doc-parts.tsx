import './doc.css';
import type { DocPart } from './doc.js';
import { DocBlocks } from './doc-blocks.js';

type DocPartsProps = {
  parts: readonly DocPart[];
  /** Begins the address of each part within the page: `sub-accounts` → `#sub-accounts-1`. */
  id: string;
  /** One below the title above them. */
  level: 'h2' | 'h3';
};

export const partId = (id: string, index: number): string => `${id}-${index + 1}`;

/** Numbered parts, as the tutorial and the usage document have them (DESIGN §3). */
export function DocParts({ parts, id, level: Title }: DocPartsProps) {
  return parts.map(({ title, blocks }, index) => (
    <section key={title} className="part" id={partId(id, index)}>
      <Title className="part-t">
        <span className="num">{index + 1}</span>
        {title}
      </Title>
      <div className="indent">
        <DocBlocks blocks={blocks} />
      </div>
    </section>
  ));
}
