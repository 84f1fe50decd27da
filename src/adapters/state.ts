import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { writeFileAtomic } from '../base/util/atomic-write.ts'
import { parseObject } from '../base/util/json.ts'

/** What an adapter remembers across its restarts. */
export interface StateFile<State> {
  /** What was written last; nothing where there is none, or it cannot be read. */
  read(): Promise<Partial<State>>
  /** Resolves when it is on disk. */
  write(state: State): Promise<void>
}

export const stateFile = <State extends object>(dir: string, kind: string, channel: string): StateFile<State> => {
  const file = path.join(dir, 'adapters', `${kind}-${channel}.json`)
  return {
    read: async () => {
      const text = await readFile(file, 'utf8').catch(() => '')
      return (parseObject(text) ?? {}) as Partial<State>
    },
    write: async (state) => {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      await writeFileAtomic(file, JSON.stringify(state))
    },
  }
}
