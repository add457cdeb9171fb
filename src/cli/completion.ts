// svc completion: a script that completes commands, options and choices in bash, zsh or fish. The script holds the whole
// tree of commands, so that a completion starts no process.

import { Argument, type Command } from 'commander';
import type { CliContext } from './context.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function addCompletionCommand(svc: Command, { terminal }: CliContext): void {
  svc
    .command('completion')
    .description('print completions for a shell: source <(svc completion bash), or svc completion fish | source')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => {
      terminal.stdout.write(completionScript(svc, shell));
    });
}

const completions = new WeakMap<Command, readonly string[]>();

/** Gives the words that shells offer as the first argument of a command, too many for its help and not all that it takes. */
export function completeWith(command: Command, words: readonly string[]): void {
  completions.set(command, words);
}

/** A command by its words, and what can stand behind them. */
interface Place {
  readonly at: string;
  readonly words: readonly string[];
  readonly options: readonly CompletedOption[];
}

interface CompletedOption {
  readonly long: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** Words that every shell reads as they are. */
const PLAIN = /^[\w./-]+$/;

function placesOf(command: Command, at: string): readonly Place[] {
  const commands = command.commands.map((one) => one.name());
  const options = command.options.flatMap(({ long, required, optional, argChoices = [] }) =>
    long ? [{ long, takesValue: required || optional, choices: argChoices }] : [],
  );
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const known = completions.get(command) ?? [];
  const words = [...commands, ...choices, ...known, ...options.map(({ long }) => long), '--help'].filter((one) =>
    PLAIN.test(one),
  );
  return [{ at, words, options }, ...command.commands.flatMap((one) => placesOf(one, `${at} ${one.name()}`))];
}

function completionScript(svc: Command, shell: Shell): string {
  const places = placesOf(svc, svc.name());
  const choices = places.flatMap(({ at, options }) =>
    options.flatMap(({ long, choices: words }) => {
      const plain = words.filter((word) => PLAIN.test(word));
      return plain.length === 0 ? [] : [{ at: `${at} ${long}`, words: plain }];
    }),
  );
  const known = new Set(choices.map(({ at }) => at));
  const values = places.flatMap(({ at, options }) =>
    options.flatMap(({ long, takesValue }) => (takesValue && !known.has(`${at} ${long}`) ? [`${at} ${long}`] : [])),
  );
  const tables = { commands: places.map(({ at }) => at).slice(1), choices, values, places };
  return shell === 'fish' ? fishScript(tables) : posixScript(tables, shell);
}

interface Tables {
  /** Commands by their words. */
  readonly commands: readonly string[];
  /** Options with choices. */
  readonly choices: readonly Pick<Place, 'at' | 'words'>[];
  /** Options with any value; shells complete names of files there. */
  readonly values: readonly string[];
  readonly places: readonly Pick<Place, 'at' | 'words'>[];
}

const quoted = (texts: readonly string[], separator: string) => texts.map((text) => `'${text}'`).join(separator);

/** A function that prints the words behind those in its arguments, and its use by bash or zsh. */
function posixScript({ commands, choices, values, places }: Tables, shell: 'bash' | 'zsh'): string {
  const say = ({ at, words }: Pick<Place, 'at' | 'words'>) => `    '${at}') printf '%s\\n' ${words.join(' ')} ;;`;
  return `# Completions of svc for ${shell}: source <(svc completion ${shell})
__svc_words() {
  local at=svc last= word
  shift
  for word in "$@"; do
    case "$at $word" in
      ${quoted(commands, '|')}) at="$at $word" ;;
    esac
    last=$word
  done
  case "$at $last" in
${choices.map(say).join('\n')}
    ${quoted(values, '|')}) ;;
    *) case "$at" in
${places.map((place) => `  ${say(place)}`).join('\n')}
    esac ;;
  esac
}
${GLUE[shell]}`;
}

const GLUE = {
  bash: `_svc() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(__svc_words "\${COMP_WORDS[@]:0:COMP_CWORD}")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _svc svc
`,
  zsh: `_svc() {
  local -a found
  found=("\${(@f)$(__svc_words "\${(@)words[1,CURRENT-1]}")}")
  if [[ -n "$found[1]" ]]; then compadd -- $found; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _svc svc
`,
} as const;

function fishScript({ commands, choices, values, places }: Tables): string {
  const say = ({ at, words }: Pick<Place, 'at' | 'words'>) =>
    `    case '${at}'\n      printf '%s\\n' ${words.join(' ')}\n      return`;
  return `# Completions of svc for fish: svc completion fish | source
function __svc_words
  set -l at svc
  set -l last ''
  for word in $argv[2..-1]
    switch "$at $word"
      case ${quoted(commands, ' ')}
        set at "$at $word"
    end
    set last $word
  end
  switch "$at $last"
${choices.map(say).join('\n')}
    case ${quoted(values, ' ')}
      __fish_complete_path (commandline -ct)
      return
  end
  switch "$at"
${places.map(say).join('\n')}
  end
end
complete -c svc -f -a '(__svc_words (commandline -opc))'
`;
}
