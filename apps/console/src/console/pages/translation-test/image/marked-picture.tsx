import type { CSSProperties, ReactNode } from 'react';
import type { Block } from './translate-picture.js';

type MarkedPictureProps = {
  src: string;
  alt: string;
  size: { width: number; height: number };
  blocks: readonly Block[];
  /** What stands in each block of this picture. */
  textOf: (block: Block) => string;
  lang: string | undefined;
  /** The block that is looked at here, in the other picture or in the list. */
  chosen: number | null;
  onChoose: (index: number | null) => void;
  onPick: (index: number) => void;
  children?: ReactNode;
};

const share = (part: number, whole: number): string => `${(part / whole) * 100}%`;

/** A picture whose blocks of text can be pointed at. With the keyboard they are reached in the list, so here they are left out. */
export function MarkedPicture(props: MarkedPictureProps) {
  const { src, alt, size, blocks, textOf, lang, chosen, onChoose, onPick, children } = props;
  const { width, height } = size;
  const placeOf = ({ box: [left, top, w, h] }: Block): CSSProperties => ({
    left: share(left, width),
    top: share(top, height),
    width: share(w, width),
    height: share(h, height),
  });
  return (
    <div
      className="im-picture"
      style={{ aspectRatio: `${width} / ${height}`, '--im-ratio': width / height } as CSSProperties}
    >
      <img src={src} alt={alt} width={width} height={height} draggable={false} />
      {children}
      {blocks.map((block, index) => (
        <button
          key={index}
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          className="im-mark"
          data-chosen={index === chosen}
          style={placeOf(block)}
          title={textOf(block)}
          lang={lang}
          onPointerEnter={() => onChoose(index)}
          onPointerLeave={() => onChoose(null)}
          onClick={() => onPick(index)}
        />
      ))}
    </div>
  );
}
