import 'react-dom/client';

/**
 * Lets the browser handle input and paint. Evaluating React and our own code and starting the page in one task would block scrolling of the
 * prerendered page for a fifth of a second on a slow phone.
 */
export const yieldToMain = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

// React is evaluated before this, and everything that main.tsx imports afterwards in a later task.
await yieldToMain();
