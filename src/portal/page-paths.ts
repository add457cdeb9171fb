// Paths of the portal's pages; for all other paths the node answers 404 and the portal shows a not-found page.

const PAGE_PATHS =
  /^\/(gallery|solve(\/[a-z0-9-]+)?|operators(\/[\w-]+)?|machines(\/[a-z0-9-]{3,63}(\/contracts\/[\w-]{1,64})?)?|runs|templates(\/[\w-]{1,64})?|docs(\/[\w-]+){0,2}|verify|pulse|keys|reference(\/[a-z-]+\.[a-z-]+)?)?$/;

export const isPagePath = (path: string): boolean => PAGE_PATHS.test(path);

/** The page of the operators: the documentation calls them laws. */
export const LAWS_PAGE = { name: 'Laws', path: '/operators' } as const;
