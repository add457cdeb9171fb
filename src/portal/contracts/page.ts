// Contract page; loaded on the first visit because it includes the diagram layout library.

import { h } from 'preact';
import '../style/contracts.css';
import { currentRoute } from '../router.ts';
import { ContractLoader } from './contract-loader.ts';

export function ContractPage() {
  const [, , slug = '', , id = ''] = currentRoute.value.path.split('/').map(decodeURIComponent);
  return h(ContractLoader, { slug, id });
}
