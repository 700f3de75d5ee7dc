// A part that dies is started again, and it is said; one that keeps dying ends the run.
const limit = 5;
const within = 60_000;

/** @param {{stack: object, say: (line: string) => void, giveUp: (reason: string) => void}} options */
export function supervise({ stack, say, giveUp }) {
  const deaths = new Map();
  const revive = async (part, how) => {
    const recent = (deaths.get(part.name) ?? []).filter((at) => Date.now() - at < within);
    deaths.set(part.name, [...recent, Date.now()]);
    if (recent.length >= limit) {
      giveUp(`${part.name} ended ${limit + 1} times within a minute (${how})`);
      return;
    }
    say(`${part.name} ended (${how}): starting it again`);
    try {
      await part.start();
      stack.save();
      say(`${part.name} is back`);
    } catch (error) {
      giveUp(error.message);
    }
  };
  for (const part of stack.parts()) part.whenEnded(revive);
}
