import { buildRouteMap } from '@stricli/core'
import { mostAgents } from '../../contract/task-limits.ts'
import { command } from '../command.ts'
import { parseCount } from '../format.ts'
import { argument, flag, trustBrief, tuple } from '../parameters.ts'

const parseAgents = (text: string): number => {
  const count = parseCount(text)
  if (count <= mostAgents) return count
  throw new SyntaxError(`at most ${mostAgents} are possible`)
}

const policyBrief =
  'What they are answered when they ask: ask, approve or deny, or TOOL=ask|approve|deny; may be repeated [default: setting agents.policy]'
const launchFlags = {
  host: flag.text('KIND', 'Where they run: tmux, pty or stream (no terminal) [default: setting agents.host]'),
  permissionMode: flag.text('M', 'What they may do without asking [default: setting agents.permission_mode]'),
  autoApprove: flag.yes('Let every tool run without asking: for work in a sandbox'),
  policy: flag.repeated('RULE', policyBrief),
  trust: flag.yes(trustBrief),
} as const
const textFlags = {
  spec: flag.text('FILE', 'Its spec; - reads it from standard input [default: a template to fill in]'),
  prompt: flag.text('TEXT', 'Further instructions; - reads them from standard input'),
  worktree: flag.oneOf(['task', 'agent'], 'A git work tree of its own for the task, or for each of its agents'),
} as const
const force = flag.yes('Also with open blockers, and with work trees whose changes would be lost')

const task = buildRouteMap({
  docs: { brief: 'Manage tasks and their agents' },
  routes: {
    new: command({
      brief: 'Make a task',
      more: 'Its texts are in .rein/tasks/NAME: SPEC.md, PROMPT.md, HANDOVER.md. Existing files are not overwritten.',
      examples: [
        'rein task new parser --spec parser.md --worktree agent',
        "rein task new parser --prompt 'Parse ISO dates'",
      ],
      flags: textFlags,
      args: tuple(argument.newTask),
      load: () => import('./new.ts'),
    }),
    list: command({
      brief: 'List the tasks of this project',
      examples: ['rein task list', 'rein task list --json'],
      load: () => import('./list.ts'),
    }),
    show: command({
      brief: 'Show a task: its agents, blockers and problems',
      examples: ['rein task show parser', 'rein task show parser --json'],
      args: tuple(argument.task),
      load: () => import('./show.ts'),
    }),
    start: command({
      brief: 'Start the agents of a task again, or one if it has none',
      more: 'Each in its conversation and its work tree. For a team: rein orchestrate.',
      examples: ['rein task start parser', 'rein task start parser --driver codex'],
      flags: {
        driver: flag.text('NAME', 'The agent CLI of a first agent [default: setting agents.driver]'),
        ...launchFlags,
      },
      args: tuple(argument.task),
      load: () => import('./start.ts'),
    }),
    pause: command({
      brief: 'Pause the agents of a task after their turns',
      more: 'Exit code 1 if an agent cannot be paused; the others are paused all the same.',
      examples: ['rein task pause parser', 'rein task pause parser --now'],
      flags: { now: flag.yes('Interrupt what they are doing') },
      args: tuple(argument.task),
      load: () => import('./pause.ts'),
    }),
    resume: command({
      brief: 'Resume a paused task',
      examples: ['rein task resume parser', 'rein task resume parser --json'],
      args: tuple(argument.task),
      load: () => import('./resume.ts'),
    }),
    stop: command({
      brief: 'Stop the agents of a task, and remove its work trees',
      more: 'Work trees go if everything in them is committed and merged; with --force in any case, and only commits are kept. Conversations and texts stay.',
      examples: ['rein task stop parser', 'rein task stop parser --force'],
      flags: { force },
      args: tuple(argument.task),
      load: () => import('./stop.ts'),
    }),
    done: command({
      brief: 'Mark a task as done: stop it for good',
      more: 'Refused while a blocker is open.',
      examples: ['rein task done parser', 'rein task done parser --force'],
      flags: { force },
      args: tuple(argument.task),
      load: () => import('./done.ts'),
    }),
    report: command({
      brief: 'As an agent: tell the lead of your task something',
      more: 'A blocker wakes the lead; progress says how far you are, review-request what to review.',
      examples: [
        "rein task report blocker 'The schema of dates is missing in the spec'",
        "rein task report progress 'Half of the tests pass'",
      ],
      args: tuple(argument.leadMessage, argument.text),
      load: () => import('./report.ts'),
    }),
  },
})

const team = buildRouteMap({
  docs: { brief: 'Start and stop the agents that .rein/team.toml names' },
  routes: {
    up: command({
      brief: 'Start missing agents of the team',
      more: 'An agent that ran before continues its conversation.',
      examples: ['rein team up', 'rein team up --policy approve'],
      flags: launchFlags,
      load: () => import('../team/up.ts'),
    }),
    down: command({
      brief: 'Stop them',
      examples: ['rein team down', 'rein team down --json'],
      load: () => import('../team/down.ts'),
    }),
    status: command({
      brief: 'Show wanted and running agents',
      examples: ['rein team status', 'rein team status --json'],
      load: () => import('../team/status.ts'),
    }),
  },
})

export const tasks = {
  task,
  orchestrate: command({
    brief: 'Start a team on a task: a lead and its agents',
    more: 'Creates the task if there is none, with a room of its name. Running agents stay. rein attach NAME shows all of them.',
    examples: [
      'rein orchestrate parser --agents 2 --drivers claude,codex --spec parser.md',
      "rein orchestrate parser --agents 1 --prompt 'Parse ISO dates' --save",
    ],
    next: ['rein task show parser', 'rein chat', 'rein story parser'],
    flags: {
      agents: flag.parsed('N', 'How many agents besides the lead [default: 2]', parseAgents),
      drivers: flag.text(
        'NAMES',
        'Their agent CLIs, with commas; the first is the lead’s [default: setting agents.driver]',
      ),
      ...textFlags,
      ...launchFlags,
      takeOver: flag.yes('Replace a dead lead'),
      save: flag.yes('Add them to .rein/team.toml, for rein team up'),
    },
    args: tuple(argument.newTask),
    load: () => import('./orchestrate.ts'),
  }),
  team,
}
