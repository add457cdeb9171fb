// Words of the form: what its fields are called beside their names, and which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

const TABLES = { network: [null], file: [null] } as const;

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Active flow into the branch' },
  quantities: {
    branch: 'Number of the branch',
    load: 'Load',
    generation: 'Generation',
    reference_power: 'Power of the reference bus',
    lowest_angle: 'Lowest angle',
    lowest_angle_bus: 'Bus of the lowest angle',
    outages: 'Outages computed',
    outages_that_overload: 'Outages that overload a branch',
    outages_that_part: 'Outages that part the network',
    worst_outage: 'Number of the worst outage',
    worst_outage_branch: 'Branch that it overloads most',
    worst_outage_flow: 'Flow there',
  },
  labels: {
    network: 'Network',
    file: 'Case file',
    buses: 'Buses',
    generators: 'Generators',
    branches: 'Branches',
    base: 'Base power',
    method: 'Kind of flow',
    branch: 'Branch of the value',
    outage: 'Branch out of service',
    load_factor: 'Factor of all loads',
    at_bus: 'Bus of the extra load',
    extra_load: 'Extra load',
    reference: 'Reference bus',
    rating: 'Rating',
    contingencies: 'Rank outages',
    factors: 'Distribution factors',
    q_limits: 'Limits of reactive power',
    start: 'Start of the iteration',
  },
  arrays: {
    dc_flow_of_branches: 'flow of the DC model',
    largest_flows: 'flow',
    bus_generation: 'generation',
    bus_load: 'load',
    from_bus: 'from',
    to_bus: 'to',
    suffering_branch: 'branch that suffers most',
    flow_afterwards: 'its flow afterwards',
    highest_loadings: 'loading',
    loading_afterwards: 'loading afterwards',
  },
  numerics: ['start', 'factors'],
  usedWhen: {
    network: { file: [null], buses: [null] },
    file: { network: [null], buses: [null] },
    buses: TABLES,
    generators: { buses: 'given' },
    branches: { buses: 'given' },
    base: { buses: 'given' },
    extra_load: { at_bus: 'given' },
  },
  shown: ['network', 'branch'],
  examples: [
    {
      title: 'Fourteen buses of the IEEE',
      look: 'A standard network: who feeds whom, and which lines carry most.',
      input: {},
    },
    {
      title: 'Outages of 30 buses',
      look: 'Each line is taken out once, to see which others would be overloaded.',
      input: { network: 'ieee30' },
    },
    {
      title: 'The flow with reactive power',
      look: 'Three generators and the full equations of alternating current.',
      input: { network: 'case9', method: 'ac' },
    },
    {
      title: 'One line out of service',
      look: 'With one line out, its load goes over the others.',
      input: { network: 'five', outage: 1 },
    },
    {
      title: 'A heavier evening',
      look: 'A fifth more demand than usual on 57 buses.',
      input: { network: 'ieee57', load_factor: 1.2 },
    },
    {
      title: '118 buses',
      look: 'A larger network; colour and width show where the power goes.',
      input: { network: 'ieee118', rating: 'a' },
    },
  ],
};
