// Scrolls to the target of the address. The browser does this only for a page that is complete when it opens.

export function scrollToHash(): void {
  if (location.hash !== '') document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}
