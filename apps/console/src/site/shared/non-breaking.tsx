import type { ReactNode } from 'react';
import './non-breaking.css';

/**
 * Kept on one line: ranges (6–32), short hyphenated words (sub-account), names of interface elements (「翻译」), and the end of a Chinese
 * text, whose last line could otherwise be a single word.
 */
const UNBREAKABLE = /(\d–\d+|「[^」]{1,6}」|\b[A-Za-z]{2,6}-[a-z]{2,8}\b|\p{Script=Han}{2,4}[。？：]$)/u;

/** Done by the style sheet: the text itself stays as it is for searching and copying. */
export const nonBreaking = (text: string): ReactNode =>
  text.split(UNBREAKABLE).map((piece, index) =>
    index % 2 === 1 ? (
      <span key={index} className="non-breaking">
        {piece}
      </span>
    ) : (
      piece
    ),
  );
