// QuantLib's Monte Carlo engine for a European call, and its seed.
//
// Reads "paths seed" per line; prints CPU seconds, the price and its standard error.
#include <ctime>
#include <iomanip>
#include <iostream>
#include <ql/quantlib.hpp>

using namespace QuantLib;

int main() {
  const Date today(1, January, 2026);
  Settings::instance().evaluationDate() = today;
  const DayCounter days = Actual365Fixed();
  const Handle<Quote> spot(ext::make_shared<SimpleQuote>(100.0));
  const Handle<YieldTermStructure> rate(ext::make_shared<FlatForward>(today, 0.05, days));
  const Handle<YieldTermStructure> yield(ext::make_shared<FlatForward>(today, 0.0, days));
  const Handle<BlackVolTermStructure> vol(ext::make_shared<BlackConstantVol>(today, NullCalendar(), 0.2, days));
  const auto process = ext::make_shared<BlackScholesMertonProcess>(spot, yield, rate, vol);
  VanillaOption option(ext::make_shared<PlainVanillaPayoff>(Option::Call, 100.0),
                       ext::make_shared<EuropeanExercise>(today + 365));
  long paths, seed;
  std::cout << std::setprecision(17);
  while (std::cin >> paths >> seed) {
    option.setPricingEngine(MakeMCEuropeanEngine<PseudoRandom>(process).withSteps(1).withSamples(paths).withSeed(seed));
    const std::clock_t begin = std::clock();
    const double price = option.NPV();
    const double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
    std::cout << seconds << ' ' << price << ' ' << option.errorEstimate() << std::endl;
  }
}
