import { z } from 'zod'
import { outcomes } from './outcome.ts'
import { defineRecords } from './record-kind.ts'

export const Outcome = z.enum(outcomes)

export const commandSources = ['hook', 'transcript', 'shell', 'import', 'ingest'] as const
export const CommandSource = z.enum(commandSources)
export type CommandSource = z.infer<typeof CommandSource>

/** A command that was run in a shell, without secrets. What is not known is null. */
export const Command = z.object({
  /** The same however often it is heard of. */
  id: z.string(),
  command: z.string(),
  /** When it began, milliseconds since 1970. */
  at: z.number().nullable(),
  cwd: z.string().nullable(),
  exit: z.number().nullable(),
  durationMs: z.number().nullable(),
  outcome: Outcome,
  /** Conversation of an agent (with `/` and the sub-agent's id, if one ran it), or one shell of a person. */
  session: z.string(),
  /** `person`, or the driver of the agent. */
  author: z.string(),
  /** How the output of a failed one ends. */
  output: z.string().nullable(),
  branch: z.string().nullable(),
  isDirty: z.boolean().nullable(),
  /** Names of the other tools that the agent used since its last command, and the files that it changed. */
  tools: z.array(z.string()),
  edited: z.array(z.string()),
  source: CommandSource,
  /** How many secrets were taken out. */
  secrets: z.number(),
})
export type Command = z.infer<typeof Command>

/** When advice can be given: at the start, with a prompt, before a tool call, after one. */
export const adviceMoments = ['start', 'prompt', 'before', 'after'] as const
export const AdviceMoment = z.enum(adviceMoments)
export type AdviceMoment = z.infer<typeof AdviceMoment>

/** `primer`: how this project is worked on. `next`: what comes next. `variant`: how it is run here. `fix`: what helped before. `meaning`: what a failure usually means. */
export const adviceKinds = ['primer', 'next', 'variant', 'fix', 'meaning', 'tool', 'rewrite', 'deny', 'none'] as const
export const AdviceKind = z.enum(adviceKinds)
export type AdviceKind = z.infer<typeof AdviceKind>

export const Suggested = z.object({ command: z.string(), score: z.number() })
export type Suggested = z.infer<typeof Suggested>

/** A decision to say something to an agent, or nothing. */
export const Advice = z.object({
  id: z.string(),
  session: z.string(),
  author: z.string(),
  moment: AdviceMoment,
  kind: AdviceKind,
  isShown: z.boolean(),
  /** Why it was said, or why not, in one word or a few. */
  why: z.string(),
  /** The advice given; for a conversation in the control group, the advice that would have been given. */
  text: z.string().nullable(),
  /** Its subject: the command that was just run, or is about to run. */
  about: z.string().nullable(),
  /** The predicted next commands, best first. */
  suggestions: z.array(Suggested),
})
export type Advice = z.infer<typeof Advice>

/** A shell session that another program tells of. */
export const ShellSession = z.object({
  id: z.string(),
  author: z.string(),
  cwd: z.string().nullable(),
  event: z.enum(['start', 'end']),
})
export type ShellSession = z.infer<typeof ShellSession>

export const commandRecords = defineRecords(
  'commands',
  {
    /** Commands that were run in one project, by one agent or by people. */
    'command.ran': [1, z.object({ commands: z.array(Command) })],
    /** These commands are gone, from earlier records too; if a person wanted that, also from advice about them. */
    'command.forgotten': [1, z.object({ commands: z.array(z.string()), isPrivate: z.boolean() })],
    'command.session': [1, z.object({ session: ShellSession })],
  },
  { isClean: true },
)

export const adviceRecords = defineRecords(
  'advices',
  {
    /** To say something to an agent, or nothing; `next` is the command that came after it, if that is known by then. */
    'advice.decided': [1, z.object({ advice: Advice, next: z.string().nullable() })],
  },
  { isClean: true },
)
