import { z } from 'zod'
import { AdviceKind, AdviceMoment, Command, CommandSource, Outcome, Suggested } from '../command.ts'
import { longestCommand } from '../outcome.ts'
import { type ClientInput, flag, HereInput, time } from './fields.ts'
import { route, type Routes } from './route.ts'

const limit = z.coerce.number<number>().int().min(1).max(10_000)
const share = (what: string) => z.number().describe(`${what}, between 0 and 1`)

/** A command as any program reports it; without a session it forms one of its own. */
export const IngestedCommand = z.object({
  id: z.string().min(1).max(200).optional(),
  command: z.string().min(1).max(longestCommand),
  cwd: z.string().nullable().default(null),
  exit: z.number().int().nullable().default(null),
  /** A time that no clock can show is not known. */
  at: z.number().min(0).max(8_640_000_000_000_000).nullable().default(null).catch(null),
  durationMs: z.number().nonnegative().nullable().default(null).catch(null),
  outcome: Outcome.optional(),
  session: z.string().min(1).max(200).nullable().default(null),
  author: z.string().min(1).max(100).default('person'),
  output: z.string().nullable().default(null),
  branch: z.string().nullable().default(null),
  source: CommandSource.default('ingest'),
})
/** An invalid command becomes null, so that the others still count. */
export const IngestInput = HereInput.extend({
  commands: z.array(IngestedCommand.nullable().catch(null)).min(1).max(5_000),
})
export const IngestOutput = z.object({
  taken: z.number().describe('how many are in memory now that were not before'),
  known: z.number().describe('how many had been told of before'),
  refused: z
    .number()
    .describe('how many were left out: ephemeral, their directory has opted out, too long, or no command'),
  secrets: z.number().describe('how many secrets were taken out'),
  kept: z.number().describe('how many wait in a file, because no daemon answered'),
})

export const ShellSessionInput = HereInput.extend({
  session: z.string().min(1).max(200),
  author: z.string().min(1).max(100).default('person'),
  event: z.enum(['start', 'end']),
})
export const ShellSessionOutput = z.object({
  session: z.string(),
  project: z.string(),
  primer: z.string().nullable().describe('how this project is worked on; null if too little is known'),
})

export const SuggestInput = HereInput.extend({
  prefix: z.string().default(''),
  limit: limit.default(5),
  /** The shell or conversation that it is for; without one, that of the last command here. */
  session: z.string().optional(),
  author: z.string().default('person'),
  /** Nothing that only agents have run. */
  mine: flag,
})
export const Suggestion = z.object({
  text: z.string(),
  source: z.enum(['history', 'filled', 'fix']).describe('`filled`: a known command with other words in it'),
  score: share('how likely it is this one'),
  reasons: z.array(z.string()),
})
export const SuggestOutput = z.array(Suggestion)

export const HistoryInput = HereInput.extend({
  text: z.string().default(''),
  all: flag,
  exit: z.union([z.enum(['ok', 'failed']), z.coerce.number<number>().int()]).optional(),
  author: z.string().optional().describe('`person`, `agents`, a driver, or the handle of an agent'),
  since: z.coerce.number<number>().optional(),
  until: z.coerce.number<number>().optional(),
  limit: limit.default(50),
})
export const HistoryItem = Command.extend({
  project: z.string(),
  agent: z.string().nullable().describe('the handle of the agent'),
  heardAt: time('when Rein heard of it'),
})
export const HistoryOutput = z.array(HistoryItem).describe('newest first')

/** Without a command: the last one that failed here. */
export const DiagnoseInput = HereInput.extend({
  command: z.string().optional(),
  exit: z.number().int().nullable().default(null),
  output: z.string().default(''),
})
export const DiagnoseOutput = z.object({
  command: z.string(),
  exit: z.number().nullable(),
  error: z.string().describe('the line that says what went wrong'),
  means: z.string().nullable().describe('what it usually means'),
  run: z.array(z.string()).describe('commands that look or repair'),
  fixes: z
    .array(
      z.object({
        command: z.string(),
        kind: z.enum(['instead', 'before', 'edit', 'again']),
        score: share('how likely it is what helps now'),
        why: z.string(),
      }),
    )
    .describe('what helped in this project, best first'),
})

