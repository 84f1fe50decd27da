import { z } from 'zod'
import { type ClientInput, HereInput, turnLabel } from './fields.ts'
import { route, type Routes } from './route.ts'
import { FileChange, SessionInput } from './sessions.ts'

export const ExportInput = SessionInput.extend({
  /** An absolute path. */
  file: z.string().startsWith('/'),
  /** The first and the last turn whose files travel; the last is also where the conversation ends. */
  turns: z.object({ first: turnLabel.optional(), last: turnLabel.optional() }).default({}),
  redact: z.boolean().default(false),
})

const secrets = z
  .array(z.object({ entry: z.string(), kind: z.string(), count: z.number() }))
  .describe('what looks like a secret, by kind and place; never what it is')
const leftOut = z
  .array(z.object({ path: z.string(), reason: z.string() }))
  .describe('files that do not travel, and why')

/** The manifest of a bundle. */
const BundleView = z.object({
  format: z.number(),
  session: z.string(),
  agent: z.string(),
  driver: z.string(),
  cli: z.string().describe('the version of the agent CLI'),
  rein: z.string(),
  madeAt: z.number().describe('when it was made, milliseconds since 1970'),
  repository: z
    .object({ remote: z.string().nullable(), root: z.string() })
    .nullable()
    .describe('the repository: its remote, and its first commit'),
  base: z.string().nullable().describe('a commit that the other side needs; null if everything is in the bundle'),
  turns: z.array(
    z.object({
      label: z.string(),
      prompt: z.string(),
      startedAt: z.number().describe('milliseconds since 1970'),
      model: z.string().nullable(),
      hasFiles: z.boolean(),
    }),
  ),
  entries: z.array(z.object({ name: z.string(), bytes: z.number(), sha256: z.string() })),
  isRedacted: z.boolean(),
  secrets,
  leftOut,
})

export const ExportOutput = z.object({
  file: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  bundle: BundleView,
})

export const InspectInput = z.object({ file: z.string().startsWith('/') })
export const InspectOutput = z.object({ file: z.string(), bytes: z.number(), bundle: BundleView })

export const ReviewItem = z.object({
  path: z.string(),
  class: z
    .string()
    .describe(
      '`rein`, `agent`, `environment`, `git`, `editor`, `ci`, `build`, `tool`, `packages`, `program`, `hidden` or `link`',
    ),
  reason: z.string(),
})

export const ImportInput = HereInput.extend({
  file: z.string().startsWith('/'),
  into: z.string().startsWith('/').optional(),
  full: z.boolean().default(false),
  handle: z.string().optional(),
  yes: z.boolean().default(false),
  /** The environment of the CLI: it determines where conversations are kept. */
  env: z.record(z.string(), z.string()),
})
export const ImportOutput = z.object({
  isDone: z.boolean().describe('false: nothing was written, because a person must agree first (--yes)'),
  bundle: BundleView,
  dir: z.string().describe('where the files are, or would be'),
  cwd: z.string().describe('the directory in it where the agent works'),
  changes: z.array(FileChange).describe('what becomes of the files'),
  review: z.array(ReviewItem).describe('files that can run or steer something, the most dangerous first: look at them'),
  agent: z.string().describe('a handle that is free here'),
  conversation: z.string().nullable().describe('the whole conversation; null if it continues with a summary'),
  summary: z.string().nullable().describe('the file with the summary that a new conversation begins with'),
  command: z.string().nullable().describe('how to go on; null if nothing was written'),
})

export type ExportRequest = ClientInput<typeof ExportInput>
export type ExportedView = z.infer<typeof ExportOutput>
export type InspectedView = z.infer<typeof InspectOutput>
export type ImportRequest = ClientInput<typeof ImportInput>
export type ImportedView = z.infer<typeof ImportOutput>
export type BundleView = InspectedView['bundle']

/** Sessions that leave in a file, and that come in one. */
export const bundleRoutes = {
  exportSession: route({
    method: 'POST',
    path: '/v1/sessions/export',
    input: ExportInput,
    output: ExportOutput,
    progress: true,
    scope: 'files',
    commands: ['rein session export'],
    help: 'Writes a session into a file.',
  }),
  importSession: route({
    method: 'POST',
    path: '/v1/sessions/import',
    input: ImportInput,
    output: ImportOutput,
    progress: true,
    scope: 'files',
    commands: ['rein session import'],
    help: 'Takes a session out of a file.',
  }),
  inspectBundle: route({
    method: 'POST',
    path: '/v1/sessions/inspect',
    input: InspectInput,
    output: InspectOutput,
    progress: true,
    scope: 'files',
    commands: ['rein session inspect'],
    help: 'Looks at everything in a file as an import does, and keeps nothing.',
  }),
} satisfies Routes
