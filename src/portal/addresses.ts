// Which addresses are pages: the node answers 404 at all others, and the portal says there that nothing is.

const PAGES =
  /^\/(solve(\/[a-z0-9-]+)?|operators(\/[\w-]+)?|machines(\/[a-z0-9-]{3,63}(\/contracts\/[\w-]{1,64})?)?|templates(\/[\w-]{1,64})?|verify|pulse|keys|reference)?$/;

export const isPage = (path: string): boolean => PAGES.test(path);