export const ProjectCommand = z.object({
  purpose: z.enum(['build', 'test', 'lint', 'format', 'run', 'install', 'other']),
  command: z.string(),
  runs: z.number(),
  ok: z.number().describe('how many of these succeeded'),
  lastAt: time('when it was run last').nullable(),
})
export const ProjectInput = HereInput.extend({ limit: limit.default(12) })
export const ProjectOutput = z.object({
  project: z.string(),
  commands: z.number().describe('how many are remembered'),
  sessions: z.number(),
  primer: z.string().nullable().describe('the text for an agent that starts here'),
  known: z.array(ProjectCommand),
})

export const ForgetInput = HereInput.extend({
  /** A glob over whole command lines, or a text that is in anything that is kept of them. */
  pattern: z.string().min(1).optional(),
  since: z.number().optional(),
  all: z.boolean().default(false),
  preview: z.boolean().default(false),
})
const found = (what: string) => z.number().describe(`how many by ${what}`)
export const ForgetOutput = z.object({
  forgotten: z.number(),
  matched: z
    .object({
      command: found('their text'),
      output: found('their output'),
      cwd: found('their directory'),
      branch: found('their branch'),
      edited: found('the files changed before them'),
    })
    .describe('by what they were found; each counts once, for the first of these'),
  examples: z.array(z.string()).describe('some of them, for a preview'),
  beyond: z.array(z.string()).describe("transcripts of CLIs that may still have them: these are not Rein's to change"),
})

export const StatsInput = HereInput.extend({
  all: flag,
  days: z.coerce.number<number>().int().min(1).max(3650).default(30),
})
/** How commands went in some conversations. */
export const Conduct = z.object({
  sessions: z.number(),
  commands: z.number(),
  failed: share('failed, of those whose end is known').nullable(),
  retries: share('the same again right after it failed').nullable(),
  wrongTool: share('for which the session had a better tool').nullable(),
  unique: z.number().nullable().describe('different commands per session'),
  wastedTokens: z.number().describe('about how many tokens of output failed and repeated commands gave'),
  wastedMinutes: z.number(),
})
export const StatsOutput = z.object({
  project: z.string().nullable().describe('null: all'),
  since: time('from when on'),
  total: Conduct,
  people: Conduct,
  agents: z.array(Conduct.extend({ author: z.string() })),
  programs: z.array(
    z.object({ program: z.string(), runs: z.number(), failed: share('failed'), target: z.number().nullable() }),
  ),
  perDay: z.array(
    z.object({
      day: z.string(),
      commands: z.number(),
      known: z.number().describe('those whose end is known'),
      failed: z.number(),
    }),
  ),
  advice: z.object({
    decisions: z.number(),
    shown: z.number(),
    followed: z.number().describe('after which a suggested command was run next'),
    followedOk: z.number().describe('and succeeded'),
    kinds: z.array(z.object({ kind: AdviceKind, shown: z.number(), followed: z.number(), followedOk: z.number() })),
    silent: z.array(z.object({ why: z.string(), count: z.number() })),
  }),
  trial: z.object({
    advised: Conduct.describe('conversations in which agents were told something'),
    heldOut: Conduct.describe(
      'conversations that were picked at random to be told nothing, and in which there was something to tell',
    ),
    before: Conduct.describe('conversations before the first advice in this project'),
    failedDifference: z
      .object({ points: z.number(), low: z.number(), high: z.number() })
      .nullable()
      .describe('percentage points of failed commands, advised less held out, with its 95 % interval; null if too few'),
  }),
  secrets: z.number().describe('how many were taken out'),
})

