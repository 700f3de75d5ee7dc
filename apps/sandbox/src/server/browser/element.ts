/// <reference lib="dom" />

/** Creates an element with attributes and children; strings become text, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string | null)[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** An element that must exist in the page. */
export function part<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const node = document.getElementById(id);
  if (!(node instanceof kind)) throw new Error(`The page lacks #${id}`);
  return node;
}
