// One contract at work: loaded when it is visited, since it brings the layout of its diagram along.

import { h } from 'preact';
import '../style/contracts.css';
import { place } from '../route.ts';
import { ContractLoader } from './contract-loader.ts';

export function ContractPage() {
  const [, , slug = '', , id = ''] = place.value.path.split('/').map(decodeURIComponent);
  return h(ContractLoader, { slug, id });
}
