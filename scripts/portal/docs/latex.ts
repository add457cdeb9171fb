// Equations written in LaTeX as MathML, for pages that are built.

import module from 'temml';
import { element, type MathNode } from '../../../src/portal/kit/math-node.ts';

/** Its types say that it is a CommonJS module, where the default export is a level deeper. */
const temml = module as unknown as typeof module.default;

/** A node of temml: an element, a text, or a group without a name. */
interface TemmlNode {
  readonly type?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly children?: readonly TemmlNode[];
}

/** Without classes and styles, which temml's own style sheet and a page without inline styles would need. */
const converted = ({ type, text, attributes = {}, children = [] }: TemmlNode): readonly (MathNode | string)[] => {
  if (text !== undefined) return [text];
  const content = children.flatMap(converted);
  if (type === undefined) return content;
  const texts = Object.entries(attributes).map(([name, value]) => [name, String(value)] as const);
  return [element(type, Object.fromEntries(texts), content)];
};

/** @throws Error for what is not LaTeX, with the place */
export function latexNode(latex: string): MathNode {
  const tree = temml.__renderToMathMLTree(latex, { displayMode: true, throwOnError: true, strict: true });
  return element('p', { class: 'formula' }, ...converted(tree));
}
