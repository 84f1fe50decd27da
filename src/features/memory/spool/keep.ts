import { readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameWithoutSecrets } from '../../../base/redact/name.ts'
import { redact } from '../../../base/redact/redact.ts'
import { keptOutput } from '../recorded.ts'
import { frameOf, type SpooledCommand } from './frame.ts'

/** So many files of other programs wait at most: a daemon that never comes back must not cost a disk. */
const maxFiles = 1000
const isTold = (name: string): boolean => name.startsWith('told-')

/** Keeps what another program told of in `dir`, without secrets, where `takeSpool` finds it; false if there is too much already. */
export const keepForLater = (dir: string, commands: readonly SpooledCommand[], now: number): boolean => {
  if (readdirSync(dir).filter(isTold).length >= maxFiles) return false
  const file = join(dir, `told-${process.pid}-${now}.cmds`)
  // Under its name only when it is whole: it may be taken at once.
  writeFileSync(`${file}.part`, commands.map(withoutSecrets).map(frameOf).join(''), { mode: 0o600 })
  renameSync(`${file}.part`, file)
  return true
}

const withoutSecrets = (command: SpooledCommand): SpooledCommand => {
  const output = keptOutput(command.outcome, command.output)
  return {
    ...command,
    id: nameWithoutSecrets(command.id),
    session: nameWithoutSecrets(command.session),
    author: nameWithoutSecrets(command.author),
    command: redact(command.command).text,
    cwd: cleaned(command.cwd),
    branch: cleaned(command.branch),
    output: cleaned(output),
  }
}

const cleaned = (text: string | null): string | null => (text === null ? null : redact(text).text)
