import { command } from '../command.ts'
import { parseCount } from '../format.ts'
import { argument, flag, pauseKinds, trustBrief, tuple, words } from '../parameters.ts'

const policyBrief =
  'What it is answered when it asks: ask, approve or deny, or TOOL=ask|approve|deny; may be repeated [default: setting agents.policy]'
const pauseOn = {
  ...flag.oneOf(pauseKinds, 'Ask a person about each edit, or each command, even if it is allowed; may be repeated'),
  variadic: true,
} as const
const launching = {
  system: flag.text('TEXT', 'Text to add to its system prompt'),
  model: flag.text('M', 'The model [default: setting agents.model]'),
  permissionMode: flag.text('M', 'What it may do without asking [default: setting agents.permission_mode]'),
  autoApprove: flag.yes('Let every tool run without asking: for work in a sandbox'),
  policy: flag.repeated('RULE', policyBrief),
}

const ephemeral = flag.yes('Remember no command that it runs; the same as REIN_EPHEMERAL=1 before rein')

const trustFlag = flag.yes(trustBrief)

export const agents = {
  up: command({
    brief: 'Start an agent',
    more: 'The agent gets your environment and keeps running when you log out of this shell. With --all: each agent that was running when the machine went down, or that Rein gave up, in its directory, with its conversation. Arguments after -- go to the agent CLI as they are.',
    examples: [
      "rein up worker-1 --prompt 'Fix the failing test' -- --add-dir ../shared",
      'rein up worker-1 --continue',
    ],
    next: ['rein ps', 'rein attach worker-1', "rein tell worker-1 'How far are you?'", 'rein logs worker-1'],
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
      continue: flag.yes("Continue this agent's own conversation, else the newest of the directory"),
      resume: flag.text('ID', 'Continue this conversation'),
      fork: flag.text('ID', 'Continue this conversation in a new one, and leave the old one as it is'),
      output: flag.text('FILE', 'Where Rein copies the transcript when the agent ends'),
      env: flag.repeated('K=V', 'A variable for the agent; may be repeated'),
      ephemeral,
      trust: trustFlag,
      all: flag.yes('Bring back all agents that were running, after a restart of the machine; takes no other flag'),
      waitForDaemon: flag.yes('With --all: wait up to a minute for a daemon that another program starts'),
    },
    args: tuple(argument.newHandleOrAll),
    load: () => import('./up.ts'),
  }),
  here: command({
    brief: 'Run an agent in this terminal',
    more: 'Shows the CLI itself, inside or outside of tmux. It is an agent like any other: you can tell it things. It ends with this command, and this command with it, with its exit code. Arguments after -- go to the agent CLI as they are.',
    examples: ['rein here worker-1 -- --add-dir ../shared', 'rein here --driver codex -m gpt-5'],
    next: ['rein ps', "rein tell worker-1 'How far are you?'"],
    rest: '[-- ARGUMENT…]',
    flags: {
      driver: flag.text('NAME', 'The agent CLI [default: setting agents.driver]'),
      prompt: flag.text('TEXT', 'Its first prompt'),
      ...launching,
      continue: flag.yes("Continue this agent's own conversation, else the newest of the directory"),
      resume: flag.text('ID', 'Continue this conversation'),
      env: flag.repeated('K=V', 'A variable for the agent; may be repeated'),
      ephemeral,
    },
    args: tuple(argument.newHandleOrNone),
    load: () => import('./here.ts'),
  }),
  ps: command({
    brief: 'List agents',
    examples: ['rein ps --watch', 'rein ps --all'],
    next: ['rein top', 'rein attach worker-1', 'rein logs worker-1'],
    flags: {
      all: flag.yes('Also show ended ones'),
      watch: flag.yes('Keep running until Ctrl-C, and show each change'),
      short: flag.yes('One segment for a shell prompt, like `2 working · 1 asks`; starts no daemon'),
    },
    load: () => import('./ps.ts'),
  }),
  top: command({
    brief: 'Watch all agents at work, and step in',
    more: "Shows each agent's work, questions and cost, and the screen of the selected one. Keys tell, start, answer, attach, interrupt, stop and rewind: ? lists them. With --json: all agents in detail, one array a line at each change.",
    examples: ['rein top', 'rein top --all'],
    next: ['rein attach worker-1', 'rein answer worker-1'],
    flags: { all: flag.yes('Also show ended ones') },
    load: () => import('./top.ts'),
  }),
  down: command({
    brief: 'Stop agents',
    more: 'The conversation stays: `rein up HANDLE --continue` goes on with it. The inbox stays, too.',
    examples: ['rein down worker-1', 'rein down worker-1 worker-2'],
    next: ['rein up worker-1 --continue', 'rein ps --all'],
    flags: {
      all: flag.yes('All that Rein started, of all projects; asks first'),
      yes: flag.yes('Do not ask'),
    },
    args: words(argument.handle),
    load: () => import('./down.ts'),
  }),
  restart: command({
    brief: 'Stop an agent and start it again',
    more: 'It keeps its options, its inbox and, without --fresh, its conversation.',
    examples: ['rein restart worker-1', 'rein restart worker-1 --fresh'],
    next: ['rein ps', 'rein logs worker-1'],
    flags: { fresh: flag.yes('In a fresh conversation') },
    args: tuple(argument.handle),
    load: () => import('./restart.ts'),
  }),
  pause: command({
    brief: 'Pause an agent after its current turn',
    more: 'Messages to it wait. A person at its terminal can still use it.',
    examples: ['rein pause worker-1 --now', 'rein pause worker-1'],
    next: ['rein resume worker-1'],
    flags: { now: flag.yes('Interrupt what it is doing') },
    args: tuple(argument.handle),
    load: () => import('./pause.ts'),
  }),
  resume: command({
    brief: 'Let a paused agent continue',
    more: 'An interrupted agent is told to continue its work. After a restart of the machine: rein up --all',
    examples: ['rein resume worker-1', 'rein resume shop/worker-1'],
    next: ['rein ps', 'rein logs worker-1'],
    args: tuple(argument.handle),
    load: () => import('./resume.ts'),
  }),
  answer: command({
    brief: "Answer an agent's question",
    more: 'Without an answer: shows the whole question. The name or number of an option chooses it. Any other text answers a question; for a permission, it denies with that text as the reason, where the question offers that.',
    examples: ['rein answer worker-1 allow', 'rein answer worker-1'],
    flags: {
      always: flag.yes('With allow: exactly this call, also whenever it is asked for again; asks first'),
      question: flag.text(
        'ID',
        'Answer only this question (its id: rein answer HANDLE --json); --always then needs no confirmation',
      ),
      askAgain: flag.text('ID', 'Ask again about a call that is always allowed'),
    },
    next: ['rein logs worker-1 --follow'],
    args: tuple(argument.handle, argument.answer),
    load: () => import('./answer.ts'),
  }),
  interrupt: command({
    brief: 'Interrupt what an agent is doing',
    more: 'It goes idle, with its conversation as it is.',
    examples: ['rein interrupt worker-1', 'rein interrupt shop/worker-1'],
    next: ["rein tell worker-1 'How far are you?'"],
    args: tuple(argument.handle),
    load: () => import('./interrupt.ts'),
  }),
  attach: command({
    brief: "Open an agent's terminal",
    more: 'Shows the CLI itself. Ctrl-q leaves it running, also inside your own tmux; outside of tmux, Ctrl-b d does, too. With --json: prints where it is.',
    examples: ['rein attach worker-1', 'rein attach shop/worker-1'],
    next: ["rein tell worker-1 'How far are you?'", 'rein logs worker-1'],
    args: tuple(argument.handle),
    load: () => import('./attach.ts'),
  }),
  logs: command({
    brief: 'Show what an agent did',
    more: 'Prompts, replies and tool calls, from its own transcript. An agent that gives no handle means itself. With --json: one record a line.',
    examples: ['rein logs worker-1 --follow', 'rein logs worker-1 -n 200 --json'],
    next: ['rein session show worker-1', 'rein story worker-1'],
    flags: {
      limit: flag.parsed('N', 'Number of records from the end [default: 50]', parseCount),
      follow: flag.yes('Keep running until Ctrl-C'),
    },
    args: tuple(argument.handleOrSelf),
    load: () => import('./logs.ts'),
  }),
}
