export function ReferencePage() {
  return null;
}
