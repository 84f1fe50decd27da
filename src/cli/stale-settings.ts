import { statSync } from 'node:fs'
import type { CliContext } from './context.ts'
import { describeError } from './exit.ts'

/** The daemon reads its settings once. A file that went wrong since then is told before the next start fails. */
export const noteBrokenSettings = async (context: CliContext): Promise<void> => {
  const { config, registration } = context.paths()
  const [changed, started] = [config, registration].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs)
  if (changed === undefined || started === undefined || changed < started) return
  // Loaded only now: mostly the file is as it was.
  const { loadSettings } = await import('./settings.ts')
  await loadSettings({ ...context, out: { ...context.out, note: () => undefined } }, context.cwd()).catch(
    (cause: unknown) =>
      context.out.note(`rein: ${describeError(cause)} Until then the daemon keeps the settings that it started with.`),
  )
}
