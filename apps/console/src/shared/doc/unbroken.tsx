import './unbroken.css';
import type { ReactNode } from 'react';

/**
 * What stays on one line: a range (6–32), a short word with a hyphen (sub-account), a name of the interface (「翻译」), and the end of
 * a Chinese text, whose last line would else be a word of two characters.
 */
const WHOLE = /(\d–\d+|「[^」]{1,6}」|\b[A-Za-z]{2,6}-[a-z]{2,8}\b|\p{Script=Han}{2,4}[。？：]$)/u;

/** The words stay as they are, for whoever searches or copies them: the style sheet keeps them together. */
export const unbroken = (text: string): ReactNode =>
  text.split(WHOLE).map((piece, index) =>
    index % 2 === 1 ? (
      <span key={index} className="nb">
        {piece}
      </span>
    ) : (
      piece
    ),
  );
