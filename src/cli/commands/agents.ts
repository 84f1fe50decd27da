import { command } from '../command.ts'
import { parseCount } from '../format.ts'
import type { LogsFlags } from '../handlers/agents/logs.ts'
import type { PsFlags } from '../handlers/agents/ps.ts'
import type { UpFlags } from '../handlers/agents/up.ts'
import { argument, flag, noArguments, tuple } from '../parameters.ts'

export const agents = {
  up: command<UpFlags, [string]>({
    brief: 'Start an agent',
    more: 'It runs in your environment, and on when you log out of this shell. Arguments after -- go to the agent CLI as they are.',
    example: "rein up worker-1 --prompt 'Fix the failing test' -- --add-dir ../shared",
    rest: '[-- ARGUMENT…]',
    flags: {
      driver: flag.text('NAME', 'The agent CLI [default: setting agents.driver]'),
      host: flag.text('KIND', 'Where it runs: stream (no terminal) or tmux [default: stream]'),
      cwd: flag.text('DIR', 'Its working directory [default: this one]'),
      prompt: flag.text('TEXT', 'Its first prompt; - reads it from standard input'),
      system: flag.text('TEXT', 'Text to add to its system prompt'),
      model: flag.text('M', 'The model [default: setting agents.model]'),
      permissionMode: flag.text('M', 'What it may do without asking [default: setting agents.permission_mode]'),
      autoApprove: flag.yes('Let every tool run without asking: for work in a sandbox'),
      session: flag.text('ID', 'The id for its new conversation'),
      continue: flag.yes("Go on with this agent's own conversation, else with the newest of the directory"),
      resume: flag.text('ID', 'Go on with this conversation'),
      fork: flag.text('ID', 'Go on from this conversation in a new one, which leaves the old as it is'),
      export: flag.text('FILE', 'Where Rein copies the transcript when the agent ends'),
      env: {
        ...flag.parsed('K=V', 'A variable for the agent; may be repeated', String),
        variadic: true,
      },
    },
    args: tuple(argument.newHandle),
    load: () => import('../handlers/agents/up.ts'),
  }),
  ps: command<PsFlags, []>({
    brief: 'List agents',
    example: 'rein ps',
    flags: { all: flag.yes('Those that have ended, too') },
    aliases: { a: 'all' },
    args: noArguments,
    load: () => import('../handlers/agents/ps.ts'),
  }),
  down: command<object, [string]>({
    brief: 'Stop an agent',
    more: 'Its conversation stays: `rein up <handle> --continue` goes on with it. Its inbox stays, too.',
    example: 'rein down worker-1',
    flags: {},
    args: tuple(argument.handle),
    load: () => import('../handlers/agents/down.ts'),
  }),
  answer: command<object, [string, string]>({
    brief: 'Answer what an agent asks',
    more: '`rein ps` shows what it asks. A text denies a permission and says why, or answers a question.',
    example: 'rein answer worker-1 allow',
    flags: {},
    args: tuple(argument.handle, argument.answer),
    load: () => import('../handlers/agents/answer.ts'),
  }),
  interrupt: command<object, [string]>({
    brief: 'Interrupt what an agent is doing',
    more: 'It goes idle, with its conversation as it is.',
    example: 'rein interrupt worker-1',
    flags: {},
    args: tuple(argument.handle),
    load: () => import('../handlers/agents/interrupt.ts'),
  }),
  attach: command<object, [string]>({
    brief: "Show an agent's own terminal",
    more: 'The CLI itself, untouched. Ctrl-b d leaves it running. With --json: the command that does it.',
    example: 'rein attach worker-1',
    flags: {},
    args: tuple(argument.handle),
    load: () => import('../handlers/agents/attach.ts'),
  }),
  context: command<object, [string | undefined]>({
    brief: "Show how full an agent's context is",
    more: 'By what its newest reply used. An agent that names nobody means itself.',
    example: 'rein context worker-1',
    flags: {},
    args: tuple(argument.handleOrSelf),
    load: () => import('../handlers/agents/context.ts'),
  }),
  logs: command<LogsFlags, [string | undefined]>({
    brief: 'Show what an agent did',
    more: 'Prompts, replies and tool calls, from its own transcript. An agent that names nobody means itself. With --json: one record a line.',
    example: 'rein logs worker-1 --follow',
    flags: {
      lines: flag.parsed('N', 'How many records from the end [default: 50]', parseCount),
      follow: flag.yes('Go on until Ctrl-C'),
    },
    aliases: { n: 'lines', f: 'follow' },
    args: tuple(argument.handleOrSelf),
    load: () => import('../handlers/agents/logs.ts'),
  }),
}
