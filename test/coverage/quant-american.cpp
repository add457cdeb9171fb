// American prices by the integral equation of the exercise boundary, with QuantLib's engine of high precision.
//
// Reads "phi S K r q sigma days" per line, a year having 365 days; prints the price. Used by quant.py.
#include <iomanip>
#include <iostream>
#include <ql/pricingengines/vanilla/qdfpamericanengine.hpp>
#include <ql/quantlib.hpp>

using namespace QuantLib;

int main() {
  const Date today(1, January, 2026);
  Settings::instance().evaluationDate() = today;
  const DayCounter days = Actual365Fixed();
  double phi, s, k, r, q, sigma;
  int life;
  std::cout << std::setprecision(15);
  while (std::cin >> phi >> s >> k >> r >> q >> sigma >> life) {
    const Handle<Quote> spot(ext::make_shared<SimpleQuote>(s));
    const Handle<YieldTermStructure> rate(ext::make_shared<FlatForward>(today, r, days));
    const Handle<YieldTermStructure> yield(ext::make_shared<FlatForward>(today, q, days));
    const Handle<BlackVolTermStructure> vol(ext::make_shared<BlackConstantVol>(today, NullCalendar(), sigma, days));
    const auto process = ext::make_shared<BlackScholesMertonProcess>(spot, yield, rate, vol);
    VanillaOption option(ext::make_shared<PlainVanillaPayoff>(phi > 0 ? Option::Call : Option::Put, k),
                         ext::make_shared<AmericanExercise>(today, today + life));
    option.setPricingEngine(
        ext::make_shared<QdFpAmericanEngine>(process, QdFpAmericanEngine::highPrecisionScheme()));
    std::cout << option.NPV() << std::endl;
  }
}
