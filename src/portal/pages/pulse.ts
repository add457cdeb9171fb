export function PulsePage() {
  return null;
}
