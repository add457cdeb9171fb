// Properties of the dialog of the search, for the button that loads it.

export interface NamedPage {
  readonly name: string;
  readonly path: string;
}

export interface PaletteProps {
  readonly view: 'search' | 'keys';
  readonly pages: readonly NamedPage[];
  readonly onClose: () => void;
}
