import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** What the process of an agent without a terminal reads from and writes to. */
export const streamFiles = (dir: string) => ({
  input: join(dir, 'stdin.fifo'),
  output: join(dir, 'stream.ndjson'),
  errors: join(dir, 'stderr.log'),
})

/** Writes blanks over lines, in place: the process goes on appending, and whoever follows the file keeps its position. */
export const blankLines = (dir: string, isWanted: (line: string) => boolean): void => {
  const { output, errors } = streamFiles(dir)
  for (const file of [output, errors]) if (existsSync(file)) blankIn(file, isWanted)
}

const blankIn = (file: string, isWanted: (line: string) => boolean): void => {
  const bytes = readFileSync(file)
  const fd = openSync(file, 'r+')
  try {
    for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
      const next = bytes.indexOf(0x0a, start)
      end = next === -1 ? bytes.length : next
      if (isWanted(bytes.toString('utf8', start, end)))
        writeSync(fd, Buffer.alloc(end - start, ' '), 0, end - start, start)
    }
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
