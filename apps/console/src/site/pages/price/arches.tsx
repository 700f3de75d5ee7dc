const WIDTH = 360;
const SPANS = [8, 98, 188, 278];
const POSTS = Array.from({ length: 30 }, (_, post) => 6 + 12 * post);

/** The deck's height at `x`: a flat parabola from 20 over 12 to 20. */
const deckAt = (x: number): number => 12 + 8 * (1 - (2 * x) / WIDTH) ** 2;

/** The bridge above the summary: deck, railing, four arches. */
export function Arches() {
  return (
    <span className="pr-arches" aria-hidden="true">
      <svg viewBox={`0 0 ${WIDTH} 64`} preserveAspectRatio="none" fill="none" stroke="currentColor" strokeWidth="1.25">
        <path d="M0 20Q180 4 360 20" />
        {SPANS.map((x) => (
          <path key={x} d={`M${x} 64C${x} 22 ${x + 74} 22 ${x + 74} 64`} />
        ))}
        {POSTS.map((x) => (
          <path key={x} d={`M${x} ${deckAt(x).toFixed(1)}v-7`} opacity=".45" />
        ))}
      </svg>
    </span>
  );
}
