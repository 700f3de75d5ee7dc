type WaveProps = {
  /** Loudness, one bar each, in pixels. */
  bars: readonly number[];
  height: number;
  /** Of a bar; as much stands between two. */
  width?: number;
};

/** A voice message, as one sees it. */
export function Wave({ bars, height, width = 2 }: WaveProps) {
  const total = bars.length * width * 2 - width;
  const path = bars.map((bar, n) => `M${n * width * 2 + width / 2} ${(height - bar) / 2}v${bar}`).join('');
  return (
    <svg className="wv" viewBox={`0 0 ${total} ${height}`} width={total} height={height} aria-hidden="true">
      <path d={path} stroke="currentColor" strokeWidth={width} />
    </svg>
  );
}

/** A product label with what it says on it: name, measures, and three rows. */
export type LabelText = {
  lang?: string;
  title: string;
  measures: string;
  rows: readonly (readonly [string, string])[];
};

function Label({ text: { lang, title, measures, rows }, translated }: { text: LabelText; translated?: true }) {
  return (
    <div className={translated ? 'label t' : 'label'} lang={lang}>
      <b>{title}</b>
      <span className="tx">{measures}</span>
      <hr />
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="bar" />
    </div>
  );
}

/** A picture and the same picture translated, with the bridge between them. */
export function LabelPair({ source, crossed }: { source: LabelText; crossed: LabelText }) {
  return (
    <div className="ocr">
      <Label text={source} />
      <svg className="lnk" viewBox="0 0 96 40" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
        <path d="M4 34C24 2 72 2 92 34M4 34h88" />
        <path d="M24 34V19M40 34V11.5M56 34V11.5M72 34V19" strokeWidth="1" />
      </svg>
      <Label text={crossed} translated />
    </div>
  );
}
