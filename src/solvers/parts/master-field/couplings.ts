// The couplings C_k of the master field by id: the equations and defaults of the laws KO1 … KO41 of the registry, which the
// browser's bundle does not hold. A test compares them (test/solvers/master-field.test.ts).

export interface Coupling {
  readonly name: string;
  /** C_k of phi, dphi, t and the symbols of `defaults`. */
  readonly equation: string;
  readonly where?: Readonly<Record<string, string>>;
  readonly defaults: Readonly<Record<string, number>>;
}

export const COUPLINGS: Readonly<Record<string, Coupling>> = {
  KO1: { name: 'Klein-Gordon mass term', equation: '-mu^2*phi', defaults: { mu: 1 } },
  KO2: { name: 'Duffing cubic self-coupling', equation: '-lam*phi^3', defaults: { lam: 1 } },
  KO3: { name: 'Quintic self-coupling', equation: '-g*phi^5', defaults: { g: 1 } },
  KO4: { name: 'Double-well phi-four force', equation: 'g*phi*(v^2 - phi^2)', defaults: { g: 1, v: 1 } },
  KO5: { name: 'Phi-six force', equation: '-a*phi*(phi^2 - 1)*(3*phi^2 - 1)', defaults: { a: 1 } },
  KO6: { name: 'Sine-Gordon force', equation: '-m^2*sin(phi)', defaults: { m: 1 } },
  KO7: { name: 'Double sine-Gordon force', equation: '-m^2*(sin(phi) + eta*sin(phi/2))', defaults: { m: 1, eta: 1 } },
  KO8: { name: 'Sinh-Gordon force', equation: '-m^2*sinh(phi)', defaults: { m: 1 } },
  KO9: { name: 'Liouville field force', equation: '-k*exp(2*phi)', defaults: { k: 1 } },
  KO10: { name: 'Tzitzeica field force', equation: 'g*(exp(-2*phi) - exp(phi))', defaults: { g: 1 } },
  KO11: { name: 'Morse restoring force', equation: '-2*D*a*(1 - exp(-a*phi))*exp(-a*phi)', defaults: { D: 1, a: 1 } },
  KO12: { name: 'Toda lattice force', equation: 'a*(exp(-b*phi) - 1)', defaults: { a: 1, b: 1 } },
  KO13: {
    name: 'Lennard-Jones reduced force',
    equation: '24*eps*(2/r^13 - 1/r^7)',
    where: { r: '1 + phi' },
    defaults: { eps: 1 },
  },
  KO14: {
    name: 'Buckingham exp-six force',
    equation: 'A*B*exp(-B*r) - 6*C/r^7',
    where: { r: '1 + phi' },
    defaults: { A: 901953.2131235827, B: 14, C: 1.75 },
  },
  KO15: {
    name: 'Yukawa screened force',
    equation: 'g*exp(-r/L)*(1/r^2 + 1/(L*r))',
    where: { r: '1 + phi' },
    defaults: { g: 1, L: 1 },
  },
  KO16: { name: 'Poschl-Teller well force', equation: '-2*V*a*tanh(a*phi)/cosh(a*phi)^2', defaults: { V: 1, a: 1 } },
  KO17: { name: 'Rosen-Morse well force', equation: '-(2*V*tanh(phi) + B)/cosh(phi)^2', defaults: { V: 1, B: 0.5 } },
  KO18: {
    name: 'Woods-Saxon well force',
    equation: '-V/a*exp((phi - R)/a)/(1 + exp((phi - R)/a))^2',
    defaults: { V: 1, a: 0.1, R: 1 },
  },
  KO19: { name: 'Gaussian well force', equation: '-2*V*phi/w^2*exp(-phi^2/w^2)', defaults: { V: 1, w: 1 } },
  KO20: {
    name: 'Coleman-Weinberg logarithmic force',
    equation: 'phi == 0 ? 0 : -A*phi^3*(2*log(phi^2/s^2) + 1)',
    defaults: { A: 1, s: 1 },
  },
  KO21: {
    name: 'Starobinsky plateau force',
    equation: '-V*sqrt(8/3)*(1 - exp(-sqrt(2/3)*phi))*exp(-sqrt(2/3)*phi)',
    defaults: { V: 1 },
  },
  KO22: { name: 'Ratra-Peebles inverse-power force', equation: 'n*M^(n + 4)/phi^(n + 1)', defaults: { n: 1, M: 1 } },
  KO23: { name: 'Exponential quintessence force', equation: 'V*lam*exp(-lam*phi)', defaults: { V: 1, lam: 1 } },
  KO24: {
    name: 'Symmetron density-coupled force',
    equation: '(mu^2 - rho/M^2)*phi - lam*phi^3',
    defaults: { mu: 1, rho: 0.5, M: 1, lam: 1 },
  },
  KO25: {
    name: 'Chameleon density-coupled force',
    equation: 'n*M^(n + 4)/phi^(n + 1) - rho*b*exp(b*phi)',
    defaults: { n: 1, M: 1, rho: 1, b: 1 },
  },
  KO26: { name: 'Born-Infeld saturating stiffness', equation: '-k*phi/sqrt(1 + phi^2/b^2)', defaults: { k: 1, b: 1 } },
  KO27: { name: 'Linear viscous field damping', equation: '-c*dphi', defaults: { c: 1 } },
  KO28: { name: 'Quadratic drag field damping', equation: '-c*dphi*abs(dphi)', defaults: { c: 1 } },
  KO29: { name: 'Van der Pol damping term', equation: 'mu*(1 - phi^2)*dphi', defaults: { mu: 1 } },
  KO30: { name: 'Rayleigh-Strutt cubic damping term', equation: 'mu*(1 - dphi^2/3)*dphi', defaults: { mu: 1 } },
  KO31: { name: 'Regularised Coulomb friction term', equation: '-Fc*tanh(dphi/vs)', defaults: { Fc: 1, vs: 0.1 } },
  KO32: {
    name: 'Stribeck friction term',
    equation: '-(Fc + (Fs - Fc)*exp(-(dphi/vs)^2))*tanh(dphi/ve)',
    defaults: { Fc: 1, Fs: 1.5, vs: 0.1, ve: 0.01 },
  },
  KO33: { name: 'Mathieu parametric forcing term', equation: '-(a - 2*q*cos(2*t))*phi', defaults: { a: 1, q: 0.1 } },
  KO34: { name: 'Helmholtz quadratic escape force', equation: '-phi + b*phi^2', defaults: { b: 1 } },
  KO35: { name: 'FitzHugh-Nagumo cubic excitation term', equation: 'phi - phi^3/3 - w + I', defaults: { w: 0, I: 0 } },
  KO36: {
    name: 'Allee-effect reaction term',
    equation: 'r*phi*(phi/A - 1)*(1 - phi/K)',
    defaults: { r: 1, A: 0.25, K: 1 },
  },
  KO37: { name: 'Michaelis-Menten saturating sink term', equation: '-V*phi/(Km + phi)', defaults: { V: 1, Km: 1 } },
  KO38: { name: 'Hill activation source term', equation: 'b*phi^n/(K^n + phi^n)', defaults: { b: 1, n: 2, K: 1 } },
  KO39: { name: 'Kuramoto pair coupling term', equation: 'K*sin(psi - phi)', defaults: { K: 1, psi: 0 } },
  KO40: { name: 'Langevin saturation coupling', equation: 'g*langevin(a*phi)', defaults: { g: 1, a: 1 } },
  KO41: { name: 'Hertzian contact coupling', equation: '-k*max(0, phi)^1.5', defaults: { k: 1 } },
};
