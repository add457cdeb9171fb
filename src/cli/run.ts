// svc run: presets of solvers, listed and run by name.

import { Command } from 'commander';
import { findPreset, PRESETS, type Preset } from '../solvers/presets.ts';
import { completeWith } from './completion.ts';
import type { CliContext } from './context.ts';
import { addSolveCommands } from './solve.ts';
import { paint, print, printJson, type Terminal } from './terminal.ts';

export function addRunCommand(svc: Command, context: CliContext): void {
  const run = svc
    .command('run')
    .description(
      'run a preset of a solver, or list them: svc run, svc run <solver>, svc run <solver>/<preset> --field value',
    )
    .argument('[preset]', 'its name; without one, or with the name of a solver, presets are listed')
    .argument('[options...]', 'options of svc solve; they replace fields of the preset')
    .allowUnknownOption()
    .action(async (name: string | undefined, options: readonly string[]) => {
      const listed = name === undefined || name === '--json' ? PRESETS : presetsOf(name);
      if (listed.length > 0) printPresets(context.terminal, listed, [name, ...options].includes('--json'));
      else await runPreset(svc, context, findPreset((name ?? '').replace(/^presets\//, '')), options);
    });
  completeWith(
    run,
    PRESETS.map(({ name }) => name),
  );
}

const presetsOf = (solver: string) => PRESETS.filter((preset) => preset.solver === solver);

function printPresets(terminal: Terminal, presets: readonly Preset[], asJson: boolean): void {
  if (asJson) {
    printJson(terminal, presets);
    return;
  }
  for (const { name, title } of presets) print(terminal, `${name}  ${paint(terminal, 'dim', title)}`);
}

/** As `svc solve`, with the preset where no option says otherwise. */
async function runPreset(
  svc: Command,
  context: CliContext,
  { solver, input }: Preset,
  options: readonly string[],
): Promise<void> {
  const program = new Command(svc.name()).copyInheritedSettings(svc);
  addSolveCommands(program, context);
  const solve = program.commands[0]?.commands.find((one) => one.name() === solver);
  for (const [field, value] of Object.entries(input)) solve?.setOptionValueWithSource(field, value, 'config');
  await program.parseAsync(['solve', solver, ...options], { from: 'user' });
}
