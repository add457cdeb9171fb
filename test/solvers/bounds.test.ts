// Every number that a solver seals has a bound, unless it is an input, a count or a choice of the plan.

import { expect, test } from 'vitest';
import { SOLVERS } from '../../src/solvers/index.ts';
import { runSolver } from '../suites/run-solver.ts';
import { SMALL_CASES } from '../suites/small-cases.ts';

/** Inputs, counts, choices of the plan and published numbers. */
const WITHOUT: Readonly<Record<string, string>> = {
  acoustic: 'chosen_mode cells',
  action: 'reference_time steps_per_period crossings',
  buckling: 'elements unknowns',
  climate: 'steps cell probe_x',
  closedform: 'rk4_steps',
  device: 'probe iterations',
  dock: 'receptor_atoms ligand_atoms rotors evaluations minimisations poses_found best_pose_hits',
  epi: 'peaks steps',
  evolve: 'density shortest_edge list_builds listed_partners ghost_atoms',
  fea: 'probe_x probe_y order elements unknowns iterations',
  flow: 'published_u_min published_v_max published_v_min end_time',
  fracture: 'horizon load_rounds',
  gauge: 'acceptance independent_sweeps links loop_records',
  grid: 'branch lowest_angle_bus outages outages_that_overload outages_that_part worst_outage worst_outage_branch',
  heat: 'dt steps t_end is_steady',
  kalman: 'nis_rows_inside nees_rows_inside runs states observable_states is_detectable rows missing_values',
  lattice: 'locked t_end',
  lorenz: 'equilibria maxima time path_interval',
  lotka: 'cycles t_end steps',
  multibody: 'horizon closest_first closest_second escaping_bodies steps',
  opt: 'known_minimum iterations evaluations gradients starts variables',
  protect: 'l svcond t',
  quant: 'paths samples_that_pay shift',
  react: 'front_from front_to dt steps t_end cell dt_max probe_x probe_y',
  reactor: 't_reached steps',
  sat: 'status propagations conflicts restarts learnt deleted visits work max_depth variables clauses literals ratio',
  schrodinger: 'xmin xmax bound_states_found mean_cell',
  shift: 't_0 steps',
  solve: 'end_time turning_points gravity iterations rk4_steps rk4_step',
  tumor: 't_from dt steps cell',
  unified: 't_end steps_accepted steps_refused evaluations jacobians',
  wave: 'dt steps t_end courant_number cell probe_x probe_y',
  zeta: 'certified gram_intervals bad_gram_points longest_gram_block rosser_violations evaluations',
};

const namesOf = (list = '') => list.split(' ').filter((name) => name !== '');

test.each(SOLVERS.map((solver) => [solver.id, solver] as const))(
  '%s: every number has its bound',
  async (id, solver) => {
    const { value, uncertainty, quantities = [] } = await runSolver(solver, SMALL_CASES[id] ?? {});
    expect(Number.isFinite(value) && uncertainty >= 0).toBe(true);
    expect(quantities.length).toBeGreaterThan(0);
    const known = new Set(namesOf(WITHOUT[id]));
    const unbound = quantities.filter((one) => one.uncertainty === undefined).map(({ name }) => name);
    expect(unbound.filter((name) => !known.has(name))).toEqual([]);
  },
);
