% DC power flow by Octave's sparse solver, as MATPOWER's dcpf does it: the matrix is built and solved in every run.
% Reads words per line and prints one line: CPU seconds of one run, then its largest flow, for bench/harness/peer.ts.
1;

function largest = flow(bus, branch)
  free = find(bus(:, 1) < 2);
  fixed = find(bus(:, 1) >= 2);
  on = branch(:, 11) ~= 0;
  f = branch(on, 1) + 1;
  t = branch(on, 2) + 1;
  b = 1 ./ (branch(on, 4) .* branch(on, 6));
  m = numel(b);
  i = [1:m, 1:m]';
  incidence = sparse(i, [f; t], [ones(m, 1); -ones(m, 1)], m, rows(bus));
  flow_of = sparse(i, [f; t], [b; -b], m, rows(bus));
  matrix = incidence' * flow_of;
  shifted = -b .* branch(on, 7);
  power = bus(:, 2) - bus(:, 4) - incidence' * shifted;
  theta = bus(:, 8);
  theta(free) = matrix(free, free) \ (power(free) - matrix(free, fixed) * theta(fixed));
  largest = max(abs(flow_of * theta + shifted));
end

while ischar(line = fgetl(stdin))
  if isempty(line)
    continue
  end
  numbers = sscanf(line, '%f');
  buses = numbers(1);
  bus = reshape(numbers(3:2 + 10 * buses), 10, buses)';
  branch = reshape(numbers(3 + 10 * buses:end), 11, numbers(2))';
  runs = 0;
  begin = cputime();
  while runs == 0 || cputime() - begin < 0.1
    largest = flow(bus, branch);
    runs++;
  end
  printf('%.17g %.17g\n', (cputime() - begin) / runs, largest);
  fflush(stdout);
end
