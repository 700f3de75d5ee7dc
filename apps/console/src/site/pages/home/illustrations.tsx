type WaveProps = {
  /** Height of each bar, in pixels. */
  bars: readonly number[];
  height: number;
  /** Width of a bar and of the gap between two. */
  width?: number;
};

/** The waveform of a voice message. */
export function Wave({ bars, height, width = 2 }: WaveProps) {
  const total = bars.length * width * 2 - width;
  const path = bars.map((bar, n) => `M${n * width * 2 + width / 2} ${(height - bar) / 2}v${bar}`).join('');
  return (
    <svg className="home-waveform" viewBox={`0 0 ${total} ${height}`} width={total} height={height} aria-hidden="true">
      <path d={path} stroke="currentColor" strokeWidth={width} />
    </svg>
  );
}

/** The text on a product label: name, measures and three rows. */
export type LabelText = {
  lang?: string;
  title: string;
  measures: string;
  rows: readonly (readonly [string, string])[];
};

function Label({ text: { lang, title, measures, rows }, translated }: { text: LabelText; translated?: true }) {
  return (
    <div className={translated ? 'home-label translated' : 'home-label'} lang={lang}>
      <b>{title}</b>
      <span className="home-label-text">{measures}</span>
      <hr />
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="home-barcode" />
    </div>
  );
}

/** A picture and its translation, with the logo's bridge between them. */
export function LabelPair({ source, translation }: { source: LabelText; translation: LabelText }) {
  return (
    <div className="home-image-pair">
      <Label text={source} />
      <svg
        className="home-image-link"
        viewBox="0 0 96 40"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        aria-hidden="true"
      >
        <path d="M4 34C24 2 72 2 92 34M4 34h88" />
        <path d="M24 34V19M40 34V11.5M56 34V11.5M72 34V19" strokeWidth="1" />
      </svg>
      <Label text={translation} translated />
    </div>
  );
}
