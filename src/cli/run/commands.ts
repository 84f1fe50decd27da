import { command } from '../command.ts'
import { parseAtLeastOne } from '../format.ts'
import { argument, flag, handleName, trustBrief, tuple } from '../parameters.ts'

const pauses = ['edit', 'bash', 'turn', 'cost'] as const

const dollars = (text: string): number => {
  const amount = Number(text)
  if (text.trim() !== '' && amount > 0 && Number.isFinite(amount)) return amount
  throw new SyntaxError('an amount in US dollars is needed, like 2.50')
}

export const run = {
  run: command({
    brief: 'Run an agent here, for one prompt or until done',
    more: 'It works without a terminal of its own; you see what it does as it does it, and it ends with this command. Everything else reaches it as any agent: rein tell, rein answer. Without a prompt: standard input. Arguments after -- go to the agent CLI as they are.\nExit codes: 0 done, 10 turn limit, 11 budget, 12 no progress, 13 stopped by somebody, 130 interrupted.',
    examples: [
      "rein run 'Make the tests pass' --until 'npm test' --max-turns 10 --policy approve",
      "rein run -c 'Now update the docs'",
    ],
    next: ["rein run -c 'Go on'", 'rein session list', "rein tell run 'How far are you?'"],
    rest: '[-- ARGUMENT…]',
    flags: {
      continue: flag.yes('Continue the newest conversation of this directory'),
      resume: flag.text('ID', 'Continue this session, conversation or agent'),
      driver: flag.text('NAME', 'The agent CLI [default: setting agents.driver]'),
      as: flag.parsed('HANDLE', 'Name of the agent [default: run, run-2 …]', handleName),
      cwd: flag.text('DIR', 'Its working directory [default: this one]'),
      model: flag.text('M', 'The model [default: setting agents.model]'),
      policy: flag.repeated('RULE', 'What it is answered when it asks, as in rein up; may be repeated'),
      loop: flag.yes('Continue turn after turn until the agent says that it is done'),
      until: flag.text('COMMAND', 'Continue until this shell command succeeds; it runs after each turn'),
      maxTurns: flag.parsed(
        'N',
        'End after this many replies of the model, all prompts together; each reply may call tools [default: setting run.max_turns]',
        parseAtLeastOne,
      ),
      budget: flag.parsed('USD', "End when this much money is spent, by the CLI's count", dollars),
      pauseOn: {
        ...flag.oneOf(pauses, 'Ask before each edit, shell command or turn, or when the cost rises; may be repeated'),
        variadic: true,
      },
      ephemeral: flag.yes('Remember no command that it runs; the same as REIN_EPHEMERAL=1 before rein'),
      trust: flag.yes(trustBrief),
      verbose: flag.yes('Inputs and outputs of tools, too'),
    },
    args: tuple({
      ...argument.text,
      placeholder: 'prompt',
      brief: 'What it is to do; - reads it from standard input',
      optional: true,
    }),
    load: () => import('./handler.ts'),
  }),
}
