// Energy and gradient of a rigid Lennard-Jones body beside a fixed one, over all pairs, in plain C.
//
// Reads "n m repeats" and the places of n fixed and m free atoms on one line; prints CPU seconds and the sum of the
// energies. The free body turns and moves a little between two evaluations.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double evaluate(int n, const double *fixed, int m, const double *own, const double *pose, double *gradient) {
  const double c = cos(pose[3]), s = sin(pose[3]);
  double energy = 0;
  for (int k = 0; k < 6; k++) gradient[k] = 0;
  for (int i = 0; i < m; i++) {
    const double x = c * own[3 * i] - s * own[3 * i + 1], y = s * own[3 * i] + c * own[3 * i + 1], z = own[3 * i + 2];
    double gx = 0, gy = 0, gz = 0;
    for (int j = 0; j < n; j++) {
      const double dx = x + pose[0] - fixed[3 * j], dy = y + pose[1] - fixed[3 * j + 1], dz = z + pose[2] - fixed[3 * j + 2];
      const double u = 1 / (dx * dx + dy * dy + dz * dz), u3 = u * u * u, f = -48 * u3 * (u3 - 0.5) * u;
      energy += 4 * u3 * (u3 - 1);
      gx += f * dx; gy += f * dy; gz += f * dz;
    }
    gradient[0] += gx; gradient[1] += gy; gradient[2] += gz;
    gradient[3] += y * gz - z * gy; gradient[4] += z * gx - x * gz; gradient[5] += x * gy - y * gx;
  }
  return energy;
}

int main(void) {
  int n, m;
  long repeats;
  while (scanf("%d %d %ld", &n, &m, &repeats) == 3) {
    double *fixed = malloc(3 * n * sizeof(double)), *own = malloc(3 * m * sizeof(double)), gradient[6], sum = 0;
    for (int k = 0; k < 3 * n; k++) if (scanf("%lf", &fixed[k]) != 1) return 1;
    for (int k = 0; k < 3 * m; k++) if (scanf("%lf", &own[k]) != 1) return 1;
    const clock_t begin = clock();
    double pose[4] = {0, 0, 4, 0};
    for (long k = 0; k < repeats; k++) {
      sum += evaluate(n, fixed, m, own, pose, gradient);
      pose[0] = 1e-9 * gradient[0]; pose[3] += 1e-3;
    }
    printf("%.9g %.17g\n", (double)(clock() - begin) / CLOCKS_PER_SEC, sum);
    fflush(stdout);
    free(fixed);
    free(own);
  }
}
