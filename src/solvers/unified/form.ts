// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'First output of the problem' },
  quantities: {
    t_end: 'End time',
    '*_end': '* at the end',
    'event_#_count': 'Event #, how often',
    'event_#_first_t': 'Event #, first time',
    steps_accepted: 'Accepted steps',
    steps_refused: 'Refused steps',
    evaluations: 'Evaluations',
    jacobians: 'Jacobians',
  },
  labels: {
    mode: 'Kind of problem',
    equations: 'Equations',
    vars: 'Numbers for symbols',
    initial: 'Initial values',
    uncertainties: 'Uncertainties',
    units: 'Units',
    t0: 'Start time',
    t_end: 'End time',
    method: 'Method',
    rtol: 'Relative tolerance',
    atol: 'Absolute tolerance',
    dt: 'First step',
    steps: 'Steps',
    max_step: 'Largest step',
    max_steps: 'Most steps',
    points: 'Samples',
    events: 'Events',
    invariants: 'Constant expressions',
    invariant_tol: 'Allowed drift',
    outputs: 'Symbols to show',
  },
  numerics: [
    'mode',
    'method',
    'rtol',
    'atol',
    'dt',
    'steps',
    'max_step',
    'max_steps',
    'points',
    'invariants',
    'invariant_tol',
  ],
  examples: [
    {
      title: 'Pendulum',
      look: 'The equations of a pendulum as text: angle and speed over time.',
      input: { equations: "theta' = omega\nomega' = -9.81*sin(theta)\ntheta(0) = 1\nomega(0) = 0", t_end: 10 },
    },
    {
      title: 'A bouncing ball',
      look: 'The ball turns around at the floor and loses a fifth of its speed.',
      input: { equations: "y' = v\nv' = -9.81\ny(0) = 1\nv(0) = 0", events: 'y = 0 down -> v = -0.8*v', t_end: 3 },
    },
    {
      title: 'Predator and prey',
      look: 'Predators follow their prey with a delay.',
      input: { equations: "x' = 1.1*x - 0.4*x*y\ny' = 0.1*x*y - 0.4*y\nx(0) = 10\ny(0) = 5", t_end: 50 },
    },
    {
      title: 'A stiff reaction',
      look: 'Very fast and very slow reactions in one system.',
      input: {
        equations:
          "a' = -0.04*a + 1e4*b*c\nb' = 0.04*a - 1e4*b*c - 3e7*b*b\nc' = 3e7*b*b\na(0) = 1\nb(0) = 0\nc(0) = 0",
        t_end: 40,
      },
    },
    {
      title: 'Lorenz attractor',
      look: 'Three simple equations that nobody can predict for long.',
      input: {
        equations: "x' = 10*(y-x)\ny' = x*(28-z) - y\nz' = x*y - 8/3*z\nx(0) = 1\ny(0) = 1\nz(0) = 1",
        t_end: 15,
      },
    },
    {
      title: 'A throw with drag',
      look: 'The throw ends where it meets the ground, short of the parabola.',
      input: {
        equations:
          "x' = vx\ny' = vy\nvx' = -0.02*sqrt(vx^2+vy^2)*vx\nvy' = -9.81 - 0.02*sqrt(vx^2+vy^2)*vy\nx(0) = 0\ny(0) = 0.01\nvx(0) = 25\nvy(0) = 25",
        events: 'y = 0 down -> stop',
        t_end: 10,
      },
    },
  ],
};
