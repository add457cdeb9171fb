// Rows of long lists that are rendered again only when a prop changes: a list of ten thousand takes a new one in no time.

import { Component, type FunctionComponent, h } from 'preact';

/** @returns the component; its props are compared one by one, so functions among them must stay the same */
export function memo<Props extends object>(view: FunctionComponent<Props>) {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const before: Partial<Props> = this.props;
      const names = Object.keys(next) as (keyof Props)[];
      return names.length !== Object.keys(before).length || names.some((name) => next[name] !== before[name]);
    }

    override render() {
      return h(view, this.props as Props);
    }
  };
}
