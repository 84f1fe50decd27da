import { command } from '../command.ts'
import { parseCount } from '../format.ts'
import { argument, flag, pauseKinds, trustBrief, tuple } from '../parameters.ts'

const policyBrief =
  'What it is answered when it asks: ask, approve or deny, or TOOL=ask|approve|deny; may be repeated [default: setting agents.policy]'
const pauseOn = {
  ...flag.oneOf(pauseKinds, 'Ask a person about each edit, or each command, whatever is allowed; may be repeated'),
  variadic: true,
} as const
const launching = {
  system: flag.text('TEXT', 'Text to add to its system prompt'),
  model: flag.text('M', 'The model [default: setting agents.model]'),
  permissionMode: flag.text('M', 'What it may do without asking [default: setting agents.permission_mode]'),
  autoApprove: flag.yes('Let every tool run without asking: for work in a sandbox'),
  policy: flag.repeated('RULE', policyBrief),
}

const ephemeral = flag.yes('Remember nothing of what it runs; the same as REIN_EPHEMERAL=1 before rein')

const trustFlag = flag.yes(trustBrief)

export const agents = {
  up: command({
    brief: 'Start an agent',
    more: 'It runs in your environment, and on when you log out of this shell. Arguments after -- go to the agent CLI as they are.',
    example: "rein up worker-1 --prompt 'Fix the failing test' -- --add-dir ../shared",
    rest: '[-- ARGUMENT…]',
    flags: {
      driver: flag.text('NAME', 'The agent CLI [default: setting agents.driver]'),
      host: flag.text('KIND', 'Where it runs: tmux, pty or stream (no terminal) [default: setting agents.host]'),
      cwd: flag.text('DIR', 'Its working directory [default: this one]'),
      prompt: flag.text('TEXT', 'Its first prompt; - reads it from standard input'),
      ...launching,
      pauseOn,
      noRestart: flag.yes('When it crashes, leave it down'),
      session: flag.text('ID', 'The id for its new conversation'),
      continue: flag.yes("Go on with this agent's own conversation, else with the newest of the directory"),
      resume: flag.text('ID', 'Go on with this conversation'),
      fork: flag.text('ID', 'Go on from this conversation in a new one, which leaves the old as it is'),
      export: flag.text('FILE', 'Where Rein copies the transcript when the agent ends'),
      env: flag.repeated('K=V', 'A variable for the agent; may be repeated'),
      ephemeral,
      trust: trustFlag,
    },
    args: tuple(argument.newHandle),
    load: () => import('./up.ts'),
  }),
  here: command({
    brief: 'Run an agent in this terminal',
    more: 'The CLI itself, inside and outside of tmux alike, and an agent like any other: it can be told things. It ends with this command, and this command with it, with its exit code. Arguments after -- go to the agent CLI as they are.',
    example: 'rein here worker-1 -- --add-dir ../shared',
    rest: '[-- ARGUMENT…]',
    flags: {
      driver: flag.text('NAME', 'The agent CLI [default: setting agents.driver]'),
      prompt: flag.text('TEXT', 'Its first prompt'),
      ...launching,
      continue: flag.yes("Go on with this agent's own conversation, else with the newest of the directory"),
      resume: flag.text('ID', 'Go on with this conversation'),
      env: flag.repeated('K=V', 'A variable for the agent; may be repeated'),
      ephemeral,
    },
    args: tuple(argument.newHandleOrNone),
    load: () => import('./here.ts'),
  }),
  ps: command({
    brief: 'List agents',
    example: 'rein ps --watch',
    flags: {
      all: flag.yes('Those that have ended, too'),
      watch: flag.yes('Go on until Ctrl-C, and show each change'),
    },
    aliases: { a: 'all', w: 'watch' },
    load: () => import('./ps.ts'),
  }),
  status: command({
    brief: 'Show how many agents work and ask; without --short: the same as rein ps',
    more: 'With --short: one segment for a shell prompt or a status line, like `2 working · 1 asks`; nothing if no agent runs. It starts no daemon.',
    example: 'rein status --short',
    flags: {
      short: flag.yes('One segment for a prompt'),
      all: flag.yes('Those that have ended, too'),
    },
    aliases: { a: 'all', s: 'short' },
    load: () => import('./status.ts'),
  }),
  top: command({
    brief: 'Watch all agents at work, and step in',
    more: 'What they do, ask and use, and what the selected one shows; keys to tell, start, answer, attach, interrupt, stop and rewind: ? shows them. With --json: all agents in detail, one array a line at each change.',
    example: 'rein top',
    flags: { all: flag.yes('Those that have ended, too') },
    aliases: { a: 'all' },
    load: () => import('./top.ts'),
  }),
  down: command({
    brief: 'Stop an agent',
    more: 'Its conversation stays: `rein up <handle> --continue` goes on with it. Its inbox stays, too.',
    example: 'rein down worker-1',
    args: tuple(argument.handle),
    load: () => import('./down.ts'),
  }),
  restart: command({
    brief: 'Stop an agent and start it again',
    more: 'With what it was started with, in its conversation. Its inbox stays.',
    example: 'rein restart worker-1',
    flags: { fresh: flag.yes('In a fresh conversation') },
    args: tuple(argument.handle),
    load: () => import('./restart.ts'),
  }),
  resume: command({
    brief: 'Bring agents back that were running',
    more: 'After the machine was restarted, or Rein gave an agent up: each in its directory, with its conversation. Without a handle: all of them. They run in your environment.',
    example: 'rein resume',
    flags: {
      waitForDaemon: flag.yes('Wait for the daemon that something else starts, up to a minute, and start none'),
    },
    args: tuple(argument.handleOrSelf),
    load: () => import('./resume.ts'),
  }),
  pause: command({
    brief: 'Let an agent end its turn and begin none',
    more: 'What is told to it waits. A person at its terminal can still use it.',
    example: 'rein pause worker-1 --now',
    flags: { now: flag.yes('Interrupt what it is doing') },
    args: tuple(argument.handle),
    load: () => import('./pause.ts'),
  }),
  unpause: command({
    brief: 'Let a paused agent go on',
    more: 'One that was interrupted is told to go on with what it was doing.',
    example: 'rein unpause worker-1',
    args: tuple(argument.handle),
    load: () => import('./unpause.ts'),
  }),
  answer: command({
    brief: 'Answer what an agent asks',
    more: 'Without an answer: shows all of what it asks. The name or number of an option chooses it. Any other text answers a question, and denies anything else and says why.',
    example: 'rein answer worker-1 allow',
    args: tuple(argument.handle, argument.answer),
    load: () => import('./answer.ts'),
  }),
  interrupt: command({
    brief: 'Interrupt what an agent is doing',
    more: 'It goes idle, with its conversation as it is.',
    example: 'rein interrupt worker-1',
    args: tuple(argument.handle),
    load: () => import('./interrupt.ts'),
  }),
  attach: command({
    brief: "Show an agent's own terminal",
    more: 'The CLI itself. Ctrl-q leaves it running, also inside your own tmux; outside of it Ctrl-b d does, too. With --json: where it is.',
    example: 'rein attach worker-1',
    args: tuple(argument.handle),
    load: () => import('./attach.ts'),
  }),
  context: command({
    brief: "Show how full an agent's context is",
    more: 'By what its newest reply used. An agent that names nobody means itself.',
    example: 'rein context worker-1',
    args: tuple(argument.handleOrSelf),
    load: () => import('./context.ts'),
  }),
  logs: command({
    brief: 'Show what an agent did',
    more: 'Prompts, replies and tool calls, from its own transcript. An agent that names nobody means itself. With --json: one record a line.',
    example: 'rein logs worker-1 --follow',
    flags: {
      lines: flag.parsed('N', 'How many records from the end [default: 50]', parseCount),
      follow: flag.yes('Go on until Ctrl-C'),
    },
    aliases: { n: 'lines', f: 'follow' },
    args: tuple(argument.handleOrSelf),
    load: () => import('./logs.ts'),
  }),
}
