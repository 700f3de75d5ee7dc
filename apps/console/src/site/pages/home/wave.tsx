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
