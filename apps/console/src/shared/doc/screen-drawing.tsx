import './screen.css';
import type { Screen, ScreenRow } from './screen.js';

function Row({ row }: { row: ScreenRow }) {
  if ('button' in row) return <span className="btn btn-p scr-do">{row.button}</span>;
  if ('fact' in row)
    return (
      <span className="scr-fact">
        <span>{row.fact}</span>
        <b>{row.value}</b>
      </span>
    );
  if ('moved' in row)
    return (
      <span className="scr-moved">
        <span>{row.moved}</span>
        <b>{row.by}</b>
        <span className="scr-way">
          {row.before} → <b>{row.after}</b>
        </span>
      </span>
    );
  return (
    <span className="fld scr-field">
      <span className="lb">{row.field}</span>
      <span className="inp">{row.value}</span>
      <span className="hint">{row.hint}</span>
    </span>
  );
}

/** A window of this product as it looks in use, cut where the text goes on (DESIGN §1: the product, not a picture of it). */
export function ScreenDrawing({ screen: { says, title, rows } }: { screen: Screen }) {
  return (
    <figure className="scr" role="img" aria-label={says}>
      <span className="scr-win">
        <b className="scr-t">{title}</b>
        {rows.map((row, index) => (
          <Row key={index} row={row} />
        ))}
      </span>
    </figure>
  );
}