export const AdviceLogInput = HereInput.extend({
  all: flag,
  shown: flag,
  session: z.string().optional(),
  limit: limit.default(50),
  after: z.coerce.number<number>().optional().describe('decisions after this position, oldest first'),
})
export const AdviceItem = z.object({
  position: z.number(),
  at: time('when'),
  project: z.string(),
  agent: z.string().nullable().describe('the handle of the agent'),
  session: z.string(),
  moment: AdviceMoment,
  kind: AdviceKind,
  isShown: z.boolean(),
  why: z.string(),
  text: z.string().nullable(),
  about: z.string().nullable(),
  suggestions: z.array(Suggested),
  next: z.object({ command: z.string(), outcome: Outcome }).nullable().describe('what was run next in that session'),
})
export const AdviceLogOutput = z.array(AdviceItem)

export type IngestRequest = ClientInput<typeof IngestInput>
export type Ingested = z.infer<typeof IngestOutput>
export type ShellSessionView = z.infer<typeof ShellSessionOutput>
export type SuggestionView = z.infer<typeof Suggestion>
export type HistoryRequest = ClientInput<typeof HistoryInput>
export type HistoryView = z.infer<typeof HistoryItem>
export type DiagnosisView = z.infer<typeof DiagnoseOutput>
export type ProjectView = z.infer<typeof ProjectOutput>
export type ProjectCommandView = z.infer<typeof ProjectCommand>
export type Forgotten = z.infer<typeof ForgetOutput>
export type StatsView = z.infer<typeof StatsOutput>
export type ConductView = z.infer<typeof Conduct>
export type AdviceView = z.infer<typeof AdviceItem>

/** The commands of a project, and what is learnt from them. */
export const memoryRoutes = {
  ingest: route({
    method: 'POST',
    path: '/v1/memory/commands',
    input: IngestInput,
    output: IngestOutput,
    scope: 'tell',
    isLocal: true,
    agentMay: true,
    limitMs: 120_000,
    commands: ['rein memory ingest'],
    help: 'Tells of commands that were run; one that is known by its id is not counted again.',
  }),
  shellSession: route({
    method: 'POST',
    path: '/v1/memory/sessions',
    input: ShellSessionInput,
    output: ShellSessionOutput,
    scope: 'tell',
    isLocal: true,
    agentMay: true,
    commands: ['rein memory session-start', 'rein memory session-end'],
    help: 'Tells that a shell begins or ends.',
  }),
  suggest: route({
    method: 'GET',
    path: '/v1/memory/suggestions',
    input: SuggestInput,
    output: SuggestOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein memory suggest', 'rein memory next'],
    help: 'Suggests the next command, likeliest first.',
  }),
  history: route({
    method: 'GET',
    path: '/v1/memory/history',
    input: HistoryInput,
    output: HistoryOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein memory history'],
    help: 'Lists commands, newest first.',
  }),
  diagnose: route({
    method: 'POST',
    path: '/v1/memory/diagnosis',
    input: DiagnoseInput,
    output: DiagnoseOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein memory diagnose'],
    help: 'Tells what a failure means; without a command, that of the last one that failed here.',
  }),
  projectCommands: route({
    method: 'GET',
    path: '/v1/memory/project',
    input: ProjectInput,
    output: ProjectOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein memory show'],
    help: 'Tells how a project is worked on.',
  }),
  forget: route({
    method: 'POST',
    path: '/v1/memory/forget',
    input: ForgetInput,
    output: ForgetOutput,
    scope: 'admin',
    limitMs: 600_000,
    commands: ['rein memory forget'],
    help: 'Forgets commands.',
  }),
  memoryStats: route({
    method: 'GET',
    path: '/v1/memory/stats',
    input: StatsInput,
    output: StatsOutput,
    scope: 'read',
    limitMs: 120_000,
    commands: ['rein memory stats'],
    help: 'Counts how commands went, and what came of advice.',
  }),
  adviceLog: route({
    method: 'GET',
    path: '/v1/memory/advice',
    input: AdviceLogInput,
    output: AdviceLogOutput,
    scope: 'read',
    commands: ['rein memory log'],
    help: 'Lists decisions to say something to an agent, or nothing.',
  }),
} satisfies Routes
