/*
 * Robertson's problem of bench/unified.ts by SUNDIALS CVODE: BDF, dense Newton, Jacobian by differences.
 *
 *   cc -O2 -o cvode cvode.c -lsundials_cvode -lsundials_nvecserial -lsundials_sunmatrixdense -lsundials_sunlinsoldense -lm
 *
 * A line of standard input names the problem and a relative tolerance; the answer is the CPU time of the fastest of
 * several batches in seconds a run, the number of right sides, and the first state at the end. Absolute tolerances are
 * those of SUNDIALS' own example, scaled by the relative one.
 */
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <time.h>

static int slopes(realtype t, N_Vector y, N_Vector dy, void *data)
{
  const realtype *s = N_VGetArrayPointer(y);
  realtype *d = N_VGetArrayPointer(dy);
  (void)t;
  (void)data;
  d[0] = -0.04 * s[0] + 1e4 * s[1] * s[2];
  d[1] = 0.04 * s[0] - 1e4 * s[1] * s[2] - 3e7 * (s[1] * s[1]);
  d[2] = 3e7 * (s[1] * s[1]);
  return 0;
}

static double cpu_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

/* One integration from 0 to 40. */
static int integrate(double tolerance, double *end, long *evaluations)
{
  SUNContext context;
  if (SUNContext_Create(NULL, &context)) return 1;
  N_Vector y = N_VNew_Serial(3, context), atol = N_VNew_Serial(3, context);
  realtype *s = N_VGetArrayPointer(y), *a = N_VGetArrayPointer(atol), t;
  s[0] = 1;
  s[1] = s[2] = 0;
  a[0] = 1e-4 * tolerance;
  a[1] = 1e-10 * tolerance;
  a[2] = 1e-2 * tolerance;
  void *solver = CVodeCreate(CV_BDF, context);
  SUNMatrix matrix = SUNDenseMatrix(3, 3, context);
  SUNLinearSolver linear = SUNLinSol_Dense(y, matrix, context);
  int failed = CVodeInit(solver, slopes, 0, y) || CVodeSVtolerances(solver, tolerance, atol) ||
               CVodeSetLinearSolver(solver, linear, matrix) || CVodeSetMaxNumSteps(solver, 100000) ||
               CVodeSetStopTime(solver, 40) || CVode(solver, 40, y, &t, CV_NORMAL) < 0;
  long of_jacobian = 0;
  CVodeGetNumRhsEvals(solver, evaluations);
  CVodeGetNumLinRhsEvals(solver, &of_jacobian);
  *evaluations += of_jacobian;
  *end = s[0];
  CVodeFree(&solver);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  N_VDestroy(atol);
  SUNContext_Free(&context);
  return failed;
}

int main(void)
{
  char name[32];
  double tolerance;
  while (scanf("%31s %lf", name, &tolerance) == 2) {
    double best = INFINITY, end = NAN;
    long evaluations = 0;
    if (strcmp(name, "robertson")) return 1;
    for (int batch = 0; batch < 5; batch++) {
      int runs = 0;
      double before = cpu_seconds(), elapsed = 0;
      while (elapsed < 0.004) {
        if (integrate(tolerance, &end, &evaluations)) return 1;
        runs++;
        elapsed = cpu_seconds() - before;
      }
      if (elapsed / runs < best) best = elapsed / runs;
    }
    printf("%.9g %ld %.17g\n", best, evaluations, end);
    fflush(stdout);
  }
  return 0;
}
