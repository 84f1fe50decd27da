import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { launchEnv } from '../../client/agent-env.ts'
import type { ImportedView } from '../../contract/routes/bundles.ts'
import { agentLine, placeOf } from '../agents/text.ts'
import { importedText } from './text.ts'
import { isConfirmed } from '../confirm.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { withProgress } from '../sessions/progress.ts'
import { isInteractive } from '../tui/terminal/terminal.ts'
import { toRequest } from '../agents/up.ts'

export interface ImportFlags {
  into?: string
  full?: boolean
  as?: string
  yes?: boolean
  up?: boolean
}

const refused = 5

export const run = async (context: CliContext, flags: ImportFlags & JsonFlag, file: string): Promise<void> => {
  const { out, env } = context
  let imported = await take(context, flags, file, flags.yes === true)
  if (!imported.isDone && !flags.json && isInteractive(env)) {
    out.line(importedText(imported, out.style))
    if (await isConfirmed(context, 'Write them?')) imported = await take(context, flags, file, true)
  }
  if (flags.json) out.document(imported)
  else out.line(importedText(imported, out.style))
  if (!imported.isDone) return context.exitWith(refused)
  if (flags.up) {
    const { agent, cwd, conversation, summary, bundle } = imported
    const request = await toRequest(context, { driver: bundle.driver, cwd, resume: conversation ?? undefined }, agent)
    const prompt = summary === null ? undefined : await readFile(summary, 'utf8')
    const started = await context.connect().up({ ...request, request: { ...request.request, prompt } })
    // The document is what was imported; how the agent is, `rein ps` tells.
    if (!flags.json) context.out.line(agentLine(started, placeOf(context)))
  }
}

const take = (
  { connect, out, cwd, env }: CliContext,
  { into, full, as: handle }: ImportFlags,
  file: string,
  yes: boolean,
): Promise<ImportedView> => {
  const input = {
    cwd: cwd(),
    file: path.resolve(cwd(), file),
    into: into === undefined ? undefined : path.resolve(cwd(), into),
    full,
    handle,
    yes,
    env: launchEnv(env),
  }
  return withProgress(out, (onProgress) => connect().importSession(input, onProgress))
}
