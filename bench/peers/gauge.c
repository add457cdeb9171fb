// Wilson's action by Monte Carlo in plain C: SU(2) by Kennedy and Pendleton's heat bath, U(1) by Metropolis, Z2 by heat bath.
//
// Reads "group dim L Lt beta thermalisation sweeps seed" per line, group 0 Z2, 1 U(1), 2 SU(2); prints CPU seconds, the
// mean plaquette and its standard error from 50 blocks. Random numbers: xoshiro256++ of Blackman and Vigna.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct { double a, b, c, d; } quaternion;

static uint64_t state[4];
static uint64_t rotated(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
static double uniform(void) {
  const uint64_t word = rotated(state[0] + state[3], 23) + state[0], t = state[1] << 17;
  state[2] ^= state[0]; state[3] ^= state[1]; state[1] ^= state[2]; state[0] ^= state[3];
  state[2] ^= t; state[3] = rotated(state[3], 45);
  return ((word >> 12) + 0.5) * 0x1p-52;
}
static void seeded(uint64_t seed) {
  for (int i = 0; i < 4; i++) {
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    state[i] = z ^ (z >> 31);
  }
}

static inline quaternion times(quaternion p, quaternion q) {
  return (quaternion){p.a * q.a - p.b * q.b - p.c * q.c - p.d * q.d, p.a * q.b + p.b * q.a + p.c * q.d - p.d * q.c,
                      p.a * q.c - p.b * q.d + p.c * q.a + p.d * q.b, p.a * q.d + p.b * q.c - p.c * q.b + p.d * q.a};
}
static inline quaternion inverse(quaternion p) { return (quaternion){p.a, -p.b, -p.c, -p.d}; }
static inline double real(quaternion p, quaternion q) { return p.a * q.a - p.b * q.b - p.c * q.c - p.d * q.d; }

static int group, dim, sides[4], sites, *up, *down;
static double beta;
static quaternion *links;
#define U(x, mu) links[(x) * dim + (mu)]
#define UP(x, mu) up[(x) * dim + (mu)]
#define DOWN(x, mu) down[(x) * dim + (mu)]

static quaternion staples(int x, int mu) {
  quaternion sum = {0, 0, 0, 0};
  for (int nu = 0; nu < dim; nu++) {
    if (nu == mu) continue;
    const int y = DOWN(x, nu);
    const quaternion front = times(U(UP(x, mu), nu), inverse(times(U(x, nu), U(UP(x, nu), mu))));
    const quaternion back = times(inverse(times(U(y, mu), U(UP(y, mu), nu))), U(y, nu));
    sum.a += front.a + back.a; sum.b += front.b + back.b; sum.c += front.c + back.c; sum.d += front.d + back.d;
  }
  return sum;
}

static void update(int x, int mu) {
  const quaternion sum = staples(x, mu);
  const double k = sqrt(sum.a * sum.a + sum.b * sum.b + sum.c * sum.c + sum.d * sum.d);
  if (group == 0) {
    U(x, mu).a = uniform() * (1 + exp(-2 * beta * sum.a)) < 1 ? 1 : -1;
  } else if (group == 1) {
    for (int hit = 0; hit < 4; hit++) {
      const double angle = 3 / sqrt(1 + beta) * (2 * uniform() - 1);
      const quaternion tried = times(U(x, mu), (quaternion){cos(angle), sin(angle), 0, 0});
      if (uniform() < exp(beta * (real(tried, sum) - real(U(x, mu), sum)))) U(x, mu) = tried;
    }
    const double length = sqrt(U(x, mu).a * U(x, mu).a + U(x, mu).b * U(x, mu).b);
    U(x, mu).a /= length;
    U(x, mu).b /= length;
  } else {
    double y, accept;
    do {
      const double c = cos(2 * M_PI * uniform());
      y = -(log(uniform()) + c * c * log(uniform())) / (beta * k);
      accept = uniform();
    } while (accept * accept > 1 - 0.5 * y);
    const double z = 2 * uniform() - 1, angle = 2 * M_PI * uniform(), length = sqrt(y * (2 - y));
    const double flat = length * sqrt(1 - z * z);
    const quaternion drawn = {1 - y, flat * cos(angle), flat * sin(angle), length * z};
    U(x, mu) = times(drawn, inverse((quaternion){sum.a / k, sum.b / k, sum.c / k, sum.d / k}));
  }
}

static double plaquette(void) {
  double sum = 0;
  for (int x = 0; x < sites; x++)
    for (int nu = 1; nu < dim; nu++)
      for (int mu = 0; mu < nu; mu++)
        sum += real(times(U(x, mu), U(UP(x, mu), nu)), inverse(times(U(x, nu), U(UP(x, nu), mu))));
  return sum / (sites * dim * (dim - 1) / 2.0);
}

int main(void) {
  int size, length, thermalisation, sweeps;
  long seed;
  while (scanf("%d %d %d %d %lf %d %d %ld", &group, &dim, &size, &length, &beta, &thermalisation, &sweeps, &seed) == 8) {
    const clock_t begin = clock();
    sites = 1;
    for (int mu = 0; mu < dim; mu++) sites *= sides[mu] = mu == dim - 1 ? length : size;
    links = malloc(sizeof(quaternion) * sites * dim);
    up = malloc(sizeof(int) * sites * dim);
    down = malloc(sizeof(int) * sites * dim);
    seeded(seed);
    for (int x = 0, i = 0; x < sites; x++)
      for (int mu = 0, step = 1; mu < dim; step *= sides[mu++], i++) {
        const int place = x / step % sides[mu];
        up[i] = x + (place == sides[mu] - 1 ? 1 - sides[mu] : 1) * step;
        down[i] = x + (place == 0 ? sides[mu] - 1 : -1) * step;
        links[i] = (quaternion){1, 0, 0, 0};
      }
    double blocks[50] = {0};
    for (int sweep = -thermalisation; sweep < sweeps; sweep++) {
      for (int x = 0; x < sites; x++)
        for (int mu = 0; mu < dim; mu++) update(x, mu);
      if (sweep >= 0) blocks[(long)sweep * 50 / sweeps] += plaquette() / sweeps;
    }
    double mean = 0, squares = 0;
    for (int i = 0; i < 50; i++) mean += blocks[i];
    for (int i = 0; i < 50; i++) squares += pow(50 * blocks[i] - mean, 2);
    printf("%.9g %.17g %.3g\n", (double)(clock() - begin) / CLOCKS_PER_SEC, mean, sqrt(squares / 49 / 50));
    fflush(stdout);
    free(links);
    free(up);
    free(down);
  }
}
