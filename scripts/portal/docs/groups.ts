// The pages of the documentation in their order. A Markdown file of docs/ that stands nowhere here stops the build.

export interface ListedPage {
  /** Path of a Markdown file in the repository, or the name of a page that is made from records. */
  readonly source: string;
  /** Below /docs; empty for the start page. */
  readonly name: string;
  /** In the list, where the title of the page is long. */
  readonly short?: string;
}

export interface ListedGroup {
  readonly name: string;
  readonly pages: readonly ListedPage[];
}

const doc = (name: string, short?: string): ListedPage => ({
  source: `docs/${name}.md`,
  name: name === 'index' ? '' : name,
  ...(short === undefined ? {} : { short }),
});

/** Pages made from records. */
export const SOLVERS_PAGE = 'solvers';
export const ERRORS_PAGE = 'errors';

/** @param solvers  pages of the solvers, by title. @param decisions  names of the files below docs/decisions */
export function listedGroups(solvers: readonly ListedPage[], decisions: readonly string[]): readonly ListedGroup[] {
  return [
    { name: 'Start', pages: [doc('index'), doc('auto'), doc('python'), doc('mcp', 'Agents (MCP)')] },
    {
      name: 'Concepts',
      pages: ['tick', 'envelope', 'witness', 'receipt', 'chain', 'contract'].map((name) => doc(`concepts/${name}`)),
    },
    {
      name: 'Guides',
      pages: [
        doc('uncertainty'),
        doc('units'),
        doc('sweeps'),
        doc('bundles'),
        doc('streams'),
        doc('adding-a-solver'),
        doc('adding-an-operator'),
        doc('adding-an-operation'),
      ],
    },
    {
      name: 'Solvers',
      pages: [{ source: SOLVERS_PAGE, name: 'solvers', short: 'All solvers' }, ...solvers],
    },
    {
      name: 'Contracts',
      pages: [
        doc('contracts'),
        doc('contracts-data'),
        doc('contracts-instances'),
        doc('contracts-machines'),
        doc('contracts-activities'),
        doc('adding-a-template'),
        doc('anchors'),
        doc('fsck'),
      ],
    },
    {
      name: 'Reference',
      pages: [
        { source: ERRORS_PAGE, name: 'errors' },
        doc('receipts'),
        doc('security'),
        doc('metrics', 'Metrics'),
        doc('scaling', 'Scaling'),
        doc('archive', 'Storage for years'),
        doc('architecture'),
        doc('operators-notes'),
        doc('coverage', 'Coverage'),
        { source: 'bench/RESULTS.md', name: 'measurements', short: 'Measurements' },
      ],
    },
    { name: 'Decisions', pages: decisions.map((name) => doc(`decisions/${name}`)) },
  ];
}
