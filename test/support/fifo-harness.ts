import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { FifoInputs } from '../../src/features/channels/fifo/inputs.ts'
import type { FifoMessage } from '../../src/features/channels/fifo/line.ts'
import { tempDir } from './builders.ts'

/** Makes FIFOs for this user alone; returns their paths. */
export const mkfifo = (dir: string, ...files: string[]): string[] => {
  const paths = files.map((file) => join(dir, file))
  execFileSync('mkfifo', ['-m', '600', ...paths])
  return paths
}

/** One writer that comes, writes and goes. */
export const writeTo = (path: string, bytes: string | Uint8Array): void => {
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  writeSync(fd, typeof bytes === 'string' ? Buffer.from(bytes) : bytes)
  closeSync(fd)
}

/** Open descriptors of this process. */
export const descriptors = (): number => readdirSync('/proc/self/fd').length

/** The inputs of a directory, and all they say. `take` stands for the store: a message is through when it resolves. */
export const startInputs = async (given: { dir?: string; take?: (message: FifoMessage) => Promise<unknown> } = {}) => {
  const { dir = tempDir(), take = () => Promise.resolve() } = given
  const messages: (FifoMessage & { channel: string })[] = []
  const refused: string[] = []
  const troubles: string[] = []
  const changes: string[] = []
  const checks = new Set<() => void>()
  const news = (): void => {
    for (const check of checks) check()
  }
  const inputs = new FifoInputs({
    dir,
    onMessage: (channel, message) => {
      messages.push({ channel, ...message })
      news()
      return take(message)
    },
    onRefused: (channel, reason) => {
      refused.push(`${channel}: ${reason}`)
      news()
    },
    onChange: (file, what) => {
      changes.push(`${file} ${what}`)
      news()
    },
    onTrouble: (where, cause) => {
      troubles.push(`${where}: ${String(cause)}`)
      news()
    },
  })
  onTestFinished(() => inputs.close())
  await inputs.start()
  /** Resolves when it is so; looked at whenever the inputs say something. */
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!isSo()) return
        checks.delete(check)
        resolve()
      }
      checks.add(check)
      check()
    })
  const texts = (): string[] => messages.map(({ channel, text }) => `${channel}: ${text}`)
  return { dir, inputs, messages, texts, refused, troubles, changes, until }
}
