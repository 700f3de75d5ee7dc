import { Button } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';

const DOUBLE_CLICK_MS = 1_000;

/** Closes the only sight of a secret: not by the second click of a double one on the button that was in its place before. */
export function SavedButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), DOUBLE_CLICK_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Button type="primary" disabled={!isReady} onClick={onClick}>
      {children}
    </Button>
  );
}
