import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Env } from '../../../client/agent-env.ts'
import { ReinError } from '../../../contract/errors.ts'

/** Opens a text in the person's editor; an unchanged text is an error. */
export const edited = async (env: Env, text: string, extension: string): Promise<string> => {
  const editor = env['VISUAL'] || env['EDITOR']
  if (!editor) throw new ReinError('usage', 'No editor is set.', 'Set EDITOR, or give the text with - or by flags.')
  const dir = await mkdtemp(join(tmpdir(), 'rein-edit-'))
  const file = join(dir, `text${extension}`)
  try {
    await writeFile(file, text, { mode: 0o600 })
    // As git does it: the variable may hold arguments.
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new ReinError('failed', `The editor (${editor}) ended with ${code ?? 'a signal'}.`)
    const after = await readFile(file, 'utf8')
    if (after.trim() === text.trim()) throw new ReinError('refused', 'Nothing was written, so nothing is added.')
    return after
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
