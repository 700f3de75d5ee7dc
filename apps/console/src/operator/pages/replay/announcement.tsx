import { useEffect, useState } from 'react';

const REST_MS = 700;

/** Says where the moment has come to rest: once per pause, not per step. `text`: null while it moves. */
export function Announcement({ text }: { text: string | null }) {
  const [said, say] = useState('');
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(() => say(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p className="vh" role="status">
      {said}
    </p>
  );
}
