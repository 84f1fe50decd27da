import { readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameWithoutSecrets } from '../../../base/redact/name.ts'
import { redact } from '../../../base/redact/redact.ts'
import { keptOutput } from '../recorded.ts'
import { frameOf, type SpooledCommand } from './frame.ts'

/** A daemon that never comes back must not cost a disk. */
const mostFiles = 1000

/** Stores commands of another program in `dir`, without secrets, for `takeSpool`; false if there is too much already. */
export const keepForLater = (dir: string, commands: readonly SpooledCommand[], now: number): boolean => {
  if (readdirSync(dir).filter((name) => name.startsWith('told-')).length >= mostFiles) return false
  const file = join(dir, `told-${process.pid}-${now}.cmds`)
  const frames = commands.map((command) =>
    frameOf({
      ...command,
      id: nameWithoutSecrets(command.id),
      session: nameWithoutSecrets(command.session),
      author: nameWithoutSecrets(command.author),
      command: redact(command.command).text,
      cwd: redactText(command.cwd),
      branch: redactText(command.branch),
      output: redactText(keptOutput(command.outcome, command.output)),
    }),
  )
  // Renamed only when it is complete: it may be taken at once.
  writeFileSync(`${file}.part`, frames.join(''), { mode: 0o600 })
  renameSync(`${file}.part`, file)
  return true
}

const redactText = (text: string | null): string | null => (text === null ? null : redact(text).text)
