// Systems of bench/unified.ts by Boost.odeint's Dormand–Prince 5(4), timed on request.
//
//   c++ -O2 -o odeint odeint.cpp
//
// A line of standard input names a problem and a relative tolerance, which is also the absolute one; the answer is the
// CPU time of the fastest of several batches in seconds a run, the number of right sides, and the first state at the
// end.
#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace odeint = boost::numeric::odeint;

static long evaluations;

struct Lorenz {
  typedef std::array<double, 3> state;
  static constexpr double end = 10;
  static state start() { return {1, 1, 1}; }
  void operator()(const state &s, state &ds, double) const
  {
    evaluations++;
    ds[0] = 10 * (s[1] - s[0]);
    ds[1] = s[0] * (28 - s[2]) - s[1];
    ds[2] = s[0] * s[1] - 8.0 / 3 * s[2];
  }
};

struct Arenstorf {
  typedef std::array<double, 4> state;
  static constexpr double end = 17.06521656015796;
  static state start() { return {0.994, 0, 0, -2.00158510637908252}; }
  void operator()(const state &s, state &ds, double) const
  {
    evaluations++;
    const double mu = 0.012277471, nu = 1 - mu, x = s[0], y = s[1];
    const double a = x + mu, b = x - nu;
    const double d1 = std::pow(a * a + y * y, 1.5), d2 = std::pow(b * b + y * y, 1.5);
    ds[0] = s[2];
    ds[1] = s[3];
    ds[2] = x + 2 * s[3] - nu * a / d1 - mu * b / d2;
    ds[3] = y - 2 * s[2] - nu * y / d1 - mu * y / d2;
  }
};

/** Eight pendulums with springs between neighbours: angles, then velocities. */
struct Chain {
  static constexpr int N = 8;
  typedef std::array<double, 2 * N> state;
  static constexpr double end = 10;
  static state start()
  {
    state s{};
    for (int i = 0; i < N; i++) s[i] = 0.3 * (i + 1);
    return s;
  }
  void operator()(const state &s, state &ds, double) const
  {
    evaluations++;
    for (int i = 0; i < N; i++) {
      const double left = i > 0 ? s[i - 1] : 0, right = i < N - 1 ? s[i + 1] : 0;
      ds[i] = s[N + i];
      ds[N + i] = -std::sin(s[i]) + 2 * (left - 2 * s[i] + right);
    }
  }
};

static double cpuSeconds()
{
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

template <class System>
static void measure(double tolerance)
{
  typedef odeint::runge_kutta_dopri5<typename System::state> Stepper;
  double best = INFINITY;
  typename System::state state;
  for (int batch = 0; batch < 5; batch++) {
    int runs = 0;
    const double before = cpuSeconds();
    double elapsed = 0;
    while (elapsed < 0.004) {
      evaluations = 0;
      state = System::start();
      odeint::integrate_adaptive(odeint::make_controlled<Stepper>(tolerance, tolerance), System(), state, 0.0,
                                 System::end, 1e-3);
      runs++;
      elapsed = cpuSeconds() - before;
    }
    if (elapsed / runs < best) best = elapsed / runs;
  }
  std::printf("%.9g %ld %.17g\n", best, evaluations, state[0]);
  std::fflush(stdout);
}

int main()
{
  char name[32];
  double tolerance;
  while (std::scanf("%31s %lf", name, &tolerance) == 2) {
    if (!std::strcmp(name, "lorenz")) measure<Lorenz>(tolerance);
    else if (!std::strcmp(name, "arenstorf")) measure<Arenstorf>(tolerance);
    else if (!std::strcmp(name, "chain")) measure<Chain>(tolerance);
    else return 1;
  }
  return 0;
}
