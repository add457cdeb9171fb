// N-body problems with 33 digits: extrapolation of the modified midpoint rule in __float128, tolerance 1e-26, for multibody.py.
//
//   g++ -O2 -o multibody multibody.cpp -lquadmath
//
// stdin: law n d strength softening alpha beta tEnd, then n rows "mass radius site gravity drag x… v…", numbers as decimals.
// stdout: end time and why (0 the end, 1 a contact), then x… v… of each body, energy, work, least distance and its time.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <quadmath.h>
#include <string>
#include <vector>
using Q = __float128;
using V = std::vector<Q>;

static int field, n, d, N;
static Q strength, soft2, alpha, beta_;
static V mass, radius, site, gravity, drag;

static Q read() {
  std::string word;
  std::cin >> word;
  return strtoflt128(word.c_str(), nullptr);
}
static void print(Q value) {
  char text[64];
  quadmath_snprintf(text, sizeof text, "%.25Qe", value);
  printf("%s ", text);
}
static Q sep(const V &y, int i, int j, int k) { return y[j * d + k] - y[i * d + k] + (field ? site[j] - site[i] : 0); }
static Q r2(const V &y, int i, int j) {
  Q s = 0;
  for (int k = 0; k < d; k++) s += sep(y, i, j, k) * sep(y, i, j, k);
  return s;
}
static Q rv(const V &y, int i, int j) {
  Q s = 0;
  for (int k = 0; k < d; k++) s += sep(y, i, j, k) * (y[n * d + j * d + k] - y[n * d + i * d + k]);
  return s;
}
static void slopes(const V &y, V &f) {
  for (int i = 0; i < n * d; i++) f[i] = y[n * d + i], f[n * d + i] = 0;
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      Q q = r2(y, i, j) + soft2, w = strength / (q * sqrtq(q));
      for (int k = 0; k < d; k++) {
        f[n * d + i * d + k] += w * mass[j] * sep(y, i, j, k);
        f[n * d + j * d + k] -= w * mass[i] * sep(y, i, j, k);
      }
    }
  f[2 * n * d] = 0;
  if (!field) return;
  for (int i = 0; i < n; i++) {
    Q x = y[i], v = y[n + i], extra = -drag[i] * v * fabsq(v);
    f[n + i] += -gravity[i] - alpha * x - beta_ * x * x * x + extra;
    f[2 * n] += mass[i] * v * extra;
  }
}
const int C = 12;
static Q step(const V &y, Q h, V &out) {
  std::vector<V> T(C, V(N));
  V f0(N), f(N), a(N), b(N), c(N);
  slopes(y, f0);
  for (int j = 0; j < C; j++) {
    int m = 2 * (j + 1);
    Q s = h / m;
    a = y;
    for (int i = 0; i < N; i++) b[i] = y[i] + s * f0[i];
    for (int q = 1; q < m; q++) {
      slopes(b, f);
      for (int i = 0; i < N; i++) c[i] = a[i] + 2 * s * f[i];
      std::swap(a, b), std::swap(b, c);
    }
    T[j] = b;
    for (int l = j - 1; l >= 0; l--) {
      Q r = Q(j + 1) / Q(l + 1), w = 1 / (r * r - 1);
      for (int i = 0; i < N; i++) T[l][i] = T[l + 1][i] + w * (T[l + 1][i] - T[l][i]);
    }
  }
  Q e = 0;
  for (int i = 0; i < N; i++) {
    Q size = fabsq(y[i]) + fabsq(h * f0[i]) + Q(1e-12), part = fabsq(T[0][i] - T[1][i]) / size;
    if (!(part <= e)) e = part;
  }
  out = T[0];
  return e;
}
int main() {
  field = (int)read(), n = (int)read(), d = (int)read();
  strength = read();
  Q eps = read();
  soft2 = eps * eps;
  alpha = read(), beta_ = read();
  Q end = read(), t = 0;
  N = 2 * n * d + 1;
  V y(N), z(N), w(N), f(N);
  for (int i = 0; i < n; i++) {
    mass.push_back(read()), radius.push_back(read()), site.push_back(read()), gravity.push_back(read()), drag.push_back(read());
    for (int k = 0; k < d; k++) y[i * d + k] = read();
    for (int k = 0; k < d; k++) y[n * d + i * d + k] = read();
  }
  Q least = -1, when = 0;
  auto meet = [&](Q dist, Q time) { if (least < 0 || dist < least) least = dist, when = time; };
  for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) meet(sqrtq(r2(y, i, j)), 0);
  Q h = end / 1000;
  int why = 0;
  const Q TOL = 1e-26Q;
  for (long tries = 0; tries < 400000 && t < end && !why; tries++) {
    if (t + h > end) h = end - t;
    Q e = step(y, h, z);
    if (!(e <= TOL)) { h *= isnanq(e) || e > 1 ? Q(0.1) : fmaxq(Q(0.2), Q(0.9) * powq(TOL / e, Q(1) / 23)); continue; }
    Q first = h;
    for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) {
      Q touch = radius[i] + radius[j], theta = h;
      if (rv(y, i, j) < 0 && rv(z, i, j) > 0) {
        Q lo = 0, hi = h;
        for (int q = 0; q < 90; q++) {
          Q mid = (lo + hi) / 2;
          step(y, mid, w);
          (rv(w, i, j) < 0 ? lo : hi) = mid;
        }
        step(y, hi, w), theta = hi;
        meet(sqrtq(r2(w, i, j)), t + hi);
      } else { w = z; meet(sqrtq(r2(z, i, j)), t + h); }
      if (touch > 0 && sqrtq(r2(w, i, j)) <= touch) {
        Q lo = 0, hi = theta;
        for (int q = 0; q < 100; q++) {
          Q mid = (lo + hi) / 2;
          step(y, mid, w);
          (sqrtq(r2(w, i, j)) > touch ? lo : hi) = mid;
        }
        if (hi <= first) first = hi, why = 1;
      }
    }
    if (why) { step(y, first, z); h = first; }
    y = z, t += h;
    h *= fminq(Q(3), Q(0.9) * powq(TOL / fmaxq(e, 1e-40Q), Q(1) / 23));
  }
  Q E = 0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < d; k++) E += mass[i] * y[n * d + i * d + k] * y[n * d + i * d + k] / 2;
    if (field) E += mass[i] * (gravity[i] * y[i] + alpha * y[i] * y[i] / 2 + beta_ * y[i] * y[i] * y[i] * y[i] / 4);
    for (int j = i + 1; j < n; j++) E -= strength * mass[i] * mass[j] / sqrtq(r2(y, i, j) + soft2);
  }
  print(t), printf("%d ", t < end && !why ? 2 : why);
  for (int i = 0; i < n; i++) { for (int k = 0; k < d; k++) print(y[i * d + k]); for (int k = 0; k < d; k++) print(y[n * d + i * d + k]); }
  print(E), print(y[2 * n * d]), print(least), print(when);
}
